import numpy as np
import pytest
from scipy.linalg import eigh

from featrank.solvers.sparse_rows import (
    FLOOR,
    orthogonal_projection,
    row_lengths,
    uncorrelated_projection,
)


def parts(n_samples, n_features, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    X -= X.mean(axis=0)
    root = rng.normal(size=(n_samples, n_samples))
    return X, root @ root.T / n_samples, rng.uniform(0.1, 2, size=n_features)


def cost(W, X, L, lengths, weight):
    squares = np.sum(W**2, axis=1)
    return np.trace(W.T @ X.T @ L @ X @ W) + weight * np.sum(squares / (2 * lengths))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("weight", [0.01, 1.0, 50.0])
def test_the_projection_is_that_of_the_dense_problem(count, weight):
    X, L, lengths = parts(30, 8)
    W, F = uncorrelated_projection(X, L, lengths, weight, count)
    dense = X.T @ L @ X + np.diag(weight / (2 * lengths))
    values, vectors = eigh(dense, X.T @ X, subset_by_index=[0, count - 1])
    assert cost(W, X, L, lengths, weight) == pytest.approx(values.sum(), rel=1e-10)
    np.testing.assert_allclose(W @ W.T, vectors @ vectors.T, atol=1e-10)
    np.testing.assert_allclose(F, X @ W, atol=1e-10)
    np.testing.assert_allclose(F.T @ F, np.eye(count), atol=1e-10)


@pytest.mark.parametrize("count", [1, 3])
def test_more_features_than_samples(count):
    """The dense problem on W = X'·a, weighted: all other W project to the same at a higher cost."""
    X, L, lengths = parts(12, 50)
    W, F = uncorrelated_projection(X, L, lengths, 0.7, count)
    np.testing.assert_allclose(X @ W, F, atol=1e-10)
    np.testing.assert_allclose(F.T @ F, np.eye(count), atol=1e-10)
    basis = (2 * lengths[:, None] * X.T)[:, :-1]  # the samples sum to 0
    dense = X.T @ L @ X + np.diag(0.7 / (2 * lengths))
    left, right = basis.T @ dense @ basis, basis.T @ X.T @ X @ basis
    values = eigh(left, right, eigvals_only=True, subset_by_index=[0, count - 1])
    assert cost(W, X, L, lengths, 0.7) == pytest.approx(values.sum(), rel=1e-8)
    rng = np.random.default_rng(1)
    for _ in range(20):  # and so does W beside the null space of X
        aside = rng.normal(size=W.shape)
        aside -= np.linalg.pinv(X) @ (X @ aside)
        assert cost(W + 0.1 * aside, X, L, lengths, 0.7) > cost(W, X, L, lengths, 0.7)


def test_no_more_columns_than_there_is_rank():
    X, L, _ = parts(10, 4)
    X[:, 2:] = X[:, :2]
    for features in (X, np.tile(X, 5)):
        W, F = uncorrelated_projection(features, L, np.ones(features.shape[1]), 1.0, 3)
        assert W.shape[1] == F.shape[1] == 2


def test_reweighting_lowers_the_norm_itself():
    X, L, lengths = parts(40, 15)
    values = []
    for _ in range(30):
        W, F = uncorrelated_projection(X, L, lengths, 3.0, 2)
        lengths = row_lengths(W)
        values.append(np.trace(F.T @ L @ F) + 3.0 * np.linalg.norm(W, axis=1).sum())
    assert (np.diff(values) <= 1e-12 * values[0]).all()
    assert (lengths < 10 * FLOOR).sum() > 5


def test_rows_of_little_length_keep_their_digits():
    """A row's length is that of its pull times its last length, however small that is."""
    X, L, lengths = parts(20, 60)
    lengths[5:] = 1e-10
    W, F = uncorrelated_projection(X, L, lengths, 1.0, 1)
    value = np.trace(F.T @ L @ F) + np.sum(W**2 / (2 * lengths[:, None]))
    wanted = 2 * lengths[:, None] * (X.T @ (value * F - L @ F))
    np.testing.assert_allclose(W, wanted, rtol=1e-6)


def test_no_orthogonal_projection_is_worse_than_its_start():
    rng = np.random.default_rng(0)
    for shape in [(25, 10), (10, 60)]:
        X, L, lengths = parts(*shape)
        lengths[::3] = FLOOR
        dense = X.T @ L @ X + np.diag(2.0 / (2 * lengths))
        for _ in range(10):
            start = np.linalg.qr(rng.normal(size=(shape[1], 2)))[0]
            W = orthogonal_projection(X, L, lengths, 2.0, start)
            assert np.trace(W.T @ dense @ W) < np.trace(start.T @ dense @ start)
