"""Validation of rankings and sets of features given by users."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Subsets:
    """Sets of features, concatenated in ``members``, with their sizes."""

    members: Ints
    sizes: Ints
    n_features: int

    @classmethod
    def first(cls, orders: Ints, k: int, n_features: int) -> Subsets:
        """Return the first k features of each order."""
        return cls(orders[:, :k].reshape(-1), np.full(len(orders), k, dtype=np.int64), n_features)

    def counts(self) -> Ints:
        """Return the number of sets that contain each feature."""
        return np.bincount(self.members, minlength=self.n_features)

    def overlaps(self) -> Ints:
        """Return the size of the overlap of every two sets."""
        from scipy.sparse import csr_array

        ends = np.concatenate([[0], np.cumsum(self.sizes)])
        ones = np.ones(len(self.members), dtype=np.int64)
        member = csr_array((ones, self.members, ends), shape=(len(self.sizes), self.n_features))
        return (member @ member.T).toarray()

    def identical_lists(self, weights: NDArray[np.float64]) -> bool:
        """Whether the sets (all of one size) are identical wherever weights differ."""
        lists = self.members.reshape(len(self.sizes), -1)
        if np.ptp(weights) == 0:
            lists = np.sort(lists, axis=1)
        return bool((lists == lists[0]).all())


def checked_ks(ks: Sequence[int]) -> int:
    """Return the largest number of features. Reject anything but positive integers."""
    if len(ks) == 0:
        raise UsageError("ks is empty. Give at least one number of features.")
    for k in ks:
        if not isinstance(k, Integral) or isinstance(k, bool) or k < 1:
            raise UsageError(f"k must be a whole number of features from 1 on, got {k!r}.")
    return int(max(ks))


def top_lists(rankings: Iterable[Any], k: int, n_features: int | None) -> tuple[Ints, int]:
    """Return the top k features of every ranking as rows, and the number of features."""
    orders = [_order(ranking, f"ranking {i}") for i, ranking in enumerate(rankings)]
    _require_two(len(orders), "ranking")
    if n_features is None:
        n_features = len(orders[0])
        _require_permutations(orders, n_features)
    shortest = min(map(len, orders))
    if k > shortest:
        raise UsageError(
            f"k = {k} is more than the {shortest} features of the shortest ranking. "
            "Lower k, or pass longer lists."
        )
    for i, order in enumerate(orders):
        _require_members(order, n_features, f"ranking {i}")
    return np.array([order[:k] for order in orders]), int(n_features)


def as_subsets(subsets: Iterable[Any], n_features: int) -> Subsets:
    """Return sets given as indices or masks."""
    if not isinstance(n_features, Integral) or n_features < 1:
        raise UsageError(f"n_features must be a positive whole number, got {n_features!r}.")
    parts = []
    for i, subset in enumerate(subsets):
        parts.append(_indices(subset, int(n_features), f"subset {i}"))
        _require_members(parts[-1], int(n_features), f"subset {i}")
    _require_two(len(parts), "subset")
    sizes = np.array([len(part) for part in parts], dtype=np.int64)
    return Subsets(np.concatenate(parts), sizes, int(n_features))


def _order(values: Any, name: str) -> Ints:
    order = np.asarray(list(values) if isinstance(values, set | frozenset) else values)
    if order.ndim != 1:
        raise DataError(
            f"{name} has {order.ndim} dimensions. Expected one sequence of feature indices."
        )
    if order.size == 0:
        return np.empty(0, dtype=np.int64)
    if order.dtype.kind not in "iu":
        raise DataError(
            f"{name} holds values of type {order.dtype}. Expected feature indices, whole numbers "
            "from 0 on. For a fitted ranker: numpy.argsort(ranker.ranking_)."
        )
    return order.astype(np.int64, copy=False)


def _indices(subset: Any, n_features: int, name: str) -> Ints:
    if isinstance(subset, np.ndarray) and subset.dtype == bool:
        if subset.shape != (n_features,):
            raise DataError(
                f"{name} is a mask of shape {subset.shape}, but n_features is {n_features}."
            )
        return np.flatnonzero(subset)
    return _order(subset, name)


def _require_two(found: int, what: str) -> None:
    if found < 2:
        raise DataError(
            f"Stability compares at least two {what}s, got {found}. Rank several resamples of "
            "the rows, e.g. the training rows of each trial or fold."
        )


def _require_permutations(orders: list[Ints], n: int) -> None:
    for i, order in enumerate(orders):
        if len(order) != n:
            raise DataError(
                f"ranking {i} has {len(order)} features, ranking 0 has {n}. Rankings must order "
                "all features. For top lists, pass n_features, the number of all features."
            )
        if n and order.min() == 1 and order.max() == n:
            raise DataError(
                f"ranking {i} holds 1 to {n}, as ranks do. Pass orders of feature indices from 0 "
                "on, best first: numpy.argsort(ranker.ranking_)."
            )
        if n and order.max() >= n:
            raise DataError(
                f"ranking {i} holds the index {order.max()} but only {n} features. For top "
                "lists pass n_features, the number of all features."
            )


def _require_members(order: Ints, n_features: int, name: str) -> None:
    if order.size == 0:
        return
    if order.min() < 0 or order.max() >= n_features:
        bad = order.min() if order.min() < 0 else order.max()
        raise DataError(
            f"{name} holds the index {bad}. Expected 0 to {n_features - 1} for {n_features} "
            "features."
        )
    if np.bincount(order, minlength=1).max() > 1:
        raise DataError(f"{name} names feature {np.bincount(order).argmax()} more than once.")
