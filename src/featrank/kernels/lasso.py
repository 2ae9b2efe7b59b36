"""Typed wrapper of the kernel for the lasso path."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats, _featrank

# Returns the products of a feature with all features.
Products = Callable[[int], Floats]

# Penalties are tied if their relative difference is smaller. The lower index then enters first.
TIE: float = _featrank.LASSO_TIE
# A step returns these instead of an entering feature if the path has ended or a feature has left.
ENDED: int = _featrank.LASSO_ENDED
LEFT: int = _featrank.LASSO_LEFT


class LassoSearch:
    """State of a lasso path: the penalty, the active features, and the products of all others.

    Parameters
    ----------
    target : ndarray of shape (n_features,)
        Products of the features with the target.
    most : int
        Largest number of active features.
    floor : float
        The penalty at which the path ends.
    positive : bool
        Whether weights must be nonnegative.
    ends_full : bool
        Whether a path with ``most`` active features ends at the penalty of the next entry.
    """

    def __init__(self, target: Floats, most: int, floor: float, *, positive: bool, ends_full: bool):
        given = np.ascontiguousarray(target)
        self._path = _featrank.LassoPath(given, most, floor, positive, ends_full)

    def step(self, products: Products) -> int:
        """Go to the next change. Return the feature that may enter, LEFT or ENDED.

        The feature enters with its products, unless it is in the span of the active features.
        """
        feature = int(self._path.advance())
        if feature >= 0:
            self._path.enter(np.ascontiguousarray(products(feature)))
        return feature

    def follow(self, X: Floats) -> tuple[Floats, Floats]:
        """Go to the end. Return penalties and weights wherever a feature entered or left."""
        penalties, weights = self._path.follow(np.ascontiguousarray(X))
        return penalties, weights.reshape(len(penalties), X.shape[1])

    @property
    def penalty(self) -> float:
        """The current penalty."""
        return float(self._path.penalty)

    @property
    def n_entered(self) -> int:
        """Number of features that have entered."""
        return int(self._path.n_entered)

    @property
    def first_entries(self) -> tuple[NDArray[np.intp], Floats]:
        """Features in the order of their first entries, and the penalties at these entries."""
        return self._path.entered().astype(np.intp), self._path.entries()

    def solution(self) -> tuple[NDArray[np.intp], Floats]:
        """Return the features with nonzero weights, in ascending order, and the weights."""
        places = self._path.places().astype(np.intp)
        order = np.argsort(places)
        return places[order], self._path.weights()[order]
