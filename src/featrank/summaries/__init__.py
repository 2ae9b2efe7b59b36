"""Mergeable summaries of features: everything that the summary-based methods need of X."""

from featrank.summaries.byte_counts import ByteCounts
from featrank.summaries.column_stats import Digest
from featrank.summaries.columns import RowClasses, column_bins, column_moments, summarise_columns
from featrank.summaries.histogram import Bins, Histogram, auto_bins
from featrank.summaries.missing import treated
from featrank.summaries.moments import Moments
from featrank.summaries.one_vs_rest import one_against_rest
from featrank.summaries.ranges import Ranges
from featrank.summaries.regression import (
    Location,
    auto_target_bins,
    correlation_with,
    explained_over_rest,
    quantity_bins,
    strata_of,
)
from featrank.summaries.relevance import (
    fisher_score,
    mutual_information,
    scatters,
    spreads,
    weighted_fisher_score,
)
from featrank.summaries.summary import Summary

__all__ = [
    "Bins",
    "ByteCounts",
    "Digest",
    "Histogram",
    "Location",
    "Moments",
    "Ranges",
    "RowClasses",
    "Summary",
    "auto_bins",
    "auto_target_bins",
    "column_bins",
    "column_moments",
    "correlation_with",
    "explained_over_rest",
    "fisher_score",
    "mutual_information",
    "one_against_rest",
    "quantity_bins",
    "scatters",
    "spreads",
    "strata_of",
    "summarise_columns",
    "treated",
    "weighted_fisher_score",
]
