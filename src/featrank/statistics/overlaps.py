"""How much the best features of each two methods have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from featrank.exceptions import UsageError

__all__ = ["Agreement", "ranking_overlap"]

Ranks = Mapping[str, Mapping[str, int]]


class Ranked(Protocol):
    """Results that rank features on all rows, such as a comparison."""

    @property
    def methods(self) -> Sequence[str]:
        """Names of the methods."""

    @property
    def ks(self) -> Sequence[int]:
        """The numbers of features."""

    def features(self) -> Any:
        """Return a polars frame with ``method``, ``feature`` and ``rank``, null where unknown."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """What the best k features of methods have in common.

    Attributes
    ----------
    methods : list of str
        Those that rank features on all rows.
    k : int
        How many features count.
    n_features : int
        How many there are.
    overlaps : list of list of float
        The share of the best k that two methods have in common, methods × methods.
    ranks : dict of str to dict of str to int
        The rank of each feature by each method; 1 is best.
    """

    methods: list[str]
    k: int
    n_features: int
    overlaps: list[list[float]]
    ranks: Ranks

    @property
    def chance(self) -> float:
        """The share that two random choices have in common, on average."""
        return self.k / self.n_features

    def closest(self, method: str) -> str:
        """Return the method that agrees most with one, of several the first."""
        own = self.methods.index(method)
        others = [place for place in range(len(self.methods)) if place != own]
        return self.methods[max(others, key=lambda place: self.overlaps[own][place])]

    def points(self, first: str, second: str, top: int) -> list[tuple[str, int, int]]:
        """Return features with their ranks by two methods, best by either one first."""
        own, other = self.ranks[first], self.ranks[second]
        nearest = sorted(own, key=lambda name: (min(own[name], other[name]), own[name]))
        return [(name, own[name], other[name]) for name in nearest[:top]]


def ranking_overlap(results: Ranked, k: int | None = None) -> Agreement:
    """Return how much the best k features of each two methods have in common, on all rows.

    Parameters
    ----------
    results : Comparison, or whatever has ``methods``, ``ks`` and ``features``
        Methods without ranks are left out.
    k : int or None, default=None
        How many features count; None is the most that the results ask for, and at most half of
        the features: all of them would always agree.

    Examples
    --------
    >>> import polars as pl
    >>> from types import SimpleNamespace
    >>> from featrank.statistics import ranking_overlap
    >>> frame = pl.DataFrame({"method": ["mi"] * 4 + ["fisher"] * 4, "feature": list("abcdabcd"),
    ...                       "rank": [1, 2, 3, 4, 1, 4, 2, 3]})
    >>> results = SimpleNamespace(methods=["mi", "fisher"], ks=(2,), features=lambda: frame)
    >>> found = ranking_overlap(results)
    >>> found.k, found.overlaps[0], found.chance
    (2, [1.0, 0.5], 0.5)
    """
    ranks: dict[str, dict[str, int]] = {}
    for method, feature, rank in results.features().select("method", "feature", "rank").iter_rows():
        if rank is not None:
            ranks.setdefault(method, {})[feature] = rank
    methods = [name for name in results.methods if name in ranks]
    n_features = len(ranks[methods[0]]) if methods else 0
    count = min(results.ks[-1], max(1, n_features // 2)) if k is None else k
    _require_within(count, n_features)
    best = {name: {f for f, rank in ranks[name].items() if rank <= count} for name in methods}
    overlaps = [[len(best[a] & best[b]) / count for b in methods] for a in methods]
    return Agreement(methods, count, n_features, overlaps, ranks)


def _require_within(k: int, n_features: int) -> None:
    if n_features and not 1 <= k <= n_features:
        raise UsageError(
            f"k = {k} is not within the {n_features} features. Give a number from 1 to "
            f"{n_features}."
        )
