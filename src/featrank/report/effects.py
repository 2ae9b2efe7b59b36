"""The class with the highest mean of a feature, and the effect size, from summaries by class."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def effects_by_feature(table: Any) -> dict[str, tuple[str, float]]:
    """Return the class with the highest mean of each feature, and its Cohen's d against the rest.

    Parameters
    ----------
    table : polars.DataFrame
        One row per feature and class: ``feature``, ``class``, ``samples``, ``missing``,
        ``mean`` and ``sd``.

    Examples
    --------
    >>> import polars as pl
    >>> table = pl.DataFrame({"feature": ["g", "g"], "class": ["sick", "well"], "samples": [9, 9],
    ...                       "missing": [0, 0], "mean": [5.0, 2.0], "sd": [2.0, 2.0]})
    >>> effects_by_feature(table)
    {'g': ('sick', 1.5)}
    """
    effects = {}
    for (feature,), rows in table.group_by("feature", maintain_order=True):
        rows = rows.filter((rows["samples"] > rows["missing"]) & rows["mean"].is_finite())
        if len(rows) < 2 or rows["mean"].n_unique() < 2:
            continue
        highest = int(rows["mean"].arg_max())
        sizes = (rows["samples"] - rows["missing"]).cast(float).to_numpy()
        # The standard deviation of a single value is undefined and counts as 0.
        deviations = rows["sd"].fill_null(0.0).fill_nan(0.0).to_numpy()
        effect = _cohens_d(sizes, rows["mean"].to_numpy(), deviations, highest)
        effects[feature] = rows["class"][highest], effect
    return effects


def _cohens_d(
    sizes: NDArray[Any], means: NDArray[Any], deviations: NDArray[Any], own: int
) -> float:
    """Return Cohen's d of one class against all others as one group."""
    others = np.arange(len(sizes)) != own
    size = sizes[others].sum()
    mean = np.average(means[others], weights=sizes[others])
    squares = np.sum((sizes[others] - 1) * deviations[others] ** 2)
    squares += np.sum(sizes[others] * (means[others] - mean) ** 2)
    squares += (sizes[own] - 1) * deviations[own] ** 2
    freedom = sizes[own] + size - 2
    if freedom <= 0:
        return math.nan
    pooled = math.sqrt(squares / freedom)
    return float((means[own] - mean) / pooled) if pooled else math.inf
