"""Typed wrapper of the kernel that follows the path of the lasso."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank

# Gives the products of a feature with all features.
Products = Callable[[int], Floats]

# Penalties that differ by less than this part are equal: the lower index enters first.
TIE: float = _featrank.LASSO_TIE
# What a step returns besides the entering feature: the path has ended, or a feature has left.
ENDED: int = _featrank.LASSO_ENDED
LEFT: int = _featrank.LASSO_LEFT


class LassoSearch:
    """The penalty, the features in use there, and what is known of all others.

    Parameters
    ----------
    target : ndarray of shape (n_features,)
        Products of the features and what is to be explained.
    most : int
        Most features in use at once.
    floor : float
        The penalty at which the path ends.
    positive : bool
        Whether weights must not be negative.
    ends_full : bool
        Whether the path ends, at the penalty of the next entry, when it is full.
    """

    def __init__(self, target: Floats, most: int, floor: float, *, positive: bool, ends_full: bool):
        given = np.ascontiguousarray(target)
        self._path = _featrank.LassoPath(given, most, floor, positive, ends_full)

    def step(self, products: Products) -> int:
        """Go to the next change: return the feature that has come to enter, LEFT or ENDED.

        It enters by its products with all features, unless it is in the span of those in use.
        """
        feature = int(self._path.advance())
        if feature >= 0:
            self._path.enter(np.ascontiguousarray(products(feature)))
        return feature

    def follow(self, X: Floats) -> tuple[Floats, Floats]:
        """Go to the end; return penalties and weights wherever a feature entered or left."""
        penalties, weights = self._path.follow(np.ascontiguousarray(X))
        return penalties, weights.reshape(len(penalties), X.shape[1])

    @property
    def penalty(self) -> float:
        """Where the path is."""
        return float(self._path.penalty)

    @property
    def n_entered(self) -> int:
        """How many features have entered."""
        return int(self._path.n_entered)

    @property
    def first_entries(self) -> tuple[NDArray[np.intp], Floats]:
        """Features in the order of their first entries, and the penalties of the entries."""
        return self._path.entered().astype(np.intp), self._path.entries()

    def solution(self) -> tuple[NDArray[np.intp], Floats]:
        """Return the features with a weight, in ascending order, and their weights."""
        places = self._path.places().astype(np.intp)
        order = np.argsort(places)
        return places[order], self._path.weights()[order]
