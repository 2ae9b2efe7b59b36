"""Missing values of a summary: raise an error, skip or impute."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.exceptions import DataError, UsageError, counted, unknown_name
from featrank.kernels import Floats
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.histogram import Bins
from featrank.summaries.moments import Moments
from featrank.values.numbers import LARGEST, in_range, label

if TYPE_CHECKING:
    from featrank.summaries.summary import ClassSummary

WAYS = ("error", "skip", "mean")


def treated(summary: ClassSummary, missing: str, names: Any = None, first: int = 0) -> ColumnStats:
    """Return the statistics of a summary. Missing values raise an error, are skipped or imputed.

    ``names`` and ``first`` determine the names of features in errors.
    """
    if missing not in WAYS:
        raise UsageError(unknown_name("way to treat missing values", missing, WAYS))
    _require_usable(summary, names, first)
    digest = summary.digest()
    if not digest.moments.has_missing or missing == "skip":
        return digest
    if missing == "error":
        lacking = summary.size.sum() - summary.present.sum(axis=0)
        columns = np.flatnonzero(lacking)
        raise DataError(
            f"Input X contains NaN: missing values in {counted(len(columns), 'feature')}, first "
            f"{label(first + columns[0], names)} ({lacking[columns[0]]:g}). Use "
            '`missing="mean"` to impute them.'
        )
    return _with_means(summary, digest)


def _require_usable(summary: ClassSummary, names: Any, first: int) -> None:
    low, high = summary.ranges.low, summary.ranges.high
    bad = np.flatnonzero((low < -LARGEST) | (high > LARGEST))
    if len(bad) and not in_range(low[bad[0]], high[bad[0]]):
        raise DataError(
            f"X has infinite values or values above {LARGEST:.0e} in {len(bad)} features, first in "
            f"{label(first + bad[0], names)}. Rescale or replace them."
        )


def _with_means(summary: ClassSummary, digest: ColumnStats) -> ColumnStats:
    """Impute missing values by the mean of the feature's known values."""
    moments = digest.moments
    mean, lacking = moments.overall_mean(), summary.size[:, None] - summary.present
    filled = moments.merge(_constants(mean, lacking, moments))
    filled = replace(filled, count=summary.size)
    if digest.histogram is None:
        return ColumnStats(filled, None)
    ranges = summary.ranges
    n_bins = digest.histogram.counts.shape[2]
    bins = Bins.of(ranges.low, ranges.high, ranges.whole, ranges.dtype, n_bins)
    counts = digest.histogram.counts.copy()
    counts[np.arange(len(mean)), :, bins.of_values(mean)] += lacking.T.astype(counts.dtype)
    return ColumnStats(filled, replace(digest.histogram, counts=counts))


def _constants(mean: Floats, lacking: Floats, like: Moments) -> Moments:
    """Return the moments of ``lacking`` values that all equal the mean."""
    table = np.broadcast_to(mean, lacking.shape)
    none = lacking == 0
    return Moments(
        lacking,
        np.where(none, 0.0, table),
        np.zeros_like(table),
        np.where(none, np.inf, table),
        np.where(none, -np.inf, table),
        np.abs(mean) * lacking.sum(axis=0),
        np.ones_like(like.whole),
    )
