"""Lassos of several targets on the same features, with so many features in use."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from featrank.engines import local
from featrank.kernels import Floats
from featrank.kernels.lasso import ENDED, TIE, LassoSearch
from featrank.progress import report

from .lasso_path import FLOOR, Products

# Features that a path is first sought among, for each that may be in use: those most correlated
# with the target. Where others would enter, so many times more are taken.
CANDIDATES, MORE = 8, 3
# Residuals along a path of which one answers for all.
NEIGHBOURS = 5
# All products of features are made at once where there are no more features than samples, nor
# than this many times those that may enter: one product of matrices is faster than many of vectors.
TOGETHER = 2


def lassos_at(X: Floats, targets: Floats, n_nonzero: int, n_jobs: int | None = None) -> Floats:
    """Return the last solutions of the lasso paths that have at most ``n_nonzero`` features in use.

    They are those for the λ at which one more would enter, or for λ = 0.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Columns of mean 0; those that are 0 never enter.
    targets : ndarray of shape (n_samples, n_targets)
        What is to be explained, of mean 0.
    n_nonzero : int
        Most features with a weight.
    n_jobs : int, optional
        Threads that share the targets.

    Returns
    -------
    ndarray of shape (n_features, n_targets)
        The weights.

    Examples
    --------
    >>> X, y = np.array([[2.0, 1, 0], [0, 1, 0], [0, 0, 1]]), np.array([2.0, 1, -1])
    >>> lassos_at(X, y[:, np.newaxis], 1)
    array([[0.5],
           [0. ],
           [0. ]])
    """
    result = np.zeros((X.shape[1], targets.shape[1]))
    few = min(len(X), TOGETHER * n_nonzero * targets.shape[1])
    known = X.T @ X if X.shape[1] <= few else None
    longest = float(np.sqrt(np.einsum("tj,tj->j", X, X).max(initial=0.0)))
    done = list[int]()

    def work(columns: slice) -> None:
        target = targets[:, columns.start]
        if known is not None:
            places, found = _among_all(target @ X, known.__getitem__, n_nonzero)
        else:
            places, found = _among_candidates(X, target, n_nonzero, longest)
        result[places, columns.start] = found
        done.append(columns.start)
        report(len(done), targets.shape[1])

    local.map_blocks(work, targets.shape[1], 1, n_jobs)
    report(targets.shape[1], targets.shape[1])
    return result


def _among_all(
    products: Floats, among: Products, n_nonzero: int
) -> tuple[NDArray[np.intp], Floats]:
    """Return the features in use and their weights, by products of one feature with all."""
    path = _path(products, n_nonzero)
    while (feature := path.advance()) != ENDED:
        if feature >= 0:
            path.enter(among(feature))
    return path.solution()


def _among_candidates(
    X: Floats, target: Floats, n_nonzero: int, longest: float
) -> tuple[NDArray[np.intp], Floats]:
    """Return the same from the path of a few features, if it is that of all."""
    products = target @ X
    for places in _candidates(np.abs(products), n_nonzero):
        part, path = X.take(places, axis=1), _path(products[places], n_nonzero)
        penalties, weights = path.follow(part)
        if _holds_for_all(X, target - weights @ part.T, penalties, longest):
            used, found = path.solution()
            return places[used], found
    return _among_all(products, lambda feature: X[:, feature] @ X, n_nonzero)


def _path(products: Floats, n_nonzero: int) -> LassoSearch:
    floor = FLOOR * np.abs(products).max(initial=0.0)
    return LassoSearch(products, n_nonzero, floor, positive=False, ends_full=True)


def _candidates(size: Floats, n_nonzero: int) -> Iterator[NDArray[np.intp]]:
    """More and more of the features that are most correlated with the target."""
    count = CANDIDATES * n_nonzero
    while 2 * count <= len(size):
        least = np.partition(size, -count)[-count]
        yield np.flatnonzero(size >= least * (1 - TIE))
        count *= MORE


def _holds_for_all(X: Floats, residuals: Floats, penalties: Floats, longest: float) -> bool:
    """Return whether the path of some features is that of all of them.

    It is where no product with the residual passes the penalty. Both are linear in between two
    changes of the features in use, so that it is enough to look there.
    """
    doubtful = X.take(_doubtful(X, residuals, penalties, longest), axis=1)
    products = np.abs(residuals @ doubtful).max(axis=1, initial=0.0)
    return bool(np.all(products <= penalties * (1 + TIE) + FLOOR * penalties[0]))


def _doubtful(X: Floats, residuals: Floats, penalties: Floats, longest: float) -> NDArray[np.intp]:
    """Return the features whose products may pass a penalty: few, for most are far below it.

    A product changes from one residual to another by no more than the distance of these times the
    length of the feature, so that one of some neighbouring residuals answers for all of them.
    """
    place = np.arange(len(residuals)) // NEIGHBOURS
    middle = np.minimum(NEIGHBOURS * np.unique(place) + NEIGHBOURS // 2, len(residuals) - 1)
    distance = np.linalg.norm(residuals - residuals[middle][place], axis=1)
    room = np.full(len(middle), np.inf)
    np.minimum.at(room, place, penalties - longest * distance)
    products = np.abs(residuals[middle] @ X)
    return np.flatnonzero((products > room[:, np.newaxis]).any(axis=0))
