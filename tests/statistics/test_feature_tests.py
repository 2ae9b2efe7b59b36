"""Tests of each feature alone, against SciPy's and scanpy's."""

import tracemalloc
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse, stats

from featrank._utils.progress import progress_to
from featrank.exceptions import DataError, UsageError
from featrank.statistics import class_tests, feature_tests

from .moderated_t_golden import golden

CONTAINERS = {
    "array": np.array,
    "single": lambda X: np.asarray(X, np.float32),
    "csr": sparse.csr_matrix,
    "csc": sparse.csc_array,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
}


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def made(missing=0.1):
    """Return values with ties, zeros, negatives and gaps, and classes of unequal size."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(0, 2, (80, 40)), 1) * (rng.random((80, 40)) < 0.6)
    X[:, :10] = np.abs(X[:, :10])
    X[:, 10:15] += 50
    X[rng.random(X.shape) < missing] = np.nan
    codes = rng.choice(4, 80, p=[0.1, 0.2, 0.3, 0.4])
    X[codes == 1, 0] += 2
    return X.astype(np.float32).astype(np.float64), codes


def expected(X, codes, code, test):
    own, rest = X[codes == code], X[codes != code]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on columns without two values
        if test == "welch":
            return stats.ttest_ind(own, rest, equal_var=False, nan_policy="omit")
        return stats.mannwhitneyu(own, rest, method="asymptotic", nan_policy="omit")


@pytest.mark.parametrize("test", ["welch", "wilcoxon"])
@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("missing", [0, 0.1])
def test_as_scipy_has_it(test, container, missing, monkeypatch):
    X, codes = made(missing)
    monkeypatch.setattr(feature_tests, "MOST_COLUMNS", 7)  # several blocks, the last one narrower
    found = class_tests(CONTAINERS[container](X), codes, test)
    assert found.p_value.shape == (4, 40)
    for code in range(4):
        wanted = expected(X, codes, code, test)
        np.testing.assert_allclose(found.p_value[code], wanted.pvalue, rtol=1e-9)
        np.testing.assert_allclose(found.statistic[code], wanted.statistic, rtol=1e-9, atol=1e-12)
        adjusted = stats.false_discovery_control(wanted.pvalue)
        np.testing.assert_allclose(found.p_adjusted[code], adjusted, rtol=1e-9)


def test_stored_zeros_and_repeated_entries_change_nothing():
    X, codes = made()
    stored = sparse.coo_array(np.where(X == 0, 1.0, X))
    again = sparse.coo_array(-(X == 0).astype(float))  # added up, they are stored zeros
    both = sparse.coo_array(
        (
            np.concatenate([stored.data, again.data]),
            tuple(np.concatenate(pair) for pair in zip(stored.coords, again.coords, strict=True)),
        ),
        shape=X.shape,
    )
    for test in ("welch", "wilcoxon"):
        found = class_tests(both.tocsr(), codes, test)
        np.testing.assert_array_equal(found.p_value, class_tests(X, codes, test).p_value)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
def test_what_has_no_spread_or_too_few_values(form):
    codes = np.array([0, 0, 0, 1, 1, 1, 2])
    columns = {
        "constant": [4, 4, 4, 4, 4, 4, 4],
        "zero": [0, 0, 0, 0, 0, 0, 0],
        "separator": [1, 1, 1, 0, 0, 0, 0],
        "missing": [np.nan] * 7,
        "one value": [np.nan, np.nan, 3, np.nan, np.nan, np.nan, np.nan],
        "no class 1": [1, 2, 4, np.nan, np.nan, np.nan, 3],
    }
    X = form(np.array(list(columns.values()), dtype=float).T)
    welch, wilcoxon = (class_tests(X, codes, test).p_value for test in ("welch", "wilcoxon"))
    nan = np.nan
    np.testing.assert_array_equal(welch[0], [1, 1, 0, nan, nan, nan])
    np.testing.assert_array_equal(welch[2], [nan] * 6)  # a class of one sample
    np.testing.assert_array_equal(wilcoxon[:, :2], 1)
    np.testing.assert_array_equal(wilcoxon[:, 3:5], nan)
    assert (np.isnan(wilcoxon[:, 5]) == [False, True, False]).all()
    adjusted = class_tests(X, codes).p_adjusted
    np.testing.assert_array_equal(adjusted[0], [1, 1, 0, nan, nan, nan])
    np.testing.assert_array_equal(adjusted[2], [nan] * 6)


def test_two_samples():
    found = class_tests([[1.0, 5.0], [2.0, 5.0]], [0, 1], "wilcoxon")
    np.testing.assert_array_equal(found.p_value, 1)
    assert np.isnan(class_tests([[1.0], [2.0]], [0, 1]).p_value).all()


@pytest.mark.parametrize("scale", [1e-140, 1e140])
def test_any_scale(scale):
    X, codes = made(0)
    plain, scaled = class_tests(X, codes), class_tests(X * scale, codes)
    np.testing.assert_allclose(scaled.p_value, plain.p_value, rtol=1e-6)


def test_fold_changes():
    X, codes = made()
    for code in range(4):
        own = np.nanmean(X[codes == code], axis=0)
        rest = np.nanmean(X[codes != code], axis=0)
        as_log2 = class_tests(X, codes, values="log2").log2_fold_change[code]
        np.testing.assert_allclose(as_log2, own - rest, atol=1e-12)
        as_linear = class_tests(X + 2, codes, values="linear").log2_fold_change[code]
        np.testing.assert_allclose(as_linear, np.log2((own + 3) / (rest + 3)), atol=1e-12)
    low = class_tests([[-3.0], [-2.0], [4.0], [5.0]], [0, 0, 1, 1], values="linear")
    assert np.isnan(low.log2_fold_change).all()


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda rng: rng.normal(8, 2, (40, 50)), "log2"),
        (lambda rng: 2 ** rng.normal(8, 2, (40, 50)), "linear"),
        (lambda rng: rng.uniform(1, 80, (40, 50)), "linear"),
        (lambda rng: rng.uniform(-40, 40, (40, 50)), "log2"),
        (lambda rng: rng.poisson(0.3, (40, 50)), "linear"),
        (lambda rng: np.log1p(rng.poisson(0.3, (40, 50))), "log2"),
        (lambda rng: sparse.csr_array(rng.poisson(0.3, (40, 50))), "linear"),
    ],
)
def test_what_the_values_are_taken_for(make, kind):
    X = make(np.random.default_rng(0))
    found = class_tests(X, np.arange(40) % 2)
    assert found.scales.usual == kind
    named = class_tests(X, np.arange(40) % 2, values=kind)
    np.testing.assert_array_equal(found.log2_fold_change, named.log2_fold_change)


def test_geo2r_says_the_same_of_measurements():
    """Its rule is of quantiles: the 99th above 100, or a range above 50 and the first above 0."""
    rng = np.random.default_rng(1)
    for low, high in ((0.5, 99), (-5, 60), (2, 16), (1, 5000), (0.1, 60), (-60, 10)):
        X = rng.uniform(low, high, (30, 40))
        least, first, large, most = np.quantile(X, [0, 0.25, 0.99, 1])
        linear = large > 100 or (most - least > 50 and first > 0)
        assert class_tests(X, np.arange(30) % 2).scales.usual == ("linear" if linear else "log2")


@pytest.fixture(scope="module")
def cells():
    scanpy = pytest.importorskip("scanpy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scanpy, scanpy.datasets.pbmc68k_reduced()


@pytest.mark.slow
@pytest.mark.parametrize(("test", "method"), [("welch", "t-test"), ("wilcoxon", "wilcoxon")])
def test_as_scanpy_has_it(cells, test, method):
    """To the digits of float32, in which scanpy keeps means; it has no continuity correction."""
    scanpy, data = cells
    options = {"tie_correct": True} if test == "wilcoxon" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scanpy.tl.rank_genes_groups(data, "bulk_labels", method=method, use_raw=True, **options)
    X, labels = data.raw.X, data.obs["bulk_labels"].cat
    found = class_tests(X, labels.codes.to_numpy(), test, values="log1p")
    corrections = np.array([stats.tiecorrect(stats.rankdata(row)) for row in X.T.toarray()])
    for code, label in enumerate(labels.categories):
        frame = scanpy.get.rank_genes_groups_df(data, label)
        theirs = frame.set_index("names").loc[data.raw.var_names]
        changes = theirs["logfoldchanges"]
        np.testing.assert_allclose(found.log2_fold_change[code], changes, atol=1e-5)
        if test == "welch":
            np.testing.assert_allclose(found.statistic[code], theirs["scores"], rtol=1e-5)
            np.testing.assert_allclose(found.p_value[code], theirs["pvals"], rtol=1e-4)
            np.testing.assert_allclose(found.p_adjusted[code], theirs["pvals_adj"], rtol=1e-4)
            continue
        own = int((labels.codes == code).sum())
        pairs = own * (len(data) - own)
        deviation = np.sqrt(corrections * pairs * (len(data) + 1) / 12)
        z = (found.statistic[code] - pairs / 2) / deviation
        np.testing.assert_allclose(z, theirs["scores"], rtol=1e-5, atol=1e-5)
        corrected = np.minimum(2 * stats.norm.sf(np.abs(z) - 0.5 / deviation), 1)
        np.testing.assert_allclose(found.p_value[code], corrected, rtol=1e-9)


def test_sparse_data_is_not_made_dense():
    X = sparse.random(20_000, 2_000, 0.002, format="csc", random_state=0)
    codes = np.arange(20_000) % 3
    class_tests(X[:, :2], codes, "wilcoxon")  # what is imported is not counted
    tracemalloc.start()
    class_tests(X, codes, "wilcoxon")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000 * 2_000  # an eighth of it


def test_progress_is_told():
    X, codes = np.random.default_rng(0).normal(size=(10, 9000)), np.arange(10) % 2
    told = []
    with progress_to(lambda done, total: told.append((done, total))):
        class_tests(X, codes)
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("X", "codes", "options", "error", "message"),
    [
        ([[1.0], [2.0]], [0, 1], {"test": "welsh"}, UsageError, "Did you mean 'welch'"),
        ([[1.0], [2.0]], [0, 1], {"values": "log"}, UsageError, "Did you mean 'log"),
        ([[1.0], [2.0]], [0], {}, DataError, "2 whole numbers"),
        ([[1.0], [2.0]], ["a", "b"], {}, DataError, "return_inverse"),
        ([[1.0], [2.0]], [-1, 0], {}, DataError, "from 0"),
        ([[1.0], [2.0]], [0, 0], {}, DataError, "two classes"),
        ([1.0, 2.0], [0, 1], {}, DataError, "shape"),
        ([[1.0, 2.0], [1.0, np.inf]], [0, 1], {}, DataError, "feature 1"),
    ],
)
def test_what_cannot_be_tested_is_refused(X, codes, options, error, message):
    with pytest.raises(error, match=message):
        class_tests(X, codes, **options)


@pytest.mark.parametrize("of", [np.asarray, sparse.csr_array])
def test_the_moderated_t_uses_the_variances_of_all_blocks(of, monkeypatch):
    limma = golden("three_against_three")
    monkeypatch.setattr(feature_tests, "MOST_COLUMNS", 7)
    tests = class_tests(of(limma["x"]), limma["group"].astype(int), "moderated-t")
    np.testing.assert_allclose(tests.statistic[1], limma["t"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(tests.p_value[1], limma["p"], rtol=1e-9)
