"""The overlap of the top features of each pair of methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from featrank.exceptions import UsageError

__all__ = ["Agreement", "ranking_overlap"]

Ranks = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, eq=False)
class Agreement:
    """The overlap of the top k features of methods.

    Attributes
    ----------
    methods : list of str
        The methods with a ranking of all rows.
    k : int
        Number of top features.
    n_features : int
        Number of all features.
    overlaps : list of list of float
        The share of the top k that two methods have in common, methods × methods.
    ranks : dict of str to dict of str to int
        The rank of each feature by each method. 1 is best.
    """

    methods: list[str]
    k: int
    n_features: int
    overlaps: list[list[float]]
    ranks: Ranks

    @property
    def chance(self) -> float:
        """The mean overlap of two random rankings."""
        return self.k / self.n_features

    def closest(self, method: str) -> str:
        """Return the method with the largest overlap with another. Ties go to the first."""
        own = self.methods.index(method)
        others = [place for place in range(len(self.methods)) if place != own]
        return self.methods[max(others, key=lambda place: self.overlaps[own][place])]

    def points(self, first: str, second: str, top: int) -> list[tuple[str, int, int]]:
        """Return features with their ranks by two methods, best rank by either first."""
        own, other = self.ranks[first], self.ranks[second]
        nearest = sorted(own, key=lambda name: (min(own[name], other[name]), own[name]))
        return [(name, own[name], other[name]) for name in nearest[:top]]


def ranking_overlap(results: Any, k: int | None = None) -> Agreement:
    """Return the overlap of the top k features of each pair of methods, on all rows.

    Parameters
    ----------
    results : Comparison, or any object with ``methods``, ``n_features`` and ``features()``
        ``features()`` returns a polars frame with ``method``, ``feature`` and ``rank``. Methods
        without ranks are omitted.
    k : int or None, default=None
        Number of top features. None is the largest of ``n_features``, but at most half of the
        features, because all features always agree.

    Examples
    --------
    >>> import polars as pl
    >>> from types import SimpleNamespace
    >>> from featrank.statistics import ranking_overlap
    >>> frame = pl.DataFrame({"method": ["mi"] * 4 + ["fisher"] * 4, "feature": list("abcdabcd"),
    ...                       "rank": [1, 2, 3, 4, 1, 4, 2, 3]})
    >>> results = SimpleNamespace(methods=["mi", "fisher"], n_features=(2,), features=lambda: frame)
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
    count = min(results.n_features[-1], max(1, n_features // 2)) if k is None else k
    _require_within(count, n_features)
    best = {name: {f for f, rank in ranks[name].items() if rank <= count} for name in methods}
    overlaps = [[len(best[a] & best[b]) / count for b in methods] for a in methods]
    return Agreement(methods, count, n_features, overlaps, ranks)


def _require_within(k: int, n_features: int) -> None:
    if n_features and not 1 <= k <= n_features:
        raise UsageError(
            f"k = {k} is not within the {n_features} features. Use a number from 1 to {n_features}."
        )
