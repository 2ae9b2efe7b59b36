"""Projection onto the simplex, and neighbour probabilities."""

from __future__ import annotations

import numpy as np

from featrank.kernels import Floats

# The weight of the squares is at least this fraction of the mean distance, if neighbours coincide.
LEAST = 1e-10


def onto_simplex(rows: Floats) -> Floats:
    """Project each row onto the simplex: nonnegative entries that sum to 1.

    Examples
    --------
    >>> onto_simplex(np.array([[0.5, 0.7], [3.0, 1.0]]))
    array([[0.4, 0.6],
           [1. , 0. ]])
    """
    falling = -np.sort(-rows, axis=1)
    excess = np.cumsum(falling, axis=1) - 1
    used = np.count_nonzero(falling * np.arange(1, rows.shape[1] + 1) > excess, axis=1)
    shift = excess[np.arange(len(rows)), used - 1] / used
    return np.asarray(np.maximum(rows - shift[:, None], 0))


def squared_distances(points: Floats) -> Floats:
    """Return the squared distances of all pairs of rows, with zeros on the diagonal."""
    products = points @ points.T
    own = products.diagonal()
    squared = np.maximum(own[:, None] + own - 2 * products, 0)
    np.fill_diagonal(squared, 0)
    return squared


def neighbour_weight(squared: Floats, n_neighbors: int) -> float:
    """Return the weight μ that gives ``n_neighbors`` neighbours on average."""
    n_samples = len(squared)
    k = min(n_neighbors, n_samples - 2)
    mean = squared.sum() / max(n_samples * (n_samples - 1), 1)
    if k < 1:
        return float(mean) or 1.0
    near = np.sort(squared, axis=1)[:, 1 : k + 2]  # the first is the sample itself
    return float(max(np.mean(k * near[:, k] - near[:, :k].sum(axis=1)) / 2, LEAST * mean)) or 1.0


def neighbour_shares(squared: Floats, weight: float) -> Floats:
    r"""Return the neighbour probabilities P of each sample. Near samples get more.

    .. math:: \min_P \sum_{ij} d_{ij} P_{ij} + \mu P_{ij}^2, \qquad P \ge 0, \quad P 1 = 1,
        \quad P_{ii} = 0

    Examples
    --------
    >>> neighbour_shares(np.array([[0.0, 1, 2], [1, 0, 5], [2, 5, 0]]), 1.0)
    array([[0.  , 0.75, 0.25],
           [1.  , 0.  , 0.  ],
           [1.  , 0.  , 0.  ]])
    """
    n_samples = len(squared)
    others = ~np.eye(n_samples, dtype=bool)
    shares = np.zeros_like(squared)
    targets = squared[others].reshape(n_samples, n_samples - 1) / (-2 * weight)
    shares[others] = onto_simplex(targets).ravel()
    return shares


def graph_laplacian(weights: Floats) -> Floats:
    """Return D - W of the symmetric part of the weights, with the degrees D."""
    symmetric = (weights + weights.T) / 2
    return np.asarray(np.diag(symmetric.sum(axis=1)) - symmetric)
