"""Signals planted into a user's own values, to know which features are true."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.with_decoys import permuted_rows


def permuted_target(rng: np.random.Generator, y: Any, groups: Any = None) -> NDArray[Any]:
    """Return the target in an order that has nothing to do with the features."""
    return np.asarray(y)[permuted_rows(rng, len(y), groups)]


def planted(
    rng: np.random.Generator, X: Any, y: NDArray[Any], n_planted: int, effect: float, n_classes: int
) -> tuple[Any, NDArray[np.intp]]:
    """Return values in which some features depend on the target, and which features these are.

    One class, chosen for each feature, is shifted up or down by ``effect`` standard deviations of
    the feature. For regression (``n_classes`` is 0), a linear effect has the correlation that such
    a shift has for two classes of equal size. Features that are constant are not chosen.

    Parameters
    ----------
    rng : Generator
        The source of random choices.
    X : ndarray or sparse matrix of shape (n_samples, n_features)
        The values, which are not changed.
    y : ndarray of shape (n_samples,)
        Class codes or numbers.
    n_planted : int
        Number of features.
    effect : float
        Size of the effect, in standard deviations.
    n_classes : int
        Number of classes. 0 for regression.
    """
    is_dense = isinstance(X, np.ndarray)
    changed = (X.astype(np.float64) if is_dense else X.tolil()).copy()
    varying = varying_features(X)
    features = np.sort(rng.choice(varying, min(n_planted, len(varying)), replace=False))
    for feature in features:
        values = _column(X, feature)
        sizes = values.std() * effect * rng.choice([-1, 1])
        if n_classes:
            values = values + sizes * (y == rng.integers(n_classes))
        else:
            values = values + sizes * (y - y.mean()) / (2 * y.std())
        changed[:, feature] = values if is_dense else values[:, None]
    return (changed if is_dense else changed.tocsr()), features


def varying_features(X: Any) -> NDArray[np.intp]:
    """Return the features that are not constant."""
    if isinstance(X, np.ndarray):
        return np.flatnonzero(X.max(axis=0) > X.min(axis=0))
    extremes = (np.ravel(getattr(X, side)(axis=0).toarray()) for side in ("max", "min"))
    return np.flatnonzero(np.subtract(*extremes) > 0)


def _column(X: Any, feature: int) -> NDArray[np.float64]:
    column = X[:, feature] if isinstance(X, np.ndarray) else X[:, [feature]].toarray()[:, 0]
    return np.asarray(column, dtype=np.float64)
