"""Eigenvectors of a diagonal plus a product, against a dense solver."""

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.sparse import csr_array

from featrank.solvers.low_rank import ByFeatures, BySamples, diagonal_plus, smallest_vectors


def parts(n_samples, n_features, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    root = rng.normal(size=(n_samples, n_samples)) * (rng.random((n_samples, n_samples)) < 0.1)
    B = csr_array(root @ root.T / n_samples)
    product = X.T @ (B @ X)
    return X, B, product, rng.uniform(0.5, 2, n_features) * product.diagonal().mean()


@pytest.mark.parametrize("shape", [(20, 60), (40, 300), (300, 250)])
def test_both_are_the_same_matrix(shape):
    X, B, product, diagonal = parts(*shape)
    dense = product + np.diag(diagonal)
    vectors = np.random.default_rng(1).normal(size=(shape[1], 3))
    for matrix in (BySamples(X, B, product.diagonal(), diagonal), ByFeatures(product, diagonal)):
        np.testing.assert_allclose(matrix.diagonal, dense.diagonal())
        np.testing.assert_allclose(matrix.multiply(vectors), dense @ vectors, atol=1e-9)
        np.testing.assert_allclose(matrix.solve(dense @ vectors), vectors, atol=1e-8)


@pytest.mark.parametrize("shape", [(40, 150), (40, 300), (300, 250)])
@pytest.mark.parametrize("made", [False, True])
def test_a_dense_solver_finds_the_same(shape, made):
    X, B, product, diagonal = parts(*shape)
    _, wanted = eigh(product + np.diag(diagonal), subset_by_index=(0, 3))
    matrix = diagonal_plus(diagonal, X, B, product if made else None, product.diagonal())
    found = smallest_vectors(matrix, 4)
    np.testing.assert_allclose(found.T @ found, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(found @ found.T, wanted @ wanted.T, atol=1e-6)
    near = smallest_vectors(matrix, 4, found + 1e-3)
    np.testing.assert_allclose(near @ near.T, wanted @ wanted.T, atol=1e-6)


def test_quotients_do_not_rise_from_the_start(monkeypatch):
    monkeypatch.setattr("featrank.solvers.low_rank.STEPS", 1)
    X, B, product, diagonal = parts(40, 300)
    dense = product + np.diag(diagonal)
    start = np.linalg.qr(np.random.default_rng(1).normal(size=(300, 4)))[0]
    found = smallest_vectors(BySamples(X, B, product.diagonal(), diagonal), 4, start)
    assert np.trace(found.T @ dense @ found) < np.trace(start.T @ dense @ start)
