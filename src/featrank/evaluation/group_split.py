"""Splits that hold whole groups out: drawn at random, the classes about as in all rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

# Sets of groups that are drawn for a split, to find some with all classes on both sides; and how
# many of those the best balanced is taken of. With more, few groups would be cut in the same way in
# every trial.
DRAWS, BALANCED = 20, 2


def group_split(
    y: NDArray[np.intp], groups: NDArray[np.intp], share: float, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return training and test rows, of which no group is on both sides.

    scikit-learn's ``StratifiedGroupKFold`` deals out groups by their composition, and its seed only
    decides between equal ones: groups of different sizes would give one split for all trials.

    Parameters
    ----------
    y, groups : ndarray of shape (n_samples,)
        Codes from 0 on of classes and of groups.
    share : float
        Share of the rows that are held out, as near as whole groups allow.
    seed : int
        What the draws depend on.

    Examples
    --------
    >>> import numpy as np
    >>> y, groups = np.array([0, 1] * 6), np.repeat(np.arange(4), 3)
    >>> train, test = group_split(y, groups, 1 / 3, seed=0)
    >>> len(train), len(test)
    (9, 3)
    """
    counts = np.zeros((groups.max() + 1, y.max() + 1))
    np.add.at(counts, (groups, y), 1)
    if len(counts) < 2:
        raise DataError("All rows are in one group. Two groups at least were expected.")
    random = np.random.default_rng(seed)
    drawn = [_draw(counts.sum(axis=1), share, random) for _ in range(DRAWS)]
    faults = [_faults(counts, chosen, share) for chosen in drawn]
    # Sorting keeps the order of equals, so that these are the first ones drawn.
    usable = sorted(range(DRAWS), key=lambda draw: faults[draw][0])[:BALANCED]
    held_out = np.isin(groups, drawn[min(usable, key=faults.__getitem__)])
    return np.flatnonzero(~held_out), np.flatnonzero(held_out)


def _draw(sizes: NDArray[Any], share: float, random: np.random.Generator) -> NDArray[np.intp]:
    """Return groups in random order until they hold about the share of the rows."""
    order = random.permutation(len(sizes))
    rows = sizes[order].cumsum()
    return order[: 1 + np.abs(rows[:-1] - share * rows[-1]).argmin()]


def _faults(counts: NDArray[Any], chosen: NDArray[np.intp], share: float) -> tuple[int, float]:
    """Return how many classes are on one side alone, and how far all are from the share."""
    held = counts[chosen].sum(axis=0) / counts.sum(axis=0)
    return int(((held == 0) | (held == 1)).sum()), float(np.abs(held - share).sum())
