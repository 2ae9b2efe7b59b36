"""Gram matrices of single features over many samples, as products of thin factors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.solvers.hsic_panels import AT_ONCE, FEWEST, inverse_root

# Typical number of columns of a factor, as similarities by one feature are smooth. It can grow.
USUAL_RANK = 20
# Fraction of the trace that a factor may leave unexplained.
UNEXPLAINED = 1e-11


class Factors:
    """All samples in one block, and matrices of low rank."""

    def __init__(self, n_samples: int):
        self.numbers = USUAL_RANK * n_samples
        self.width = max(FEWEST, min(256, AT_ONCE // self.numbers))

    def panel(self, values: Floats) -> FactorPanel:
        """Return the matrices of features with unit variance."""
        return FactorPanel(_centred(gaussian_factors(np.ascontiguousarray(values.T))))

    def of_regression_target(self, values: Floats) -> Floats:
        """Return the centred factor of a target with unit variance."""
        return _centred(gaussian_factors(values[np.newaxis]))[0]

    def of_classes(self, y: NDArray[np.integer]) -> Floats:
        """Return the factor of classes: one row each, 1/√size for its samples."""
        sizes = np.bincount(y)[:, np.newaxis]
        members = np.arange(len(sizes))[:, np.newaxis] == y
        return _centred((members / np.sqrt(sizes))[np.newaxis])[0]


class FactorPanel(NamedTuple):
    """Centred factors of some features: by feature, column of the factor, and sample."""

    factors: Floats

    @property
    def nbytes(self) -> int:
        """Return its size in bytes."""
        return self.factors.nbytes

    def matrix(self, place: int) -> Floats:
        """Return the factor of one of the features."""
        return np.asarray(self.factors[place])

    def products(self, matrix: Floats) -> Floats:
        """Return the inner product of each feature with a matrix: ⟨FFᵀ, GGᵀ⟩ = ‖FᵀG‖²."""
        n_features, _, n_samples = self.factors.shape
        inner = self.factors.reshape(-1, n_samples) @ matrix.T
        return np.asarray(np.square(inner).reshape(n_features, -1).sum(axis=1))


def gaussian_factors(values: Floats) -> Floats:
    """Return factors of the Gaussian kernel of each row of values: by row, column, sample.

    All pivoted Cholesky factorisations are computed together, each up to a rank that explains
    almost all of its trace. Shorter ones are padded with zeros.
    """
    rows, rank = np.arange(len(values)), 0
    factors = np.empty((len(values), USUAL_RANK, values.shape[1]))
    rest, enough = np.ones_like(values), UNEXPLAINED * values.shape[1]
    while (unfinished := rest.sum(axis=1) > enough).any():
        if rank == factors.shape[1]:
            factors = np.concatenate([factors, np.empty_like(factors)], axis=1)
        pivot, column = rest.argmax(axis=1), factors[:, rank]
        np.subtract(values, values[rows, pivot, np.newaxis], out=column)
        np.exp(-0.5 * column**2, out=column)
        known = factors[:, :rank]
        column -= np.matmul(known[rows, :, pivot][:, np.newaxis], known)[:, 0]
        column /= np.sqrt(np.where(unfinished, rest[rows, pivot], np.inf))[:, np.newaxis]
        rest = np.maximum(rest - column**2, 0.0)
        rank += 1
    return factors[:, :rank]


def _centred(factors: Floats) -> Floats:
    """Return the factors of the centred matrices with unit norm."""
    factors = factors - factors.mean(axis=2, keepdims=True)
    square = np.square(np.matmul(factors, factors.transpose(0, 2, 1))).sum(axis=(1, 2))
    scale = np.sqrt(inverse_root(square, factors.shape[2]))
    return np.asarray(factors * scale[:, np.newaxis, np.newaxis])
