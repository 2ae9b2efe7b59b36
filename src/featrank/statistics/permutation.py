"""The p-value of a permutation test that stops early."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["SequentialP", "sequential_p_value"]

#: The test stops after this many permutations that score at least as well as the data.
ENOUGH = 20
# Scores that differ by rounding errors are equal.
ROUNDING = 1e-9


class SequentialP(NamedTuple):
    """A p-value, the permutations that it is based on, and how many scored as well."""

    p_value: float
    permutations: int
    exceeding: int


def sequential_p_value(observed: float, permuted: Any, enough: int = ENOUGH) -> SequentialP:
    """Return the exact p-value of a score among the scores of permuted data, larger is better.

    Permutations are counted in the given order. If ``enough`` of the first l score at least as
    well as the data, the test stops there and p is ``enough`` / l. Otherwise p is (1 + b) /
    (1 + m) for b of all m permutations. Both are valid p-values [1]_. A permutation without a
    score (NaN) counts as scoring as well.

    Parameters
    ----------
    observed : float
        The score of the data.
    permuted : array-like of shape (n_permutations,)
        The scores of the permuted data.
    enough : int, default=20
        When to stop.

    References
    ----------
    .. [1] J. Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991).

    Examples
    --------
    >>> from featrank.statistics import sequential_p_value
    >>> sequential_p_value(0.9, [0.5] * 199)
    SequentialP(p_value=0.005, permutations=199, exceeding=0)
    >>> sequential_p_value(0.5, [0.4, 0.6, 0.7, 0.4, 0.3], enough=2)
    SequentialP(p_value=0.6666666666666666, permutations=3, exceeding=2)
    """
    below = np.asarray(permuted, dtype=np.float64) < observed - ROUNDING
    counts = np.cumsum(~below)
    stops = np.flatnonzero(counts == enough)
    if len(stops):
        used = int(stops[0]) + 1
        return SequentialP(enough / used, used, enough)
    total, exceeding = len(below), int(counts[-1]) if len(below) else 0
    return SequentialP((1 + exceeding) / (1 + total), total, exceeding)
