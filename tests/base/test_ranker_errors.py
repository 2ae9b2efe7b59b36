"""What a ranker refuses: each error says what is wrong and the way out."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import featrank
from featrank import ECFS
from featrank.exceptions import DataError


def message_of(X, y=None, error=DataError, **params):
    with pytest.raises(error) as caught:
        ECFS(**params).fit(X, y)
    assert isinstance(caught.value, ValueError)
    return str(caught.value)


@pytest.mark.parametrize("binning", ["width", "quantile"])
@pytest.mark.parametrize(("dtype", "order"), [(np.float32, "C"), (np.float64, "F")])
@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_values_that_are_not_finite(data, value, order, dtype, binning):
    X, y = np.asarray(data[0], dtype=dtype, order=order), data[1]
    X[[3, 8, 20], 5] = value
    X[11, 0] = value
    message = message_of(X, y, binning=binning)
    for part in ("4 values in 2 of 12 columns", "column 0 (1)", "column 5 (3)", "SimpleImputer"):
        assert part in message


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_columns_that_are_not_finite_by_name(frame, kind):
    X, y = frame
    X.loc[[1, 2], "gene 7"] = np.nan
    X.loc[5, "gene 2"] = np.inf
    if kind != "pandas":
        X = pl.from_pandas(X, nan_to_null=False)
    message = message_of(X.to_arrow() if kind == "pyarrow" else X, y)
    for part in ("3 values in 2 of 12 columns", "'gene 2' (1)", "'gene 7' (2)", '`missing="mean"`'):
        assert part in message


def test_missing_values_of_nullable_columns(frame):
    X, y = frame
    polars = pl.from_pandas(X).with_columns(pl.lit(None, dtype=pl.Int64).alias("gene 3"))
    assert "'gene 3' (60)" in message_of(polars, y)
    nullable = X.round().astype("Int64")
    nullable.loc[4, "gene 6"] = pd.NA
    assert "'gene 6' (1)" in message_of(nullable, y)


def test_sparse_values_that_are_not_finite(data):
    X, y = data
    X[X < 8] = 0
    X[[0, 1], 3] = np.nan
    assert "column 3 (2)" in message_of(sp.csr_array(X), y)
    assert "column 3 (2)" in message_of(sp.csc_array(X), y)


def test_a_long_list_of_columns_is_cut(data):
    X, y = data
    X[0] = np.nan
    message = message_of(X, y)
    assert "12 values in 12 of 12 columns" in message
    assert "and 7 more columns" in message
    assert "column 9" not in message


def test_inconsistent_lengths(data):
    X, y = data
    message = message_of(X, y[:59])
    assert "60 rows" in message
    assert "59 labels" in message


@pytest.mark.parametrize("dtype", [np.float32, np.float64, object])
def test_a_continuous_target(data, dtype):
    X, _ = data
    message = message_of(X, np.linspace(0, 1, 60).astype(dtype))
    assert "continuous" in message
    assert "featrank.bin_target" in message


@pytest.mark.parametrize(
    "missing",
    [
        lambda y: np.where(y == 0, np.nan, y.astype(float)),
        lambda y: np.array([None if code == 0 else "a" for code in y], dtype=object),
        lambda y: pd.Series(["b" if code else None for code in y]),
        lambda y: pd.Series(y).astype("Int64").where(y == 1),
        lambda y: pd.Series(["b" if code else pd.NA for code in y]),
        lambda y: pd.Series(["b" if code else None for code in y], dtype="string"),
        lambda y: pd.Categorical.from_codes(y - 1, ["a"]),
        lambda y: pl.Series([1 if code else None for code in y]),
        lambda y: pl.Series(["b" if code else None for code in y]).to_arrow(),
        lambda y: np.ma.masked_array(y, mask=y == 0),
    ],
    ids=[
        "nan",
        "None",
        "pandas",
        "nullable",
        "pandas.NA",
        "pandas strings",
        "categorical",
        "polars",
        "pyarrow",
        "masked",
    ],
)
def test_missing_labels(data, missing):
    message = message_of(data[0], missing(data[1]))
    assert "30 of 60 labels are missing" in message
    assert "Drop those rows" in message


def test_infinite_labels(data):
    X, y = data
    assert "infinity" in message_of(X, np.where(y == 1, np.inf, 0.0))


def test_one_or_three_dimensions():
    assert "2D array" in message_of(np.ones(6), np.arange(6) % 2, error=ValueError)
    assert "dim 3" in message_of(np.ones((4, 3, 2)), [0, 1, 0, 1], error=ValueError)


def test_labels_of_two_columns(data):
    X, y = data
    assert "1d" in message_of(X, np.column_stack([y, y]), error=ValueError).lower()


def test_text_in_a_frame(frame):
    X, y = frame
    message = message_of(X.assign(city="Rome", street="Via Appia"), y)
    assert "2 columns of X are not numeric: 'city'" in message
    assert "'street'" in message
    assert "OneHotEncoder" in message


@pytest.mark.parametrize(("dtype", "text"), [(str, "numeric values"), (object, "'Rome'")])
def test_text_in_an_array(dtype, text):
    X = np.array([["1", "Rome"], ["2", "Oslo"], ["3", "Rome"], ["4", "Oslo"]], dtype=dtype)
    assert text in message_of(X, [0, 0, 1, 1], error=ValueError)


def test_columns_of_the_same_name(frame):
    X, y = frame
    message = message_of(X.rename(columns={"gene 3": "gene 1"}), y)
    assert "gene 1" in message
    assert "gene 2" not in message


def test_a_masked_array(data):
    """Its mask marks missing values, which must not be read."""
    X, y = data
    assert "masked" in message_of(np.ma.masked_array(X, mask=X > 9), y)


def test_a_lazy_frame_is_no_table_to_reduce(frame):
    X, y = frame
    with pytest.raises(DataError, match=r"collect\(\)"):
        ECFS().fit(X, y).transform(pl.from_pandas(X).lazy())


def test_complex_numbers(data):
    X, y = data
    assert "Complex data not supported" in message_of(X + 1j, y, error=ValueError)


@pytest.mark.parametrize("X", [None, 3.0, "table.csv"])
def test_no_table_at_all(X):
    with pytest.raises((ValueError, TypeError)):
        ECFS().fit(X, [0, 1])


def test_too_little_to_rank_is_bad_data():
    assert "1 sample(s) (shape=(1, 3))" in message_of(np.ones((1, 3)), [0])
    assert "0 sample(s) (shape=(0, 3))" in message_of(np.ones((0, 3)), [])
    assert "0 feature(s) (shape=(4, 0))" in message_of(np.ones((4, 0)), [0, 1, 0, 1])
    assert "1 sample(s)" in message_of(pd.DataFrame({"a": [1.0]}), [0])
    assert "1 sample(s)" in message_of(sp.csr_array(np.ones((1, 3))), [0])
    for method in ("ec-fs", "mrmr", "cmim"):
        with pytest.raises(DataError, match=r"0 feature\(s\)"):
            featrank.rank(np.ones((6, 0)), [0, 1] * 3, method)


def test_columns_of_pyarrow_may_be_alike_but_not_called_alike():
    pa = pytest.importorskip("pyarrow")
    column, y = [1.0, 2.0, 3.0, 5.0], [0, 1, 0, 1]
    ranker = ECFS(alpha=0.5).fit(pa.table({"a": column, "b": column}), y)
    assert ranker.feature_names_in_.tolist() == ["a", "b"]
    assert "same name: 'a'" in message_of(pa.table([column, column[::-1]], names=["a", "a"]), y)
