"""Counts transformed: formulas by brute force, SciPy's ranks, scanpy's normalisation."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import rankdata
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from featrank import CountTransform, FisherScore
from featrank.exceptions import DataError, UsageError


def counts(shape=(12, 40), missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.poisson(rng.gamma(0.5, 20, shape)).astype(float)
    X[3] = 0  # a sample without counts
    X[rng.random(shape) < missing] = np.nan
    return X


def ratios(row):
    """Return the centred log-ratio of a sample, value after value."""
    known = [value for value in row if value == value]
    positive = [value for value in known if value > 0]
    least = min(positive) / 2 if positive else 1.0
    mean = sum(np.log(value or least) for value in known) / max(len(known), 1)
    return [np.log(value or least) - mean if value == value else value for value in row]


@parametrize_with_checks([CountTransform(steps) for steps in ("cpm,log1p", "clr", "rank", "none")])
def test_scikit_learns_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_formulas(missing):
    X = counts(missing=missing)
    before = X.copy()
    sums = np.nansum(X, axis=1, keepdims=True)
    expected = {
        "log1p": np.log(1 + X),
        "cpm": np.divide(1e6 * X, sums, out=X.copy(), where=sums > 0),
        "clr": np.array([ratios(row) for row in X]),
        "none": X,
    }
    for steps, values in expected.items():
        np.testing.assert_allclose(CountTransform(steps).fit_transform(X), values, rtol=1e-12)
    chain = CountTransform(" cpm , log1p ").fit(X)
    np.testing.assert_allclose(chain.transform(X[::2]), np.log1p(expected["cpm"])[::2], rtol=1e-12)
    np.testing.assert_array_equal(X, before)


def test_order_of_the_steps_is_theirs():
    X = counts()
    log_first = np.log1p(X)
    sums = np.maximum(log_first.sum(axis=1, keepdims=True), 1)
    found = CountTransform("log1p,cpm").fit_transform(X)
    np.testing.assert_allclose(found, 1e6 * log_first / sums, rtol=1e-12)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_scanpy_says_the_same(form):
    scanpy = pytest.importorskip("scanpy")
    anndata = pytest.importorskip("anndata")
    X = form(counts().astype(np.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the sample without counts
        data = anndata.AnnData(X.copy())
        scanpy.pp.normalize_total(data, target_sum=1e6)
        scanpy.pp.log1p(data)
    found = CountTransform("cpm,log1p").fit_transform(X)
    assert found.dtype == np.float32
    np.testing.assert_allclose(dense(found), dense(data.X), rtol=2e-6)


def dense(X):
    return X.toarray() if sparse.issparse(X) else X


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix])
@pytest.mark.parametrize("steps", ["log1p", "cpm", "cpm,log1p", "clr", "rank", "cpm,rank"])
def test_sparse_matrices(form, steps):
    X = counts(missing=0.1)
    found = CountTransform(steps).fit_transform(form(X))
    assert sparse.issparse(found) == (not {"clr", "rank"} & set(steps.split(",")))
    np.testing.assert_allclose(dense(found), CountTransform(steps).fit_transform(X), rtol=1e-12)


def test_values_of_a_sparse_matrix_that_stand_in_pieces():
    parts = sparse.csr_matrix(([1.0, 2.0, 5.0], [0, 0, 1], [0, 2, 3]), shape=(2, 2))
    found = CountTransform("log1p").fit_transform(parts)
    np.testing.assert_allclose(found.toarray(), np.log1p([[3, 0], [0, 5]]))
    assert parts.nnz == 3


def test_ratios_do_not_depend_on_the_size_of_a_sample():
    X = counts()
    sizes = np.random.default_rng(1).uniform(1e-6, 1e6, (len(X), 1))
    found = CountTransform("clr").fit_transform(X * sizes)
    np.testing.assert_allclose(found, CountTransform("clr").fit_transform(X), atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 0, atol=1e-10)


def test_ranks_of_the_training_rows_are_scipys():
    X = counts(missing=0.2)
    found = CountTransform("rank").fit_transform(X)
    known = (~np.isnan(X)).sum(axis=0)
    np.testing.assert_allclose(
        found, (rankdata(X, axis=0, nan_policy="omit") - 1) / (known - 1), rtol=1e-12
    )


def test_other_rows_get_the_place_that_they_would_have():
    rng = np.random.default_rng(0)
    train, rest = rng.integers(0, 8, (9, 5)).astype(float), rng.uniform(-2, 10, (30, 5))
    rest[:10] = np.round(rest[:10])
    found = CountTransform("rank").fit(train).transform(rest)
    for column in range(5):
        known = train[:, column]
        for place, value in zip(found[:, column], rest[:, column], strict=True):
            below, same = (known < value).sum(), (known == value).sum()
            middle = below + (same - 1) / 2  # counted from 0
            assert place == pytest.approx(np.clip(middle / 8, 0, 1))
    order = np.argsort(rest[:, 0])
    assert (np.diff(found[order, 0]) >= 0).all()


def test_places_among_one_value_and_among_none():
    train = np.array([[3.0, np.nan], [np.nan, np.nan]])
    found = CountTransform("rank").fit(train).transform([[1.0, 1.0], [3.0, 2.0], [4.0, np.nan]])
    np.testing.assert_array_equal(found, [[0, 0.5], [0.5, 0.5], [1, np.nan]])


@pytest.mark.parametrize(
    ("steps", "count"), [("log1p", "2 are not, in 2 of 3"), ("cpm", "3 are not"), ("clr", "3 are")]
)
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_negative_values_are_rejected(steps, count, form):
    X = form([[1.0, -0.5, 2.0], [-1.0, 0.0, -3.0]])
    with pytest.raises(DataError, match=rf"{count}.*column 0 \(1\).*transform=.none"):
        CountTransform(steps).fit(X)


def test_names_stand_in_the_message_and_in_the_output():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"TP53": [3, 5], "age": [-2, 1]})
    with pytest.raises(DataError, match=r"'age' \(1\)"):
        CountTransform("cpm").fit(frame)
    step = CountTransform("log1p").fit(frame[["TP53"]]).set_output(transform="pandas")
    assert list(step.transform(frame[["TP53"]]).columns) == ["TP53"]


def test_unknown_steps_are_rejected_with_near_ones():
    with pytest.raises(UsageError, match=r"Unknown transform 'logp1'\. Did you mean 'log1p'"):
        CountTransform("cpm,logp1").fit([[1.0]])


def test_infinity_is_rejected():
    with pytest.raises(DataError, match="infinity"):
        CountTransform("log1p").fit([[np.inf]])


def test_a_step_of_a_pipeline_that_can_be_pickled():
    X, y = counts((30, 20)), np.arange(30) % 2
    X[y == 1, 4] += 500
    model = make_pipeline(CountTransform("cpm,rank"), FisherScore(3), LinearSVC()).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert model[1].order_[0] == 4


@pytest.mark.parametrize("step", ["log2", "log10", "sqrt", "floor:3", "floor:3,log2"])
def test_logarithms_roots_and_lowest_values(step):
    X = np.array([[1.0, 8.0], [4.0, np.nan], [2.0, 1024.0]])
    raised = np.maximum(X, 3)
    expected = {
        "log2": np.log2(X), "log10": np.log10(X), "sqrt": np.sqrt(X), "floor:3": raised,
        "floor:3,log2": np.log2(raised),
    }[step]  # fmt: skip
    np.testing.assert_allclose(CountTransform(step).fit_transform(X), expected)
    given = CountTransform(step).fit_transform(sparse.csr_matrix(np.nan_to_num(X, nan=1.0)))
    dense = CountTransform(step).fit_transform(np.nan_to_num(X, nan=1.0)) if "log" in step else None
    if dense is not None:
        np.testing.assert_allclose(given, dense)


def test_square_roots_stay_sparse():
    X = sparse.csr_matrix([[0.0, 4.0], [9.0, 0.0]])
    assert CountTransform("sqrt").fit_transform(X).toarray().tolist() == [[0, 2], [3, 0]]


@pytest.mark.parametrize("values", [[[1.0, 0.0], [2.0, 3.0]], [[1.0, -2.0], [2.0, 3.0]]])
@pytest.mark.parametrize("make", [np.array, sparse.csr_matrix])
def test_log2_of_zero_says_what_to_do(values, make):
    with pytest.raises(DataError, match="floor:1,log2") as caught:
        CountTransform("log2").fit(make(values))
    assert "log2 needs values above 0, and 1 are not" in str(caught.value)


@pytest.mark.parametrize("step", ["floor", "floor:", "floor:x", "floor:nan", "floor:inf"])
def test_a_lowest_value_must_be_a_number(step):
    with pytest.raises(UsageError, match="floor"):
        CountTransform(step).fit([[1.0], [2.0]])
