import tracemalloc

import numpy as np
import pytest
from scipy.stats import spearmanr

from featrank.exceptions import UsageError
from featrank.graph import CorrelationDistance
from featrank.graph import correlation as module

RNG = np.random.default_rng(0)


def samples(n_features=30, n_samples=25):
    """Ties, copies, mirrored and stretched features among others."""
    X = RNG.normal(size=(n_samples, n_features)).round(1)
    X[:, 1] = X[:, 0]
    X[:, 2] = -X[:, 0]
    X[:, 3] = X[:, 0] ** 3
    return X


def distance(X):
    return 1 - np.abs(spearmanr(X).statistic)


@pytest.fixture(params=[5, 128])
def panels(request, monkeypatch):
    """Panels that cut the matrix, and one that holds all of it."""
    monkeypatch.setattr(module, "PANEL", request.param)
    monkeypatch.setattr(module, "COLUMNS", request.param)


@pytest.mark.usefixtures("panels")
@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("n_features", [4, 30, 41])
def test_equals_spearman(stored, n_features):
    X, vector = samples(n_features), RNG.normal(size=n_features)
    graph = CorrelationDistance(X, stored=stored)
    np.testing.assert_allclose(graph.to_dense(), distance(X), atol=1e-14)
    np.testing.assert_allclose(graph.product(vector), distance(X) @ vector, atol=1e-12)
    np.testing.assert_allclose(graph.rows(slice(2, 4)), distance(X)[2:4], atol=1e-14)


@pytest.mark.usefixtures("panels")
def test_stored_and_computed_anew_have_equal_bits():
    X, vector = samples(), RNG.normal(size=30)
    kept, anew = (CorrelationDistance(X, stored=stored).product(vector) for stored in (True, False))
    np.testing.assert_array_equal(kept, anew)


def test_threads_change_no_bit(monkeypatch):
    monkeypatch.setattr(module, "PANEL", 4)
    X, vector = samples(), RNG.normal(size=30)
    one, three = (CorrelationDistance(X, n_jobs=n).product(vector) for n in (1, 3))
    np.testing.assert_array_equal(one, three)


def test_single_precision():
    X, vector = samples(), RNG.random(30)
    single = CorrelationDistance(X, dtype="float32")
    np.testing.assert_allclose(single.product(vector), distance(X) @ vector, rtol=1e-6)
    assert np.abs(single.product(vector) - distance(X) @ vector).max() > 0


def test_equal_ranks_get_equal_bits_and_no_distance():
    product = CorrelationDistance(samples()).product(RNG.normal(size=30))
    assert len(set(product[:4])) == 1
    assert not CorrelationDistance(np.tile(RNG.normal(size=(9, 1)), 6)).product(np.ones(6)).any()


def test_a_constant_is_far_from_all():
    X = samples()
    X[:, [7, 9]] = 2.5
    graph = CorrelationDistance(X)
    np.testing.assert_array_equal(graph.to_dense()[[7, 9]], 1)
    np.testing.assert_allclose(graph.product(np.ones(30))[[7, 9]], 30)


@pytest.mark.parametrize("dtype", [np.int32, np.float16, np.float32, ">f8", bool])
def test_types_of_samples(dtype):
    X = (samples() > 0).astype(dtype) if dtype is bool else samples().round().astype(dtype)
    np.testing.assert_allclose(
        CorrelationDistance(X).to_dense(), distance(X.astype(float)), atol=1e-14
    )


def test_features_whose_keys_collide_are_still_told_apart(monkeypatch):
    monkeypatch.setattr(
        module, "unit_ranks", lambda block, out: module_ranks(block, out) // np.uint64(2**62)
    )
    X = samples()
    np.testing.assert_allclose(CorrelationDistance(X).to_dense(), distance(X), atol=1e-14)


module_ranks = module.unit_ranks


def test_memory():
    """Half a matrix if it is kept, a panel if not; the ranks beside it."""
    n_features, n_samples = 1500, 20
    X = RNG.normal(size=(n_samples, n_features))

    def peak(**kwargs):
        tracemalloc.start()
        CorrelationDistance(X, dtype="float32", **kwargs).product(np.ones(n_features))
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    square = 4 * n_features**2
    assert peak(stored=True) < 0.65 * square
    assert peak(stored=False) < 0.2 * square


def test_a_vector_is_rejected():
    with pytest.raises(UsageError, match="two dimensions, got 1"):
        CorrelationDistance(np.ones(3))
