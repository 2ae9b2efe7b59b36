"""Deterministic k-means clustering."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats

Labels = NDArray[np.intp]

MOST_ROUNDS = 100
# Iterations for the clusters of single features, and distances to centres in memory at a time.
ROUNDS, DISTANCES = 10, 2**20


def k_means(points: Floats, n_groups: int, labels: Labels | None = None) -> Labels:
    """Return cluster labels with at most the within-cluster sum of squares of the given ones.

    Centres start at points far from each other, the first one far from the mean, and at the given
    clusters. The better result is returned.

    Examples
    --------
    >>> k_means(np.array([[0.0], [9.0], [1.0], [8.0]]), 2)
    array([0, 1, 0, 1])
    """
    found = _settled(points, _far_apart(points, n_groups), n_groups)
    if labels is None:
        return found
    kept = _settled(points, labels, n_groups)
    return kept if within_spread(points, kept) <= within_spread(points, found) else found


def within_spread(points: Floats, labels: Labels) -> float:
    """Return the sum of squared distances to the cluster centres."""
    centres, _ = _centres(points, labels, int(labels.max()) + 1)
    return float(np.sum((points - centres[labels]) ** 2))


def group_projector(labels: Labels) -> Floats:
    """Return the matrix that replaces every sample by the mean of its cluster.

    Examples
    --------
    >>> group_projector(np.array([0, 1, 0]))
    array([[0.5, 0. , 0.5],
           [0. , 1. , 0. ],
           [0.5, 0. , 0.5]])
    """
    same = labels[:, None] == labels
    return same / same.sum(axis=1)


def single_spreads(X: Floats, n_groups: int) -> Floats:
    """Return the within-cluster sum of squares of clusterings by each feature alone.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 2.0], [5.0, 3.0]])
    >>> single_spreads(X, 2)
    array([0., 1.])
    """
    width = max(1, DISTANCES // (n_groups * len(X)))
    starts = range(0, X.shape[1], width)
    return np.concatenate([_single(X[:, start : start + width], n_groups) for start in starts])


def _single(X: Floats, n_groups: int) -> Floats:
    """Start at the midpoints of equally large parts of the sorted values."""
    centres = np.sort(X, axis=0)[(2 * np.arange(n_groups) + 1) * len(X) // (2 * n_groups)]
    for _ in range(ROUNDS):
        nearest = np.abs(X - centres[:, None]).argmin(axis=0)
        for group in range(n_groups):
            members = nearest == group
            counts = members.sum(axis=0)
            sums = np.where(members, X, 0.0).sum(axis=0)
            np.divide(sums, counts, out=centres[group], where=counts > 0)
    return np.asarray((np.abs(X - centres[:, None]).min(axis=0) ** 2).sum(axis=0))


def _far_apart(points: Floats, n_groups: int) -> Labels:
    nearest = np.sum((points - points.mean(axis=0)) ** 2, axis=1)
    labels = np.zeros(len(points), np.intp)
    for group in range(n_groups):
        squared = np.sum((points - points[nearest.argmax()]) ** 2, axis=1)
        closer = squared < nearest if group else np.ones(len(points), bool)
        labels[closer], nearest[closer] = group, squared[closer]
    return labels


def _settled(points: Floats, labels: Labels, n_groups: int) -> Labels:
    for _ in range(MOST_ROUNDS):
        centres, used = _centres(points, labels, n_groups)
        moved = used[np.sum((points[:, None] - centres[used]) ** 2, axis=2).argmin(axis=1)]
        if np.array_equal(moved, labels):
            break
        labels = moved
    return labels


def _centres(points: Floats, labels: Labels, n_groups: int) -> tuple[Floats, Labels]:
    """Return the cluster means, and which clusters have members."""
    counts = np.bincount(labels, minlength=n_groups)
    sums = [np.bincount(labels, column, n_groups) for column in points.T]
    return np.stack(sums, axis=1) / np.maximum(counts, 1)[:, None], np.flatnonzero(counts)
