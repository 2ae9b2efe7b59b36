"""Groups of correlated features, and an order that puts them next to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Clusters", "correlation_clusters"]

Floats = NDArray[np.float64]

# The smallest mean absolute correlation within a group.
THRESHOLD = 0.8


@dataclass(frozen=True, eq=False)
class Clusters:
    """Features in an order that puts correlated ones next to each other.

    Attributes
    ----------
    features : list of str
        The names, in that order.
    correlations : ndarray of shape (n_features, n_features)
        Pearson's r in the same order. 0 if unknown.
    groups : list of list of str
        The groups of two or more correlated features.
    threshold : float
        The smallest mean absolute correlation within a group.
    """

    features: list[str]
    correlations: Floats
    groups: list[list[str]]
    threshold: float = THRESHOLD


def correlation_clusters(pairs: Iterable[Mapping[str, Any]]) -> Clusters:
    """Return features ordered by hierarchical clustering: average linkage on 1 - ``|r|``.

    Parameters
    ----------
    pairs : iterable of mapping
        ``feature``, ``other`` and ``r``, as the rows of ``Comparison.correlations``. Each pair
        once. None and NaN (constant features) count as 0.

    Examples
    --------
    >>> from featrank.statistics import correlation_clusters
    >>> found = correlation_clusters([{"feature": "a", "other": "b", "r": 0.1},
    ...                   {"feature": "a", "other": "c", "r": -0.9},
    ...                   {"feature": "b", "other": "c", "r": 0.0}])
    >>> found.features, found.groups
    (['b', 'a', 'c'], [['a', 'c']])
    """
    rows = list(pairs)
    names = list(dict.fromkeys(name for row in rows for name in (row["feature"], row["other"])))
    table = _table(names, rows)
    order, groups = _clustered(table)
    return Clusters(
        [names[place] for place in order],
        table[np.ix_(order, order)],
        [[names[place] for place in group] for group in groups],
    )


def _table(names: list[str], rows: list[Mapping[str, Any]]) -> Floats:
    place = {name: number for number, name in enumerate(names)}
    table = np.eye(len(names))
    for row in rows:
        i, j = place[row["feature"]], place[row["other"]]
        table[i, j] = table[j, i] = 0.0 if row["r"] is None else row["r"]
    return np.nan_to_num(table)


def _clustered(correlations: Floats) -> tuple[list[int], list[list[int]]]:
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(correlations) < 2:
        return list(range(len(correlations))), []
    distances = np.clip(1 - np.abs(correlations), 0, None)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average")
    order = leaves_list(tree).tolist()
    flat = fcluster(tree, 1 - THRESHOLD, "distance")
    groups = [[place for place in order if flat[place] == number] for number in np.unique(flat)]
    larger = [group for group in groups if len(group) > 1]
    return order, sorted(larger, key=lambda group: order.index(group[0]))
