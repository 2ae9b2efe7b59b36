"""What holds whatever the format: target, drop, missing values, categories, files."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.sources import open_dataset
from featrank.tables import READABLE, read_table


@pytest.fixture
def stored(tmp_path):
    def save(**columns):
        pd.DataFrame(columns).to_csv(tmp_path / "d.csv", index=False)
        return tmp_path / "d.csv"

    return save


def test_target_by_name_then_by_position(tmp_path):
    pd.DataFrame({"a": [1, 2], "-1": [3, 4], "b": [5, 6]}).to_csv(tmp_path / "d.csv", index=False)
    assert read_table(tmp_path / "d.csv", target="-1").y.tolist() == [3, 4]
    assert read_table(tmp_path / "d.csv", target="-3").y.tolist() == [1, 2]
    table = read_table(tmp_path / "d.csv", target="2")
    assert (table.y.tolist(), table.target_name) == ([5, 6], "b")


@pytest.mark.parametrize("target", ["3", "-4", "1.0"])
def test_target_beyond_the_columns(stored, target):
    with pytest.raises(UsageError, match=r"Unknown column"):
        read_table(stored(a=[1], b=[2], c=[3]), target=target)


def test_unknown_names(stored):
    path = stored(alpha=[1], beta=[2])
    with pytest.raises(UsageError, match=r"Unknown column 'bets'. Did you mean 'beta'"):
        read_table(path, target="bets")
    with pytest.raises(UsageError, match=r"Unknown column 'alpa'. Did you mean 'alpha'"):
        read_table(path, drop=["alpa"])


def test_drop(stored):
    path = stored(a=[1], b=[2], c=[3])
    assert read_table(path, drop=["a", "c"]).feature_names == ["b"]
    assert read_table(path, drop="a").feature_names == ["b", "c"]
    for target in ("c", "-1"):
        with pytest.raises(UsageError, match="'c' is the target and also in `drop"):
            read_table(path, target=target, drop=["c"])
    with pytest.raises(DataError, match="No features are left"):
        read_table(path, target="c", drop=["a", "b"])


def test_missing_labels(stored):
    with pytest.warns(FeatrankWarning, match=r"2 of 3 samples have no 'y'.*\(rows 2, 3\)"):
        table = read_table(stored(a=[1, 2, 3], y=["u", None, None]), target="y", missing="mean")
    assert table.X.tolist() == [[1]]
    with pytest.warns(FeatrankWarning, match=r"1 of 3 samples has no 'y'.*\(row 2\)"):
        table = read_table(stored(a=[1, 2, 3], y=[1, np.nan, 2]), target="y", missing="mean")
    assert table.y.tolist() == [1, 2]
    with pytest.raises(DataError, match="No sample has a label 'y'"):
        read_table(stored(a=[1, 2], y=[None, None]), target="y")


def test_missing_values_name_five_columns_and_the_way_out(stored):
    path = stored(**{f"c{i}": [1.0, np.nan] for i in range(7)})
    with pytest.raises(DataError) as caught:
        read_table(path)
    message = str(caught.value)
    assert message.startswith("7 missing values in 7 columns: 'c0' (1), ")
    assert "'c4' (1) and 2 more" in message
    assert '`missing="mean"`' in message


@pytest.mark.parametrize(("how", "filled"), [("mean", 4.0), ("median", 2.0)])
def test_missing_values_filled(stored, how, filled):
    path = stored(a=[1, 2, np.nan, 9], b=[1.5, 2, 3, 4])
    X = read_table(path, missing=how).X
    assert X.tolist() == [[1, 1.5], [2, 2], [filled, 3], [9, 4]]


def test_a_column_without_values(stored):
    with pytest.raises(
        DataError, match=r"Only missing values in 1 column: 'b'\..*`max_missing=0\.9`"
    ):
        read_table(stored(a=[1, 2], b=[None, None]), missing="mean")


def test_text_columns_name_five_and_the_ways_out(stored):
    path = stored(n=[1, 2], **{f"c{i}": ["u", "v"] for i in range(6)})
    with pytest.raises(DataError) as caught:
        read_table(path)
    message = str(caught.value)
    assert message.startswith("Text, categories or dates instead of numbers in 6 columns")
    assert "'c4' and 1 more" in message
    assert '`categorical="onehot"`' in message


def test_categories(stored):
    path = stored(a=["v", "u", "w"], n=[1.5, 2, 3], day=["2020-01-02", "2020-01-01", "2020-01-03"])
    ordinal = read_table(path, categorical="ordinal")
    assert ordinal.X.tolist() == [[1, 1.5, 1], [0, 2, 0], [2, 3, 2]]
    assert ordinal.feature_names == ["a", "n", "day"]
    onehot = read_table(path, categorical="onehot", drop=["day"])
    assert onehot.feature_names == ["a=u", "a=v", "a=w", "n"]
    assert onehot.X.tolist() == [[0, 1, 0, 1.5], [1, 0, 0, 2], [0, 0, 1, 3]]
    assert read_table(path, categorical="drop").X.tolist() == [[1.5], [2], [3]]


def test_only_text_columns_dropped(stored):
    with pytest.raises(DataError, match="No features are left"):
        read_table(stored(a=["u"], y=[1]), target="y", categorical="drop")


@pytest.mark.parametrize("how", ["mean", "median"])
def test_a_missing_category_becomes_the_most_frequent(stored, how):
    path = stored(a=["v", None, "v", "u"], b=["q", "p", None, None], n=[1, 2, 3, 4])
    with pytest.raises(DataError, match=r"3 missing values in 2 columns: 'a' \(1\), 'b' \(2\)"):
        read_table(path, categorical="onehot")
    table = read_table(path, categorical="onehot", missing=how)
    assert table.feature_names == ["a=u", "a=v", "b=p", "b=q", "n"]
    assert table.X[1].tolist() == [0, 1, 1, 0, 2]
    assert table.X[2].tolist() == [0, 1, 1, 0, 3]
    ordinal = read_table(path, categorical="ordinal", missing=how)
    assert ordinal.X[:, :2].tolist() == [[1, 1], [1, 0], [1, 0], [0, 0]]


def test_made_names_must_be_new(stored):
    with pytest.raises(DataError, match="unique, but these are repeated: 'a=u'"):
        read_table(stored(**{"a": ["u", "v"], "a=u": [1, 2]}), categorical="onehot")


def test_unknown_choices(stored):
    path = stored(a=[1])
    with pytest.raises(UsageError, match=r"missing values 'means'. Did you mean 'mean'"):
        read_table(path, missing="means")
    with pytest.raises(UsageError, match=r"categorical columns 'one-hot'. Did you mean 'onehot'"):
        read_table(path, categorical="one-hot")


@pytest.mark.parametrize("suffix", READABLE)
def test_absent_empty_and_folder(tmp_path, suffix):
    path = tmp_path / f"d{suffix}"
    with pytest.raises(UsageError, match="does not exist"):
        read_table(path)
    path.touch()
    with pytest.raises(DataError, match="is empty"):
        read_table(path)
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(UsageError, match="is a folder"):
        read_table(tmp_path / f"folder{suffix}")


def test_unknown_suffix(tmp_path):
    with pytest.raises(
        UsageError, match=r"Known extensions: \.arff, \.csv, .*\.svm, .*\.txt\.gz\."
    ):
        read_table(tmp_path / "d.docx")


def test_import_is_cheap():
    code = (
        "import sys, featrank.tables; "
        "print([name for name in ('polars', 'pandas', 'anndata', 'h5py') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_repeated_names_are_found_in_linear_time(tmp_path):
    # Counting each name among all would take hours.
    names = [f"gene {column // 2}" for column in range(200_000)]
    path = tmp_path / "wide.csv"
    path.write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    with pytest.raises(DataError, match=r"unique, but these are repeated: 'gene 0'"):
        read_table(path)
    with pytest.raises(DataError, match=r"these are repeated: 'gene 0'.* and 99995 more\."):
        open_dataset(path)
