"""Tables of blocks of rows, counted apart and added up, are those of all rows in memory."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

from featrank import CMIM, JMI, MIFS, MRMR
from featrank.exceptions import UsageError
from featrank.kernels import Groups
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.pair_tables import NLogN
from featrank.pairwise.row_blocks import CodeBlock, RowBlockContingency
from featrank.summaries.columns import RowClasses, column_moments
from featrank.summaries.histogram import Bins

from .test_sparse_contingency import assert_same_tables

N_BINS = 12


class Elsewhere:
    """Works on pickled copies in threads, and merges two results at random while there are."""

    def __init__(self, seed=0):
        self.rng = np.random.default_rng(seed)
        self.sent = []

    def fold(self, work, parts, merge):
        assert all(isinstance(part.place, str) for part in parts)  # engines tell where they are
        self.sent.append(len(pickle.dumps(work)))
        copy = pickle.loads(pickle.dumps(work))
        with ThreadPoolExecutor(2) as pool:
            states = list(pool.map(copy, parts))
        while len(states) > 1:
            one, other = (states.pop(self.rng.integers(len(states))) for _ in range(2))
            states.append(merge(one, other))
        return states[0]


def sample(n_samples=300, n_features=20):
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 3, n_samples))  # blocks that lack a class
    X = rng.normal(size=(n_samples, n_features)) + 0.4 * (y == 1)[:, None]
    X[:, ::3] = rng.poisson(2, X[:, ::3].shape)
    X[:, 4], X[:, 6] = 1.5, X[:, 1]
    return X, y


def bins_of(X, y):
    moments = column_moments(X, RowClasses(y, 3))
    return Bins.of(moments.low, moments.high, moments.whole, X.dtype, N_BINS).arrays


def row_blocks(X, y, n_blocks, engine, container=np.asarray):
    """Rows at random in blocks, the first of which is empty."""
    bins = bins_of(X, y)
    order = np.random.default_rng(n_blocks).permutation(len(y))
    parts = [
        CodeBlock.of(container(X[rows]), y[rows], 3, bins)
        for rows in ([], *np.array_split(order, n_blocks))
    ]
    sizes = {"n_features": X.shape[1], "n_classes": 3, "n_bins": N_BINS}
    return RowBlockContingency.of(parts, engine, **sizes)


@pytest.mark.parametrize("n_blocks", [1, 7])
@pytest.mark.parametrize("most_bytes", [2**26, 8 * 3 * N_BINS**2 * 6])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_sums_are_those_in_memory(n_blocks, most_bytes, container, monkeypatch):
    monkeypatch.setattr("featrank.pairwise.row_blocks.MOST_BYTES", most_bytes)
    X, y = sample()
    wanted = Contingency.of(X, Groups.of(y, 3), bins_of(X, y))
    assert_same_tables(wanted, row_blocks(X, y, n_blocks, Elsewhere(), container))


@pytest.mark.parametrize("make", [MRMR, lambda **p: MRMR(criterion="miq", **p), MIFS, JMI, CMIM])
def test_rankings_are_those_in_memory_and_little_is_sent(make):
    X, y = sample()
    wanted = make(n_features_to_select=12, bins=N_BINS).fit(X, np.array(["a", "b", "c"])[y])
    engine = Elsewhere()
    tables = row_blocks(X, y, 5, engine)
    got = make(n_features_to_select=12).fit_tables(tables, wanted.classes_)
    np.testing.assert_array_equal(got.scores_, wanted.scores_)
    np.testing.assert_array_equal(got.criterion_, wanted.criterion_)
    np.testing.assert_array_equal(got.classes_, wanted.classes_)
    assert got.transform(X).shape == (300, 12)
    assert len(engine.sent) == 13  # the classes, each feature alone, each choice but the last
    assert max(engine.sent) < 300


def test_names_of_an_earlier_fit_are_forgotten():
    import pandas as pd

    X, y = sample()
    ranker = JMI().fit(pd.DataFrame(X[:, :3], columns=["a", "b", "c"]), y)
    ranker.fit_tables(row_blocks(X, y, 2, Elsewhere()), [0, 1, 2])
    assert ranker.get_feature_names_out()[0] == "x0"


def test_tables_tell_no_correlations():
    tables = row_blocks(*sample(), 2, Elsewhere())
    with pytest.raises(UsageError, match="fcq"):
        MRMR(criterion="fcq").fit_tables(tables, [0, 1, 2])


def test_large_counts_are_not_looked_up_but_the_same(monkeypatch):
    counts = np.arange(3000)
    wanted = NLogN(2999)(counts)
    np.testing.assert_array_equal(wanted, NLogN(2999).table)
    monkeypatch.setattr("featrank.pairwise.pair_tables.LOOKED_UP", 100)
    monkeypatch.setattr("featrank.pairwise.pair_tables.TOGETHER", 64)
    np.testing.assert_array_equal(NLogN(2999)(counts.reshape(3, 1000)).ravel(), wanted)
