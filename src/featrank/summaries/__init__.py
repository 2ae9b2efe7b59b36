"""Mergeable summaries of features: everything that the summary-based methods need of X."""

from featrank.summaries.byte_counts import ByteCounts
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.columns import RowClasses, column_bins, column_moments, summarise_columns
from featrank.summaries.histogram import Bins, Histogram, auto_bins
from featrank.summaries.missing import treated
from featrank.summaries.moments import Moments
from featrank.summaries.one_vs_rest import one_against_rest
from featrank.summaries.ranges import FeatureRanges
from featrank.summaries.regression import (
    Location,
    auto_target_bins,
    bin_regression_target,
    correlation_with,
    explained_over_rest,
    strata_of,
)
from featrank.summaries.relevance import (
    fisher_score,
    mutual_information,
    scatters,
    spreads,
    weighted_fisher_score,
)
from featrank.summaries.summary import ClassSummary

__all__ = [
    "Bins",
    "ByteCounts",
    "ClassSummary",
    "ColumnStats",
    "FeatureRanges",
    "Histogram",
    "Location",
    "Moments",
    "RowClasses",
    "auto_bins",
    "auto_target_bins",
    "bin_regression_target",
    "column_bins",
    "column_moments",
    "correlation_with",
    "explained_over_rest",
    "fisher_score",
    "mutual_information",
    "one_against_rest",
    "scatters",
    "spreads",
    "strata_of",
    "summarise_columns",
    "treated",
    "weighted_fisher_score",
]
