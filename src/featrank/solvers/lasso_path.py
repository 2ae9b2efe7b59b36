"""The exact lasso path: the penalty at which each feature enters."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.kernels.lasso import ENDED, LassoSearch, Products

# The path ends at this fraction of the largest penalty. Below it, rounding errors dominate.
FLOOR = 1e-8


class Path(NamedTuple):
    """A lasso path.

    ``order`` lists the features in the order of their first entry, ``penalties`` the λ of each
    first entry, ``used`` and ``weights`` the features with a weight at the end of the path.
    """

    order: NDArray[np.intp]
    penalties: Floats
    used: NDArray[np.intp]
    weights: Floats


def lasso_path(
    target: Floats,
    products: Products,
    *,
    most: int,
    rank: int,
    positive: bool = False,
    least: float = 0.0,
    on_entry: Callable[[int], None] = lambda entered: None,
) -> Path:
    r"""Follow the solution of the lasso from the largest penalty downwards.

    .. math:: \min_\beta\ \tfrac12 \lVert y - \sum_j \beta_j x_j \rVert^2 + \lambda
        \sum_j |\beta_j|

    Between two changes of the set A of features in use the weights are linear in λ,
    :math:`\beta_A = G_{AA}^{-1} (b_A - \lambda s_A)` with the products :math:`G = X^\top X`,
    :math:`b = X^\top y` and the signs s, and so is each feature's product with the residual. A
    feature enters where that product reaches λ and leaves where its weight reaches 0 [1]_ [2]_.

    Parameters
    ----------
    target : ndarray of shape (n_features,)
        Products b of the features and y.
    products : callable
        Returns the products of feature j with all features.
    most : int
        The path ends when this many features have entered, or when λ is close to 0.
    rank : int
        Bound on the rank of X, and so on the number of features in use at once.
    positive : bool, default=False
        Whether weights must not be negative.
    least : float, default=0.0
        The path ends when λ falls to this value.
    on_entry : callable
        Called with the number of entered features whenever one enters.

    References
    ----------
    .. [1] M. R. Osborne, B. Presnell and B. A. Turlach, "A new approach to variable selection in
       least squares problems", IMA Journal of Numerical Analysis 20 (2000).
    .. [2] B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, "Least angle regression", Annals
       of Statistics 32 (2004).

    Examples
    --------
    >>> X, y = np.array([[2.0, 1, 0], [0, 1, 0], [0, 0, 1]]), np.array([2.0, 1, -1])
    >>> path = lasso_path(X.T @ y, lambda j: X.T @ X[:, j], most=3, rank=3)
    >>> path.order, path.penalties.round(3)
    (array([0, 1, 2]), array([4., 2., 1.]))
    >>> path.used, path.weights.round(3)
    (array([0, 1, 2]), array([0.5, 0.5, 0. ]))
    """
    floor = max(FLOOR * np.max(target if positive else np.abs(target), initial=0.0), least)
    path = LassoSearch(target, min(most, rank), floor, positive=positive, ends_full=False)
    while path.n_entered < most and path.step(products) != ENDED:
        on_entry(path.n_entered)
    return Path(*path.first_entries, *path.solution())
