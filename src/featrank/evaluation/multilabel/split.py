"""A stratified split of multi-label samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from featrank.base.ranker import Floats


def held_out(
    Y: NDArray[np.bool_], share: float, seed: int, groups: NDArray[np.intp] | None = None
) -> NDArray[np.bool_]:
    """Return which samples are test samples, about ``share`` of each label and of all samples.

    Iterative stratification [1]_: the label with the fewest remaining samples is distributed
    first, each sample to the side that needs that label most. Groups stay together.

    Parameters
    ----------
    Y : array of bool of shape (n_samples, n_labels)
        Which sample has which label.
    share : float
        Share of test samples.
    seed : int
        Same seed, same split.
    groups : array of int of shape (n_samples,), optional
        Codes from 0.

    References
    ----------
    .. [1] K. Sechidis, G. Tsoumakas, I. Vlahavas, "On the stratification of multi-label data",
       ECML PKDD (2011).

    Examples
    --------
    >>> Y = np.eye(3, dtype=bool)[[0, 0, 0, 1, 1, 1, 2, 2, 2]]
    >>> Y[held_out(Y, 1 / 3, seed=0)].sum(axis=0).tolist()
    [1, 1, 1]
    """
    codes = np.arange(len(Y)) if groups is None else groups
    counts = np.zeros((codes.max() + 1, Y.shape[1] + 1))
    np.add.at(counts, codes, np.column_stack([Y, np.ones(len(Y))]))
    side = _dealt(counts, share, np.random.default_rng(seed))
    return np.asarray(side[codes] == 1)


def _dealt(counts: Floats, share: float, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the side of each row of counts, whose last column counts samples.

    That column is distributed last, for the samples without any label.
    """
    lacking = np.outer([1 - share, share], counts.sum(axis=0))
    side, order = np.full(len(counts), -1), rng.permutation(len(counts))
    left = counts.sum(axis=0)
    while left[-1] > 0:
        labels = np.flatnonzero(left[:-1])
        label = labels[np.argmin(left[labels])] if len(labels) else -1
        waiting = order[(side[order] < 0) & (counts[order, label] > 0)]
        for item in waiting[np.argsort(-counts[waiting, label], kind="stable")]:
            side[item] = _lacks_more(lacking, label)
            lacking[side[item]] -= counts[item]
            left -= counts[item]
    return side


def _lacks_more(lacking: Floats, label: int) -> int:
    # Rounded, because equal sums of thirds can differ in their last bits.
    train, test = (tuple(row.round(6)) for row in lacking[:, [label, -1]])
    return int(test > train)
