"""Parquet, Arrow and Feather files."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest

from featrank.exceptions import DataError
from featrank.tables import read_table

FRAME = pd.DataFrame({"a": [1.5, 2.5, -3], "^b$": [1, 2, 3], "y": ["u", "v", "u"]})


def stored(path, frame):
    if path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".ipc":
        table = pa.Table.from_pandas(frame)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    elif path.suffix == ".arrow":
        table = pa.Table.from_pandas(frame)
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    else:
        pyarrow.feather.write_feather(frame, path)
    return path


@pytest.fixture(params=["parquet", "arrow", "feather", "ipc"])
def path(request, tmp_path):
    return tmp_path / f"data.{request.param}"


def test_reads_what_pyarrow_wrote(path):
    table = read_table(stored(path, FRAME), target="y")
    assert table.feature_names == ["a", "^b$"]
    assert table.X.tolist() == [[1.5, 1], [2.5, 2], [-3, 3]]
    assert table.y.tolist() == ["u", "v", "u"]


def test_float32_stays_float32(path):
    frame = pd.DataFrame(
        {
            "a": np.array([0.1, 0.2], "f4"),
            "flag": [True, False],
            "small": np.array([1, 2], "i2"),
            "y": [0, 1],
        }
    )
    table = read_table(stored(path, frame), target="y")
    assert table.X.dtype == np.float32
    expected = np.array([[np.float32(0.1), 1, 1], [np.float32(0.2), 0, 2]], "f4")
    np.testing.assert_array_equal(table.X, expected)


def test_nulls_and_nans_are_both_missing(tmp_path):
    frame = pl.DataFrame({"a": [1, None, 3], "b": [0.5, float("nan"), None], "y": [0, 1, 0]})
    frame.write_parquet(tmp_path / "d.parquet")
    with pytest.raises(DataError, match=r"3 missing values in 2 columns: 'a' \(1\), 'b' \(2\)"):
        read_table(tmp_path / "d.parquet", target="y")
    X = read_table(tmp_path / "d.parquet", target="y", missing="median").X
    assert X.tolist() == [[1, 0.5], [2, 0.5], [3, 0.5]]


def test_the_index_of_pandas_is_left_out(tmp_path):
    frame = FRAME.set_axis(["r", "s", "t"])
    frame.to_parquet(tmp_path / "d.parquet")
    assert "__index_level_0__" in pl.read_parquet_schema(tmp_path / "d.parquet")
    assert read_table(tmp_path / "d.parquet", target="y").feature_names == ["a", "^b$"]


def test_categories_booleans_and_dates_as_target(tmp_path):
    frame = pd.DataFrame(
        {
            "a": [1.0, 2.0],
            "cat": pd.Categorical(["q", "p"]),
            "flag": [True, False],
            "day": pd.to_datetime(["2020-01-02", "2020-01-01"]),
        }
    )
    frame.to_parquet(tmp_path / "d.parquet")

    def labels(name):
        return read_table(tmp_path / "d.parquet", target=name, categorical="drop").y.tolist()

    assert labels("cat") == ["q", "p"]
    assert labels("flag") == [True, False]
    assert [label[:10] for label in labels("day")] == ["2020-01-02", "2020-01-01"]


def test_nested_columns_are_refused(tmp_path):
    pl.DataFrame({"a": [1, 2], "bad": [[1], [2]], "y": [0, 1]}).write_parquet(
        tmp_path / "d.parquet"
    )
    with pytest.raises(DataError, match="'bad'"):
        read_table(tmp_path / "d.parquet", target="y")
    assert read_table(tmp_path / "d.parquet", target="y", categorical="drop").feature_names == ["a"]


def test_broken_files(path):
    whole = stored(path, FRAME).read_bytes()
    for content in (whole[: len(whole) // 3], b"garbage" * 50):
        path.write_bytes(content)
        with pytest.raises(DataError, match="cannot be read as"):
            read_table(path, target="y")


def test_no_rows(path):
    with pytest.raises(DataError, match="no rows"):
        read_table(stored(path, FRAME.iloc[:0]), target="y")


READ = "import sys, featrank; featrank.rank_file(sys.argv[1], 'y', 'fisher', memory=sys.argv[2])"


@pytest.mark.parametrize("memory", [None, "1GB"])
def test_what_rust_prints_of_a_damaged_file_is_kept_from_stderr(tmp_path, memory):
    path = tmp_path / "data.parquet"
    frame = pl.DataFrame({"a": np.random.default_rng(0).random(5000), "y": [0, 1] * 2500})
    frame.write_parquet(path, compression="uncompressed")
    content = path.read_bytes()
    path.write_bytes(content[:100] + content[-2000:])  # the values are cut out, their places stay
    code = READ if memory else READ.replace("sys.argv[2]", "None")
    found = subprocess.run(
        [sys.executable, "-c", code, path, str(memory)], capture_output=True, text=True
    )
    assert found.returncode == 1
    assert "panicked" not in found.stderr
    assert "DataError" in found.stderr.splitlines()[-1]
    assert "its content is inconsistent" in found.stderr.splitlines()[-1]


def test_what_others_print_meanwhile_is_not_lost():
    code = (
        "import os, sys\nfrom featrank.tables.rust_panics import hide_panics\n"
        "with hide_panics(), hide_panics():\n"
        "    os.write(2, b'first ')\n    print('at once', file=sys.stderr)\n"
        "print('last', file=sys.stderr)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert found.stderr == "at once\nfirst last\n"
