"""Parquet and Arrow files and streams, against what the reader of whole tables gives."""

import datetime

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from featrank.exceptions import DataError, FeatrankWarning, MissingExtraError, UsageError
from featrank.sources import open_dataset
from featrank.tables import read_table

from .whole import assert_same, elsewhere, together

RNG = np.random.default_rng(3)
N = 41
FRAME = pl.DataFrame(
    {
        "a": RNG.normal(size=N),
        "^b.*$": RNG.integers(-9, 9, N).astype(np.int8),
        "kind": np.array(["x", "y", "z"])[RNG.integers(0, 3, N)],
        "b.c": RNG.normal(size=N).astype(np.float32),
        "b": [None if row % 7 == 3 else row for row in range(N)],
        "flag": [row % 3 == 0 for row in range(N)],
    }
)


def parquet(frame, path):
    pq.write_table(frame.to_arrow(), path, row_group_size=9)


def arrow(frame, path):
    table = frame.to_arrow()
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        for start in range(0, N, 11):
            writer.write_table(table.slice(start, 11))


def arrow_stream(frame, path):
    table = frame.to_arrow()
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=11)


WRITERS = {
    "parquet": (parquet, "d.parquet"),
    "polars parquet": (lambda frame, path: frame.write_parquet(path), "d.PARQUET"),
    "arrow": (arrow, "d.arrow"),
    "polars arrow": (lambda frame, path: frame.write_ipc(path), "d.ipc"),
    "feather": (
        lambda frame, path: pyarrow.feather.write_feather(frame.to_arrow(), path),
        "d.feather",
    ),
    "arrow stream": (arrow_stream, "d.arrow"),
}
FILES = [kind for kind in WRITERS if kind != "arrow stream"]


@pytest.fixture
def stored(tmp_path):
    def save(frame, kind="parquet"):
        write, name = WRITERS[kind]
        write(frame, tmp_path / name)
        return tmp_path / name

    return save


def counted(source):
    """Return a source whose rows have been counted, so that it can be compared as others are."""
    source.shape = (
        sum(part.rows.stop - part.rows.start for part in source.chunks(99)),
        source.shape[1],
    )
    return source


@pytest.mark.parametrize("kind", WRITERS)
def test_parts_are_the_table(stored, kind):
    path = stored(FRAME, kind)
    table = read_table(path, target="kind", missing="keep")
    source = open_dataset(path, target="kind")
    assert source.names == table.feature_names == ["a", "^b.*$", "b.c", "b", "flag"]
    assert (source.target, source.again, source.axis) == ("kind", True, "rows")
    assert source.dtype == table.X.dtype
    assert_same(counted(source), table.X, table.y)
    assert_same(counted(open_dataset(path, target=2, drop=["b", "flag"])), table.X[:, :3], table.y)


@pytest.mark.parametrize("kind", WRITERS)
def test_parts_are_read_in_another_process(stored, kind):
    source = open_dataset(stored(FRAME, kind), target="kind")
    parts = list(source.chunks(300))
    assert len(parts) > 4
    for part, (X, y) in zip(parts, elsewhere(parts), strict=True):
        block = part.read()
        assert X.tobytes() == block.X.tobytes()
        assert y.tolist() == block.y.tolist()


@pytest.mark.parametrize("dtype", [pl.UInt8, pl.Int16, pl.Int32, pl.UInt64, pl.Float32, pl.Boolean])
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_types_are_those_of_tables(stored, kind, dtype):
    frame = pl.DataFrame({"a": np.arange(N) % 2, "b": np.arange(N) % 3 > 0}).cast(dtype)
    path = stored(frame, kind)
    table = read_table(path)
    assert_same(open_dataset(path), table.X)
    assert open_dataset(path).dtype == table.X.dtype


@pytest.mark.parametrize("kind", WRITERS)
def test_integers_with_gaps_become_floats_and_still_fit(stored, kind):
    gaps = [None if 20 < row < 23 else row for row in range(N)]
    path = stored(
        pl.DataFrame({"a": gaps, "b": gaps[::-1]}, schema={"a": pl.Int8, "b": pl.Int8}), kind
    )
    table = read_table(path, missing="keep")
    source = open_dataset(path)
    assert source.dtype == np.int8
    X, _ = together(source, 40)
    np.testing.assert_array_equal(X, table.X)


def test_decimals_and_columns_without_a_type(stored):
    table = pa.table({"d": pa.array([1, 2, None]).cast(pa.decimal128(25, 2)), "n": pa.nulls(3)})
    path = stored(pl.from_arrow(table))
    assert_same(open_dataset(path), read_table(path, missing="keep").X)


@pytest.mark.parametrize("kind", WRITERS)
def test_texts_and_dates_are_refused_by_name(stored, kind):
    days = FRAME.with_columns(day=pl.lit(datetime.date(2020, 1, 1)))
    path = stored(days, kind)
    with pytest.raises(
        DataError, match=r"instead of numbers in 2 columns.*: 'kind', 'day'. Leave the colu"
    ):
        open_dataset(path)
    assert open_dataset(path, target="kind", drop="day").shape[1] == 5
    with pytest.raises(UsageError, match=r"Unknown column 'knd'. Did you mean 'kind'"):
        open_dataset(path, target="knd")
    with pytest.raises(UsageError, match="the target and also in `drop"):
        open_dataset(path, target="kind", drop=["kind"])


@pytest.mark.parametrize(
    "labels",
    [
        pl.Series(["u", "v"] * 20 + ["u"], dtype=pl.Categorical),
        pl.Series(["u", "v"] * 20 + ["u"], dtype=pl.Enum(["v", "u"])),
        pl.Series([True, False] * 20 + [True]),
        pl.Series([1, 5] * 20 + [5], dtype=pl.UInt8),
        pl.Series([datetime.date(2020, 1, 1 + row % 2) for row in range(N)]),
    ],
    ids=["categories", "enum", "booleans", "numbers", "dates"],
)
@pytest.mark.parametrize("kind", WRITERS)
def test_labels_are_those_of_tables(stored, kind, labels):
    path = stored(FRAME.with_columns(kind=labels), kind)
    y = read_table(path, target="kind", missing="keep").y
    found = together(counted(open_dataset(path, target="kind")), 300)[1]
    assert found.tolist() == y.tolist()


@pytest.mark.parametrize("kind", WRITERS)
def test_missing_labels_are_read_as_such(stored, kind):
    path = stored(FRAME.with_columns(kind=pl.Series([None, None, "u"] + ["v"] * (N - 3))), kind)
    found = together(open_dataset(path, target="kind"), 10**6)[1]
    assert found.tolist() == [None, None, "u"] + ["v"] * (N - 3)


@pytest.mark.parametrize("kind", WRITERS)
def test_integers_that_float64_cannot_hold(stored, kind):
    path = stored(FRAME.with_columns(b=pl.Series([2**53 + 1] * N)), kind)
    with pytest.raises(DataError, match=r"beyond 2\*\*53.*: 'b'"):
        together(open_dataset(path, target="kind"), 10**6)


@pytest.mark.parametrize("kind", ["parquet", "polars arrow", "arrow stream"])
def test_damage_is_named(stored, kind):
    frame = pl.DataFrame({name: RNG.normal(size=4000) for name in "abc"})
    path = stored(frame, kind)
    source = open_dataset(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    told = "what follows row" if kind == "arrow stream" else "rows"
    with pytest.raises(DataError, match=rf"Cannot read {told} .* of 'd\."):
        together(source, 1000)
    path.write_bytes(b"PAR1 or not")
    with pytest.raises(DataError, match="cannot be read as"):
        open_dataset(path)


def test_names_of_rows_of_pandas_are_left_out(tmp_path):
    frame = FRAME.drop("kind").to_pandas()
    frame.index = [f"s{row}" for row in range(N)]
    frame.to_parquet(tmp_path / "d.parquet")
    source = open_dataset(tmp_path / "d.parquet")
    assert "__index_level_0__" not in source.names
    assert_same(source, read_table(tmp_path / "d.parquet", missing="keep").X)


def test_labels_of_a_file_of_their_own(stored, tmp_path):
    path = stored(FRAME.drop("kind"))
    np.save(tmp_path / "y.npy", np.arange(N) % 2)
    assert_same(
        open_dataset(path, labels="y.npy"), read_table(path, missing="keep").X, np.arange(N) % 2
    )
    with pytest.raises(UsageError, match="labels must be a column"):
        open_dataset(stored(FRAME.drop("kind"), "arrow stream"), labels="y.npy")


def test_only_the_columns_that_are_asked_for_are_read(stored):
    path = stored(FRAME.with_columns(bad=pl.Series([2**53 + 1] * N)))
    source = open_dataset(path, target="kind")
    assert together(source, 500, slice(0, 2))[0].shape == (N, 2)
    with pytest.raises(DataError, match="beyond"):
        together(source, 500)


def test_very_many_columns_call_for_zarr(stored, monkeypatch):
    path = stored(FRAME)
    monkeypatch.setattr("featrank.sources.columnar_files.MANY_COLUMNS", 5)
    with pytest.warns(FeatrankWarning, match=r"'d.parquet' has 6 columns.*Zarr"):
        open_dataset(path, target="kind")


def test_a_table_without_rows(stored):
    with pytest.raises(DataError, match="no rows"):
        open_dataset(stored(FRAME.clear()), target="kind")


STREAMS = {
    "lazy frame": lambda: FRAME.lazy(),
    "frame": lambda: FRAME,
    "pandas": lambda: FRAME.to_pandas(),
    "pyarrow table": lambda: FRAME.to_arrow(),
    "relation": lambda: duckdb.connect().from_arrow(FRAME.to_arrow()).filter("true"),
    "reader": lambda: FRAME.to_arrow().to_reader(7),
}


@pytest.mark.parametrize("kind", STREAMS)
def test_streams_are_the_table(stored, kind):
    table = read_table(stored(FRAME), target="kind", missing="keep")
    source = open_dataset(STREAMS[kind](), target="kind")
    assert source.shape == (None, 5)
    assert source.names == table.feature_names
    assert source.again == (kind != "reader")
    if source.again:
        assert_same(counted(source), table.X, table.y)
        return
    X, y = together(source, 200)
    np.testing.assert_array_equal(X, table.X)
    assert y.tolist() == table.y.tolist()
    with pytest.raises(UsageError, match="'RecordBatchReader' can be read only once, and has been"):
        source.chunks(200)


@pytest.mark.parametrize("kind", ["lazy frame", "relation"])
def test_queries_are_cut(kind):
    table = pa.table({"a": np.arange(20_000.0)})
    lazy = {
        "lazy frame": lambda: pl.from_arrow(table).lazy().filter(pl.col("a") >= 5),
        "relation": lambda: duckdb.connect().from_arrow(table).filter("a >= 5"),
    }[kind]()
    blocks = [part.read().X for part in open_dataset(lazy).chunks(8 * 1000)]
    assert max(len(block) for block in blocks) == 1000
    np.testing.assert_array_equal(np.concatenate(blocks)[:, 0], np.arange(5.0, 20_000))


def test_what_a_stream_raises_has_a_place():
    def batches():
        yield FRAME.to_arrow().to_batches()[0]
        raise OSError("connection lost")

    reader = pa.RecordBatchReader.from_batches(FRAME.to_arrow().schema, batches())
    source = open_dataset(reader, target="kind")
    with pytest.raises(
        DataError, match=r"what follows row 41 of 'RecordBatchReader': .*connection lost"
    ):
        together(source, 10**6)


def test_pyarrow_is_asked_for(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"featrank\[scale\]"):
        open_dataset(FRAME)


def test_what_is_no_stream():
    with pytest.raises(UsageError, match="'dict' cannot be read in chunks"):
        open_dataset({})


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_names_that_occur_twice_are_no_damage(tmp_path, suffix):
    path = tmp_path / f"twice{suffix}"
    table = pa.table([[1.0, 2.0], [3.0, 4.0], ["x", "y"]], names=["a", "a", "kind"])
    if suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(DataError, match=r"'a'.*Rename or remove the repeated") as caught:
        open_dataset(path, target="kind")
    assert "damaged" not in str(caught.value)
    if suffix == ".parquet":
        with pytest.raises(DataError, match=r"'a'.*Rename or remove the repeated"):
            read_table(path, target="kind")
