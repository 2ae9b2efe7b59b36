"""A row of weight w counts as w equal rows, for every method that takes weights."""

import inspect

import numpy as np
import pytest

from featrank import ECFS, FisherScore, MutualInformation, methods
from featrank.exceptions import DataError

WEIGHTED = [
    cls for cls in methods().values() if "sample_weight" in inspect.signature(cls.fit).parameters
]
VARIANTS = [
    FisherScore(),
    FisherScore(class_weighted=True),
    MutualInformation(),
    MutualInformation(binning="quantile", normalized=True),
    ECFS(alpha=0.8),
    ECFS(kernel="toolbox", normalize=None, binning="quantile"),
]


@pytest.fixture
def data():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 60)
    X = rng.gamma(2, 1, (60, 25)) + 0.5 * y[:, None] * (np.arange(25) < 5)
    X[:, 5:8] = rng.poisson(3, (60, 3))
    return X, y, rng.integers(0, 4, 60)


def test_the_summary_based_methods_take_weights():
    assert {ECFS, FisherScore, MutualInformation} <= set(WEIGHTED)


@pytest.mark.parametrize("ranker", VARIANTS, ids=str)
def test_weights_are_repeated_rows(data, ranker):
    X, y, weights = data
    weighted = ranker.fit(X, y, sample_weight=weights).scores_
    rows = np.repeat(np.arange(len(y)), weights)
    repeated = ranker.fit(X[rows], y[rows]).scores_
    np.testing.assert_allclose(weighted, repeated, rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("ranker", VARIANTS, ids=str)
def test_weights_of_one_change_nothing(data, ranker):
    X, y, _ = data
    weighted = ranker.fit(X, y, sample_weight=np.ones(len(y))).scores_
    np.testing.assert_allclose(weighted, ranker.fit(X, y).scores_, rtol=1e-12, atol=1e-15)


def test_a_class_without_weight_is_not_there(data):
    X, y, _ = data
    ranker = FisherScore().fit(X, y, sample_weight=(y != 2).astype(float))
    np.testing.assert_array_equal(ranker.classes_, [0, 1])
    np.testing.assert_allclose(ranker.scores_, FisherScore().fit(X[y != 2], y[y != 2]).scores_)


def test_rows_without_weight_may_hold_anything(data):
    X, y, _ = data
    weights = np.ones(len(y))
    weights[3] = 0
    spoiled = X.copy()
    spoiled[3] = np.nan
    expected = FisherScore().fit(X, y, sample_weight=weights).scores_
    np.testing.assert_array_equal(
        FisherScore().fit(spoiled, y, sample_weight=weights).scores_, expected
    )


@pytest.mark.parametrize("weights", [-1.0, np.nan])
def test_impossible_weights_are_rejected(data, weights):
    X, y, _ = data
    with pytest.raises(ValueError, match=r"[Ww]eight"):
        FisherScore().fit(X, y, sample_weight=np.full(len(y), weights))


def test_weights_that_are_shares_are_rejected_with_the_way_out(data):
    X, y, _ = data
    with pytest.raises(
        DataError, match=r"Multiply the weights.*`sample_weight=weights / weights\.mean\(\)`"
    ):
        FisherScore().fit(X, y, sample_weight=np.full(len(y), 1 / len(y)))
