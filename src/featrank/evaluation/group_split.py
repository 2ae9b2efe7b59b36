"""Splits that hold out whole groups in turn and keep the class proportions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

# Number of random deals, and of candidates with the fewest one-sided classes. The best balanced
# candidate is used; with more candidates, few groups would always be dealt in the same way.
DEALS, BALANCED = 20, 4

Rows = NDArray[np.intp]


def n_parts(groups: Rows, share: float) -> int:
    """Return the number of parts that groups are dealt into; each is held out in turn."""
    known = len(np.unique(groups))
    if known < 2:
        raise DataError("All rows are in one group. Use a grouping with at least two groups.")
    return max(2, min(round(1 / share), known))


def group_split(y: Rows, groups: Rows, parts: int, part: int, seed: int) -> tuple[Rows, Rows]:
    """Return training and test rows that share no group.

    Groups are dealt into parts at random. scikit-learn's ``StratifiedGroupKFold`` deals them by
    composition, and its seed only breaks ties. Groups of different sizes would give the same
    split for all seeds.

    Parameters
    ----------
    y, groups : ndarray of shape (n_samples,)
        Codes of classes and groups, from 0.
    parts : int
        Number of parts of about equal size.
    part : int
        The part to hold out. If it leaves more classes on one side only than another part would,
        one of the best parts is drawn at random instead.
    seed : int
        Seed of the deal.

    Examples
    --------
    >>> import numpy as np
    >>> y, groups = np.array([0, 1] * 6), np.repeat(np.arange(4), 3)
    >>> [group_split(y, groups, 3, part, seed=0)[1].tolist() for part in range(3)]
    [[6, 7, 8], [0, 1, 2, 3, 4, 5], [9, 10, 11]]
    """
    counts = np.zeros((groups.max() + 1, y.max() + 1))
    np.add.at(counts, (groups, y), 1)
    random = np.random.default_rng(seed)
    deals = [_deal(counts.sum(axis=1), parts, random) for _ in range(DEALS)]
    each = [[_faults(counts, deal == place, parts) for place in range(parts)] for deal in deals]
    # Sorting is stable, so ties go to the deals drawn first.
    usable = sorted(range(DEALS), key=lambda deal: sum(lack for lack, _ in each[deal]))[:BALANCED]
    best = min(usable, key=lambda deal: sum(far for _, far in each[deal]))
    least = min(lack for deal in usable for lack, _ in each[deal])
    if each[best][part][0] > least:
        places = [(d, p) for d in usable for p in range(parts) if each[d][p][0] == least]
        best, part = places[random.integers(len(places))]
    held_out = deals[best][groups] == part
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)


def _deal(sizes: NDArray[Any], parts: int, random: np.random.Generator) -> Rows:
    """Return the part of each group; parts have about equal size, and none is empty."""
    order = random.permutation(len(sizes))
    middle = sizes[order].cumsum() - sizes[order] / 2
    dealt = np.minimum((middle / sizes.sum() * parts).astype(np.intp), parts - 1)
    if len(np.unique(dealt)) < parts:
        dealt = np.arange(len(sizes)) * parts // len(sizes)
    parts_of_groups = np.empty(len(sizes), dtype=np.intp)
    parts_of_groups[order] = dealt
    return parts_of_groups


def _faults(counts: NDArray[Any], in_part: NDArray[np.bool_], parts: int) -> tuple[int, float]:
    """Return the number of one-sided classes, and the deviation from the class proportions."""
    held = counts[in_part].sum(axis=0) / counts.sum(axis=0)
    return int(((held == 0) | (held == 1)).sum()), float(np.abs(held - 1 / parts).sum())
