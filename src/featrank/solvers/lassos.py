"""Lassos of several targets on the same features, with a given number of features in use."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank._utils.progress import report
from featrank.kernels import Floats
from featrank.kernels.lasso import ENDED, TIE, LassoSearch, Products
from featrank.solvers.lasso_path import FLOOR

# A path is first computed for the CANDIDATES · n_nonzero features most correlated with the target.
# If other features would enter, it uses MORE times as many, and then all.
CANDIDATES, MORE = 8, 3
# Neighbouring residuals of a path that share a bound, and features that are checked together.
NEIGHBOURS, PANEL = 5, 8192
# All products of features are computed at once if there are at most as many features as samples,
# and at most this many times those that may enter: one matrix product is faster than many vector
# products.
TOGETHER = 2


def lassos_at(X: Floats, targets: Floats, n_nonzero: int, n_jobs: int | None = None) -> Floats:
    """Return the last solutions of the lasso paths with at most ``n_nonzero`` features.

    They are the solutions for the λ at which one more feature would enter, or for λ = 0.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Centred columns. Columns of zeros never enter.
    targets : ndarray of shape (n_samples, n_targets)
        Centred targets.
    n_nonzero : int
        Maximum number of features with a weight.
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
    known = X.T @ X if X.shape[1] <= min(len(X), TOGETHER * n_nonzero * targets.shape[1]) else None
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

    threads.map_blocks(work, targets.shape[1], 1, n_jobs)
    report(targets.shape[1], targets.shape[1])
    return result


def _among_all(
    products: Floats, among: Products, n_nonzero: int
) -> tuple[NDArray[np.intp], Floats]:
    """Return the features in use and their weights, from products of one feature with all."""
    path = _path(products, n_nonzero)
    while path.step(among) != ENDED:
        pass
    return path.solution()


def _among_candidates(
    X: Floats, target: Floats, n_nonzero: int, longest: float
) -> tuple[NDArray[np.intp], Floats]:
    """Return the same from the path of a few features, if it holds for all features."""
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
    """Yield the features most correlated with the target, then a longer list."""
    for count in (CANDIDATES * n_nonzero, MORE * CANDIDATES * n_nonzero):
        if 2 * count > len(size):
            return
        least = np.partition(size, -count)[-count]
        if least == 0:  # and so are all others
            return
        yield np.flatnonzero(size >= least * (1 - TIE))


def _holds_for_all(X: Floats, residuals: Floats, penalties: Floats, longest: float) -> bool:
    """Return whether the path of some features is the path of all features.

    This holds if no product with the residual exceeds the penalty. Both are linear between two
    changes of the features in use, so checking the changes suffices.
    """
    highest = (penalties * (1 + TIE) + FLOOR * penalties[0])[:, np.newaxis]
    middle, room = _for_neighbours(residuals, penalties, longest)
    for columns in threads.blocks(X.shape[1], PANEL):
        panel = X[:, columns]
        undecided = np.flatnonzero((np.abs(middle @ panel) > room).any(axis=0))
        if 2 * len(undecided) < panel.shape[1]:
            panel = panel.take(undecided, axis=1)
        if (np.abs(residuals @ panel) > highest).any():
            return False
    return True


def _for_neighbours(residuals: Floats, penalties: Floats, longest: float) -> tuple[Floats, Floats]:
    """Return some residuals, and bounds below which a product exceeds no penalty near them.

    Between two residuals, a product changes by at most their distance times the norm of the
    feature, so one residual gives a bound for its neighbours.
    """
    place = np.arange(len(residuals)) // NEIGHBOURS
    middle = np.minimum(NEIGHBOURS * np.unique(place) + NEIGHBOURS // 2, len(residuals) - 1)
    distance = np.linalg.norm(residuals - residuals[middle][place], axis=1)
    room = np.full((len(middle), 1), np.inf)
    np.minimum.at(room[:, 0], place, penalties - longest * distance)
    return residuals[middle], room
