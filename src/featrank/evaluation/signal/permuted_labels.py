"""Permutations of the target that keep the structure of the groups."""

from __future__ import annotations

from math import lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

# With so few arrangements, no p-value below 0.05 exists.
FEWEST_ARRANGEMENTS = 20
ROUNDING = 1e-9
# How labels are permuted, for messages and results.
ROWS, WITHIN, WHOLE = "rows", "within groups", "whole groups"

Target = NDArray[Any]


def permutation_kind(y: Target, groups: NDArray[Any] | None) -> str:
    """Return how to permute: rows, rows within their groups, or the labels of whole groups.

    Groups whose label varies, such as batches, keep their labels. If most rows belong to groups
    with one label, such as patients with several samples, whole groups exchange labels.
    """
    if groups is None:
        return ROWS
    mixed = np.array([len(np.unique(y[groups == g])) > 1 for g in range(int(groups.max()) + 1)])
    return WITHIN if mixed[groups].mean() >= 0.5 else WHOLE


def permute_labels(
    y: Target, groups: NDArray[Any] | None, kind: str, random: np.random.Generator
) -> Target:
    """Return the permuted target.

    Examples
    --------
    >>> y, groups = np.array([0, 0, 1, 1, 0, 0]), np.array([0, 0, 1, 1, 2, 2])
    >>> permuted = permute_labels(y, groups, "whole groups", np.random.default_rng(0))
    >>> permuted[::2].tolist() == permuted[1::2].tolist(), int(permuted.sum())
    (True, 2)
    """
    if kind == ROWS or groups is None:
        return random.permutation(y)
    permuted = y.copy()
    if kind == WITHIN:
        for rows in _rows_by_group(groups):
            permuted[rows] = random.permutation(y[rows])
        return permuted
    for members in _exchangeable(y, _rows_by_group(groups)):
        for to, source in zip(members, random.permutation(len(members)), strict=True):
            permuted[to] = _stretched(y[members[source]], len(to))
    return permuted


def count_arrangements(y: Target, groups: NDArray[Any] | None, kind: str) -> float:
    """Return the natural logarithm of the number of distinct permutations of the target."""
    if kind == ROWS or groups is None:
        return _log_arrangements(y)
    rows = _rows_by_group(groups)
    if kind == WITHIN:
        return sum(_log_arrangements(y[each]) for each in rows)
    return sum(
        _log_arrangements(np.array([hash(y[each].tobytes()) for each in _same_length(y, members)]))
        for members in _exchangeable(y, rows)
    )


def can_reject(y: Target, groups: NDArray[Any] | None, kind: str) -> bool:
    """Return whether there are enough arrangements for a p-value below 0.05."""
    return count_arrangements(y, groups, kind) > log(FEWEST_ARRANGEMENTS) + ROUNDING


def _rows_by_group(groups: NDArray[Any]) -> list[NDArray[np.intp]]:
    return [np.flatnonzero(groups == g) for g in np.unique(groups)]


def _exchangeable(y: Target, rows: list[NDArray[np.intp]]) -> list[list[NDArray[np.intp]]]:
    """Return sets of groups that can exchange labels: all, or those of equal size.

    Groups of different sizes can exchange labels if each has a single label.
    """
    if all(len(np.unique(y[each])) == 1 for each in rows):
        return [rows]
    sizes = {len(each) for each in rows}
    return [[each for each in rows if len(each) == size] for size in sorted(sizes)]


def _stretched(labels: Target, size: int) -> Target:
    """Return the labels of a group for a group of another size, which all have one label."""
    return labels if len(labels) == size else np.full(size, labels[0])


def _same_length(y: Target, members: list[NDArray[np.intp]]) -> list[list[int]]:
    size = min(map(len, members))
    return [each[:size] for each in members]  # type: ignore[misc]


def _log_arrangements(values: Target) -> float:
    counts = np.unique(values, return_counts=True)[1]
    return lgamma(len(values) + 1) - sum(lgamma(count + 1) for count in counts)
