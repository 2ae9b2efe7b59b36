"""Lassos of several targets on the same features, with so many features in use."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.progress import tracked

from .lasso_path import FLOOR, TIE, Products, Search

# Features that a path is first sought among, for each that may be in use: those most correlated
# with the target. Where others would enter, so many times more are taken.
CANDIDATES, MORE = 12, 4
# All products of features are made at once where there are no more features than samples, nor
# than this many times those that may enter: one product of matrices is faster than many of vectors.
TOGETHER = 2


def lassos_at(X: Floats, targets: Floats, n_nonzero: int) -> Floats:
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
    for weights, target in zip(tracked(list(result.T)), targets.T, strict=True):
        places, found = _lasso(X, target, n_nonzero, known)
        weights[places] = found
    return result


def _lasso(
    X: Floats, target: Floats, n_nonzero: int, known: Floats | None
) -> tuple[NDArray[np.intp], Floats]:
    """Return the features in use and their weights."""
    products = target @ X
    if known is not None:
        return _last(Search(products, known.__getitem__, n_nonzero, ends_full=True))
    for places in _candidates(np.abs(products), n_nonzero):
        part = X.take(places, axis=1)
        search = Search(products[places], _by_products(part), n_nonzero, ends_full=True)
        if _holds_for_all(X, target, part, search):
            break
    used, weights = search.solution()
    return places[used], weights


def _last(search: Search) -> tuple[NDArray[np.intp], Floats]:
    while search.step():
        pass
    return search.solution()


def _by_products(X: Floats) -> Products:
    return lambda feature: X[:, feature] @ X


def _candidates(size: Floats, n_nonzero: int) -> Iterator[NDArray[np.intp]]:
    """More and more of the features that are most correlated with the target, at last all."""
    count = CANDIDATES * n_nonzero
    while 2 * count <= len(size):
        least = np.partition(size, -count)[-count]
        yield np.flatnonzero(size >= least * (1 - TIE))
        count *= MORE
    yield np.arange(len(size))


def _holds_for_all(X: Floats, target: Floats, part: Floats, search: Search) -> bool:
    """Follow the path of some features; return whether it is that of all of them.

    It is where no product with the residual passes the penalty. Both are linear in between two
    changes of the features in use, so that it is enough to look there.
    """
    if part.shape == X.shape:
        _last(search)
        return True
    penalties, weights = _changes(search, part.shape[1])
    products = (target - weights @ part.T) @ X
    highest = np.maximum(products.max(axis=1), -products.min(axis=1))
    return bool(np.all(highest <= penalties * (1 + TIE) + FLOOR * penalties[0]))


def _changes(search: Search, n_features: int) -> tuple[Floats, Floats]:
    """Penalties and weights wherever a feature enters or leaves, and at the end."""
    penalties, rows, going = [], [], True
    while going:
        going = search.step()
        row = np.zeros(n_features)
        row[search.used.places] = search.weights()
        penalties.append(search.penalty)
        rows.append(row)
    return np.array(penalties), np.array(rows)
