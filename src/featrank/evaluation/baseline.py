"""The random ranking that every comparison includes as a baseline."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.base.ranker import Floats, Ranker

#: The name of the baseline in the results, which no other method may have.
BASELINE = "random"


def random_tops(n_features: int, top: int, count: int, seed: int) -> list[NDArray[np.int64]]:
    """Return the first ``top`` features of random rankings.

    Examples
    --------
    >>> [len(set(order.tolist())) for order in random_tops(100, 10, 3, seed=0)]
    [10, 10, 10]
    """
    random = np.random.default_rng([seed, count])
    return [random.choice(n_features, top, replace=False) for _ in range(count)]


class RandomRanking(Ranker):
    """Rank features at random, whatever their values.

    It is not in the registry of methods, because its ranking is of no use by itself.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    random_state : int or None, default=None
        Same seed and number of features, same ranking.

    Examples
    --------
    >>> RandomRanking(random_state=1).fit([[0, 5, 2], [1, 8, 2]]).ranking_
    array([3, 2, 1])
    """

    name = BASELINE
    supervised = False
    stochastic = True
    complexity = "O(n)"
    published_complexity = "O(n)"
    reference = "folklore"

    def __init__(
        self, n_features_to_select: int | float | None = None, *, random_state: int | None = None
    ):
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _score(self, X: Any, y: Any) -> Floats:
        order = np.random.default_rng(self.random_state).permutation(X.shape[1])
        return order.astype(np.float64)
