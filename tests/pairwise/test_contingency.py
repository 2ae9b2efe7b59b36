"""Information in binned features and pairs of them, against scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score

from featrank.kernels import BinArrays, Groups
from featrank.pairwise.contingency import Contingency

N_BINS = 6


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 150)
    X = rng.normal(size=(150, 12)) + 0.7 * (y == 1)[:, None]
    X[:, 4] = 2.5
    X[:, 7] = X[:, 2] ** 3
    return X, y


def width_bins(X):
    low, step = X.min(axis=0), np.ptp(X, axis=0) / N_BINS
    number = np.where(step > 0, N_BINS, 1).astype(np.int32)
    return BinArrays(low - 1e-12, np.where(step > 0, step, 1.0), number)


def codes_of(X, kind):
    if kind == "width":
        low, step, number = width_bins(X)
        return np.minimum(((X - low) // step).astype(int), number - 1)
    ranks = X.argsort(axis=0).argsort(axis=0)
    return np.where(np.ptp(X, axis=0) > 0, ranks * N_BINS // len(X), 0)


def tables_of(X, y, kind, **options):
    bins = width_bins(np.asarray(X.todense()) if sparse.issparse(X) else X)
    return Contingency.of(X, Groups.of(y, 3), bins if kind == "width" else N_BINS, **options)


@pytest.mark.parametrize("kind", ["width", "content"])
def test_information_is_that_of_scikit_learn(data, kind):
    X, y = data
    codes, tables = codes_of(X, kind), tables_of(X, y, kind)
    candidates, s = np.array([9, 0, 4, 7]), 2
    own = [entropy(np.bincount(c)) for c in codes.T]
    np.testing.assert_allclose(tables.entropy(), own, atol=1e-12)
    assert tables.class_entropy() == pytest.approx(entropy(np.bincount(y)))
    relevance = [mutual_info_score(c, y) for c in codes.T]
    np.testing.assert_allclose(tables.relevance(), relevance, atol=1e-12)
    shared = [mutual_info_score(codes[:, f], codes[:, s]) for f in candidates]
    np.testing.assert_allclose(tables.redundancy(s, candidates), shared, atol=1e-12)
    joint = [mutual_info_score(codes[:, f] * N_BINS + codes[:, s], y) for f in candidates]
    np.testing.assert_allclose(tables.joint_relevance(s, candidates), joint, atol=1e-12)
    states = codes[np.argsort(y, kind="stable"), s].astype(np.uint32)
    np.testing.assert_allclose(tables.set_relevance(states, candidates), joint, atol=1e-12)


@pytest.mark.parametrize("kind", ["width", "content"])
def test_threads_blocks_and_storage_change_nothing(data, kind, monkeypatch):
    X, y = data
    wanted = tables_of(X, y, kind)
    monkeypatch.setattr("featrank.pairwise.contingency.CALL_ROWS", 300)
    for got in (tables_of(X, y, kind, n_jobs=2), tables_of(sparse.csc_matrix(X), y, kind)):
        np.testing.assert_array_equal(got.arrays.codes, wanted.arrays.codes)
        np.testing.assert_array_equal(got.marginal, wanted.marginal)
        np.testing.assert_array_equal(got.by_class, wanted.by_class)


def test_no_candidates_have_no_information(data):
    X, y = data
    tables = tables_of(X, y, "width")
    assert tables.redundancy(0, np.empty(0, np.int64)).shape == (0,)
