"""Standardised features against NumPy's correlations."""

import numpy as np
import pytest

from featrank.kernels.contingency import Gathered
from featrank.pairwise.correlation import Correlation


def standardised(X, **options):
    mean = X.mean(axis=0, dtype=np.float64)
    lengths = np.linalg.norm(X - mean, axis=0)
    scale = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 1e-9)
    return Correlation.of(X, mean, scale, **{"n_jobs": None, **options})


@pytest.fixture
def X():
    X = np.random.default_rng(0).normal(3, 2, size=(50, 9))
    X[:, 5] = X[:, 1] - 0.3 * X[:, 5]
    return X


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_products_are_correlations(X, n_jobs, monkeypatch):
    monkeypatch.setattr("featrank.pairwise.correlation.CALL_VALUES", 100)
    values = standardised(X, n_jobs=n_jobs).values
    np.testing.assert_allclose(values @ values.T, np.corrcoef(X.T), atol=1e-12)


def test_precision_is_that_of_the_samples_and_a_constant_is_zero(X):
    X[:, 3] = 0.5
    single = standardised(X.astype(np.float32)).values
    assert single.dtype == np.float32
    assert not single[3].any()
    assert standardised(np.rint(X).astype(int)).values.dtype == np.float64


def test_best_quotient_is_that_of_a_plain_loop(X):
    statistic = np.random.default_rng(1).uniform(1, 2, 9)
    chosen, candidates = np.array([1, 6]), np.array([0, 2, 3, 4, 5, 7, 8])
    size = np.abs(np.corrcoef(X.T))[np.ix_(candidates, chosen)].mean(axis=1)
    expected = statistic[candidates] / size
    gathered = Gathered.of(np.zeros(9))
    place, value = standardised(X).best_quotient(statistic, 0.0, chosen, candidates, gathered)
    assert place == np.argmax(expected)
    assert value == pytest.approx(expected.max())
