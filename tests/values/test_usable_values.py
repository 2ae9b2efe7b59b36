"""Which values are usable: numbers that float64 holds, finite, with squares that do not overflow.

That every method refuses the others in the same words is checked by the common suite.
"""

import datetime
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import featrank
from featrank import ECFS, FisherScore, Ranker, tables
from featrank.evaluation import NFeaturesCV, compare
from featrank.exceptions import DataError
from featrank.values.numbers import holds

BEYOND = 2**53 + 1


class AcceptsNaN(Ranker):
    accepts_nan = True

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        assert not np.isinf(X).any()
        return np.nanstd(X, axis=0)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_nan_passes_and_infinity_does_not(data, dtype):
    X, y = data[0].astype(dtype), data[1]
    X[3, 5] = X[:, 7] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        with pytest.raises(featrank.exceptions.MethodError, match="column 7"):
            AcceptsNaN().fit(X, y)  # the mean of nothing: refused by what it gives, not by X
    X[:, 7] = 1
    AcceptsNaN().fit(X, y)
    X[9, 2] = -np.inf
    with pytest.raises(DataError, match=r"contains infinity: 1 value in 1 of 12.*column 2 \(1\)"):
        AcceptsNaN().fit(X, y)


def test_sparse_values_that_are_too_large(data):
    X, y = data
    X[X < 8] = 0
    X[[0, 1], 3] = -1e200
    for container in (sp.csr_array, sp.csc_array):
        with pytest.raises(DataError, match=r"too large.*2 values in 1 of 12.*column 3 \(2\)"):
            ECFS().fit(container(X), y)


def test_values_that_only_wider_floats_hold(data):
    X, y = data[0].astype(np.longdouble), data[1]
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        X[0, 3] = 1e200
    else:
        X[0, 3] = np.longdouble("1e400")
    with pytest.raises(DataError, match=r"too large.*column 3 \(1\)"):
        FisherScore().fit(X, y)


def test_weights_too_large_to_count(data):
    with pytest.raises(DataError, match=r"sample_weight.*6e\+301.*Divide"):
        FisherScore().fit(*data, sample_weight=np.full(60, 1e300))


def test_looking_for_unusable_values_takes_no_copy():
    X = np.random.default_rng(0).random((500, 4000), dtype=np.float32)
    AcceptsNaN().fit(X[:, :10], np.arange(500) % 2)
    tracemalloc.start()
    try:
        featrank.values.numbers.require_usable(X, None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 0.01 * X.nbytes


DAYS = np.arange(120).reshape(60, 2).astype("datetime64[D]")
DATES = {
    "datetime64": DAYS,
    "datetime64 in nanoseconds": DAYS.astype("datetime64[ns]"),
    "NaT": np.full((60, 2), np.datetime64("NaT", "s")),
    "timedelta64": DAYS - DAYS[0, 0],
    "durations of NumPy": np.array([[np.timedelta64(1, "D"), 1.0]] * 60, dtype=object),
    "objects of datetime": DAYS.astype(object),
    "durations": np.array([[1.0, datetime.timedelta(1)]] * 60, dtype=object),
    "a list of NumPy's": [list(row) for row in DAYS],
    "a list of datetime": DAYS.tolist(),
    "a list with Timestamps": [[pd.Timestamp(a), 1.0] for a, _ in DAYS],
    "a list with NaT": [[pd.NaT, 1.0]] * 60,
    "an object column": pd.DataFrame({"a": [1.0] * 60, "b": pd.Series(DAYS[:, 0].tolist())}),
}


@pytest.fixture
def objects_of_numpy():
    table = np.empty((60, 2), dtype=object)
    table[:] = [[1.0, day] for day in DAYS[:, 0]]
    return table


@pytest.mark.parametrize("kind", DATES)
def test_dates_are_refused(kind):
    X, y = DATES[kind], np.arange(60) % 2
    for use in (ECFS().fit, featrank.rank, lambda X, y: compare(X, y, ["fisher"])):
        with pytest.raises(DataError, match=r"dates or durations|not numeric"):
            use(X, y)


def test_columns_of_dates_are_named(objects_of_numpy):
    y = np.arange(60) % 2
    with pytest.raises(DataError, match=r"dates or durations, not numbers: column 1\."):
        ECFS().fit(objects_of_numpy, y)
    frame = pd.DataFrame(objects_of_numpy, columns=["size", "born"])
    with pytest.raises(DataError, match="'born'"):
        ECFS().fit(frame, y)


def identifiers(base):
    """Return a column that only its last bit makes useful, and labels."""
    y = np.arange(20) % 2
    return [base + int(code) for code in y], y


INTEGERS = {
    "int64": lambda ids: np.column_stack([np.arange(20), ids]),
    "negative": lambda ids: -np.column_stack([np.arange(20), ids]),
    "Fortran order": lambda ids: np.asfortranarray(np.column_stack([np.arange(20), ids])),
    "big-endian": lambda ids: np.column_stack([np.arange(20), ids]).astype(">i8"),
    "uint64": lambda ids: np.column_stack([np.arange(20, dtype=np.uint64), np.uint64(ids)]),
    "objects": lambda ids: np.array([[0.5, value] for value in ids], dtype=object),
    "a list": lambda ids: [[1, value] for value in ids],
    "a list with fractions": lambda ids: [[0.5, value] for value in ids],
    "sparse": lambda ids: sp.csr_array(np.column_stack([np.arange(20), ids])),
    "another sparse": lambda ids: sp.lil_array(np.column_stack([np.arange(20), ids])),
    "pandas": lambda ids: pd.DataFrame({"x": 0.5, "id": ids}),
    "nullable": lambda ids: pd.DataFrame({"x": 0.5, "id": pd.array([*ids[:-1], None], "Int64")}),
    "Arrow in pandas": lambda ids: pd.DataFrame({"x": 0.5, "id": pd.array(ids, "int64[pyarrow]")}),
    "object column": lambda ids: pd.DataFrame({"x": 0.5, "id": pd.Series(ids, dtype=object)}),
    "polars": lambda ids: pl.DataFrame({"x": [0.5] * 20, "id": ids}),
    "polars with gaps": lambda ids: pl.DataFrame({"x": [0.5] * 20, "id": [*ids[:-1], None]}),
    "pyarrow": lambda ids: pl.DataFrame({"x": [0.5] * 20, "id": ids}).to_arrow(),
}


@pytest.mark.parametrize("base", [2**53, 2**60], ids=["2**53", "2**60"])
@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_that_would_change_are_refused(kind, base):
    ids, y = identifiers(base)
    X = INTEGERS[kind](ids)
    model = featrank.FisherScore()
    choose = NFeaturesCV(model, model, scoring=lambda *_: 0.0)
    for use in (model.fit, featrank.rank, choose.fit, lambda X, y: compare(X, y, ["fisher"])):
        with pytest.raises(DataError, match=r"2\*\*53.*float64: ('id'|column 1)\."):
            use(X, y)


def test_integers_of_128_bits():
    ids, y = identifiers(2**70)
    frame = pl.DataFrame({"x": [0.5] * 20, "id": pl.Series(ids, dtype=pl.Int128)})
    with pytest.raises(DataError, match="'id'"):
        FisherScore().fit(frame, y)
    objects = np.array([[0, value] for value in ids], dtype=object)
    with pytest.raises(DataError, match="column 1"):
        FisherScore().fit(objects, y)


@pytest.mark.parametrize("value", [2**53, -(2**53), 2**62, 3 * 2**60, 2**63 - 1024, -(2**63)])
def test_large_integers_that_float64_holds_are_ranked(value):
    X = np.array([[0, 1], [0, 2], [value, 1], [value, 2]])
    y = [0, 0, 1, 1]
    wanted = FisherScore().fit(X.astype(float), y).scores_
    assert np.array_equal(FisherScore().fit(X, y).scores_, wanted)
    frame = pd.DataFrame(X).add_prefix("gene ").assign(x=0.5)
    assert np.array_equal(FisherScore().fit(frame, y).scores_[:2], wanted)


def test_which_integers_float64_holds():
    """Against the definition: the integer comes back."""
    rng = np.random.default_rng(0)
    values = rng.integers(-(2**63), 2**63 - 1, 2000) >> rng.integers(0, 63, 2000)
    values = (values << rng.integers(0, 20, 2000)).tolist()
    for dtype, numbers in ((np.int64, values), (np.uint64, [abs(value) for value in values])):
        for value in numbers:
            X = np.array([[value], [0]], dtype=dtype)
            exact = int(float(value)) == value
            assert holds(value) == exact
            if exact:
                featrank.values.numbers.require_numbers(X)
            else:
                with pytest.raises(DataError, match="column 0"):
                    featrank.values.numbers.require_numbers(X)


def test_transform_takes_what_it_keeps(data):
    """Nothing is computed there, so nothing can be lost."""
    X, y = np.round(data[0]).astype(np.int64), data[1]
    ranker = FisherScore(n_features_to_select=2).fit(X, y)
    X[0] = BEYOND
    assert ranker.transform(X)[0].tolist() == [BEYOND, BEYOND]


@pytest.fixture(params=["csv", "csv with fractions", "csv with blanks", "parquet", "npz", "npy"])
def file(request, tmp_path):
    ids, y = identifiers(2**53)
    names, columns = ["x", "id", "y"], [np.arange(20), ids, y]
    kind = request.param.split()[0]
    path = tmp_path / f"data.{kind}"
    if kind == "csv":
        cells = [str(value) for value in ids]
        cells[5] = {"csv": cells[5], "csv with fractions": "0.5", "csv with blanks": " 7 "}[
            request.param
        ]
        lines = [f"{j},{cell},{code}" for j, cell, code in zip(range(20), cells, y, strict=True)]
        path.write_text("\n".join(["x,id,y", *lines]) + "\n")
    elif kind == "parquet":
        pl.DataFrame(dict(zip(names, columns, strict=True))).write_parquet(path)
    elif kind == "npz":
        np.savez(path, X=np.column_stack(columns[:2]), y=y, feature_names=np.array(names[:2]))
    else:
        np.save(path, np.column_stack(columns))
    return path


def test_integers_in_files(file):
    target, name = ("2", "'x1'") if file.suffix == ".npy" else ("y", "'id'")
    with pytest.raises(DataError, match=rf"2\*\*53.*{name}.*drop="):
        tables.read_table(file, target=target)
    table = tables.read_table(file, target=target, drop=[name.strip("'")])
    assert table.X[:, 0].tolist() == list(range(20))


def test_integers_as_labels_are_kept(tmp_path):
    """Labels are told apart as they are, not as floats."""
    ids, _ = identifiers(2**53)
    path = tmp_path / "data.csv"
    path.write_text("x,id\n" + "".join(f"{j},{value}\n" for j, value in enumerate(ids)))
    assert tables.read_table(path, target="id").y.tolist() == ids
