"""MRMR, MIFS, JMI and CMIM on sparse data: the ranking of the dense matrix."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from featrank import CMIM, JMI, MIFS, MRMR
from tests.pairwise.sparse_data import sparse_matrices

METHODS = [MRMR, lambda **p: MRMR(criterion="miq", **p), MIFS, JMI, CMIM]


@pytest.fixture(params=[0.2, 2.0], ids=["few entries", "any"], autouse=True)
def storage(request, monkeypatch):
    """Matrices with many entries are kept as dense codes; here also as sparse ones."""
    monkeypatch.setattr("featrank.pairwise.sparse_columns.WORTH_DENSE", request.param)


def counts(n_samples=400, n_features=40, seed=0, dtype=np.float64):
    """Counts, most of them 0, of which some depend on the class and some on each other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n_samples)
    rate = rng.gamma(0.3, 0.5, n_features) * (1 + y[:, None] * (rng.random(n_features) < 0.3))
    X = rng.poisson(rate * rng.gamma(1, 1, (n_samples, 1)))
    X[:, 5] = 0
    X[:, 9] = X[:, 3]
    return X.astype(dtype), y


def assert_same_ranking(got, wanted):
    np.testing.assert_array_equal(got.scores_, wanted.scores_)
    np.testing.assert_array_equal(got.order_, wanted.order_)
    np.testing.assert_array_equal(got.criterion_, wanted.criterion_)
    np.testing.assert_array_equal(got.relevance_, wanted.relevance_)


@pytest.mark.parametrize("make", METHODS)
@settings(max_examples=25, deadline=None)
@given(
    X=sparse_matrices(),
    binning=st.sampled_from(["width", "quantile"]),
    bins=st.sampled_from(["auto", 2, 5]),
)
def test_any_sparse_matrix_ranks_as_its_dense_one(make, X, binning, bins):
    y = np.arange(X.shape[0]) % 2
    options = {"binning": binning, "bins": bins}
    assert_same_ranking(make(**options).fit(X, y), make(**options).fit(X.toarray(), y))


@pytest.mark.parametrize("make", METHODS)
@pytest.mark.parametrize("container", [sparse.csr_array, sparse.csc_matrix])
def test_counts_rank_as_dense_ones(make, container):
    X, y = counts()
    wanted = make(n_features_to_select=15).fit(X, y)
    got = make(n_features_to_select=15, n_jobs=2).fit(container(X), y)
    assert_same_ranking(got, wanted)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
@pytest.mark.parametrize("seed", range(3))
def test_fcq_ranks_as_dense_to_rounding(dtype, seed):
    rng = np.random.default_rng(seed)
    X, y = counts(seed=seed)
    X = np.where(X > 0, X + np.rint(rng.normal(size=X.shape) * 64) / 64, 0)
    X = (X * 64 if dtype is np.int32 else X).astype(dtype)
    X[:, 9] = X[:, 3] = 1 + X[:, 3]
    wanted = MRMR(criterion="fcq").fit(X, y)
    for container in (sparse.csr_array, sparse.csc_matrix):
        got = MRMR(criterion="fcq", n_jobs=2).fit(container(X), y)
        np.testing.assert_array_equal(got.order_, wanted.order_)
        rtol = 1e-4 if dtype is np.float32 else 1e-9
        np.testing.assert_allclose(got.criterion_, wanted.criterion_, rtol=rtol)


def test_duplicates_tie_under_fcq_however_they_are_stored():
    X, y = counts()
    first, second = sparse.csc_array(X), sparse.csc_array(X)
    second.data[::7] *= 0.5
    second = sparse.hstack([second, sparse.csc_array(X) - second], format="csc")
    halves = sparse.csc_array((second.data, second.indices % 400, second.indptr), second.shape)
    twice = sparse.csc_array(
        (
            np.concatenate([halves[:, [j]].data for i in range(40) for j in (i + 40, i)]),
            np.concatenate([halves[:, [j]].indices for i in range(40) for j in (i + 40, i)]),
            np.cumsum([0, *(halves[:, [i, i + 40]].nnz for i in range(40))]),
        ),
        (400, 40),
    )
    assert not twice.has_canonical_format
    ranker = MRMR(criterion="fcq").fit(sparse.hstack([first, twice], format="csc"), y)
    np.testing.assert_array_equal(ranker.relevance_[:40], ranker.relevance_[40:])
    assert np.all(ranker.ranking_[:40] < ranker.ranking_[40:])


@pytest.mark.parametrize("make", [MRMR, JMI, CMIM])
def test_memory_is_that_of_the_entries(make):
    """Dense codes would take 200 MB."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((100_000, 2_000), density=0.001, format="csr", rng=rng)
    y = np.arange(100_000) % 2
    tracemalloc.start()
    make(n_features_to_select=3, binning="quantile").fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60 * X.nnz
