"""Splits that hold whole groups out, each in its turn, the classes about as in all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

# Ways to deal groups out that are tried, to find those with all classes on both sides; and how many
# of these the best balanced is taken of. With more, few groups would be dealt in one way only.
DEALS, BALANCED = 20, 4

Rows = NDArray[np.intp]


def n_parts(groups: Rows, share: float) -> int:
    """Return into how many parts groups are dealt, each of which is held out in its turn."""
    known = len(np.unique(groups))
    if known < 2:
        raise DataError("All rows are in one group. Two groups at least were expected.")
    return max(2, min(round(1 / share), known))


def group_split(y: Rows, groups: Rows, parts: int, part: int, seed: int) -> tuple[Rows, Rows]:
    """Return training and test rows, of which no group is on both sides.

    Groups are dealt into parts at random. scikit-learn's ``StratifiedGroupKFold`` deals them by
    their composition, and its seed only decides between equal ones: groups of different sizes would
    give one cut for all seeds.

    Parameters
    ----------
    y, groups : ndarray of shape (n_samples,)
        Codes from 0 on of classes and of groups.
    parts : int
        How many parts there are, of about as many rows each.
    part : int
        Which of them is held out; where more classes than need be would be on one side alone,
        another part, drawn at random.
    seed : int
        What the deal depends on.

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
    # Sorting keeps the order of equals, so that these are the first ones dealt.
    usable = sorted(range(DEALS), key=lambda deal: sum(lack for lack, _ in each[deal]))[:BALANCED]
    chosen = min(usable, key=lambda deal: sum(far for _, far in each[deal]))
    least = min(lack for deal in usable for lack, _ in each[deal])
    if each[chosen][part][0] > least:
        places = [(d, p) for d in usable for p in range(parts) if each[d][p][0] == least]
        chosen, part = places[random.integers(len(places))]
    held_out = deals[chosen][groups] == part
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)


def _deal(sizes: NDArray[Any], parts: int, random: np.random.Generator) -> Rows:
    """Return the part of each group; parts have about as many rows, and none is empty."""
    order = random.permutation(len(sizes))
    middle = sizes[order].cumsum() - sizes[order] / 2
    dealt = np.minimum((middle / sizes.sum() * parts).astype(np.intp), parts - 1)
    if len(np.unique(dealt)) < parts:
        dealt = np.arange(len(sizes)) * parts // len(sizes)
    found = np.empty(len(sizes), dtype=np.intp)
    found[order] = dealt
    return found


def _faults(counts: NDArray[Any], chosen: NDArray[np.bool_], parts: int) -> tuple[int, float]:
    """Return how many classes are on one side alone, and how far all are from their share."""
    held = counts[chosen].sum(axis=0) / counts.sum(axis=0)
    return int(((held == 0) | (held == 1)).sum()), float(np.abs(held - 1 / parts).sum())
