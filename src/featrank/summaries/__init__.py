"""Mergeable summaries of features: everything that the summary-based methods need of X."""

from .byte_counts import ByteCounts
from .checkpoint import Checkpoint
from .columns import RowClasses, column_moments, summarise_columns
from .digest import Digest
from .entries import entries
from .histogram import Bins, Histogram, auto_bins
from .missing import treated
from .moments import Moments
from .one_against_rest import one_against_rest
from .passes import Found, Wanted, describe_source
from .quantity import (
    Location,
    auto_target_bins,
    correlation_with,
    explained_over_rest,
    quantity_bins,
    strata_of,
)
from .ranges import Ranges
from .reader import Reader
from .relevance import (
    fisher_score,
    mutual_information,
    scatters,
    spreads,
    weighted_fisher_score,
)
from .row_labels import KnownLabels, OwnLabels, RowLabels, all_labels, small_codes
from .summary import Summary
from .whole import stored_labels, whole_table

__all__ = [
    "Bins",
    "ByteCounts",
    "Checkpoint",
    "Digest",
    "Found",
    "Histogram",
    "KnownLabels",
    "Location",
    "Moments",
    "OwnLabels",
    "Ranges",
    "Reader",
    "RowClasses",
    "RowLabels",
    "Summary",
    "Wanted",
    "all_labels",
    "auto_bins",
    "auto_target_bins",
    "column_moments",
    "correlation_with",
    "describe_source",
    "entries",
    "explained_over_rest",
    "fisher_score",
    "mutual_information",
    "one_against_rest",
    "quantity_bins",
    "scatters",
    "small_codes",
    "spreads",
    "stored_labels",
    "strata_of",
    "summarise_columns",
    "treated",
    "weighted_fisher_score",
    "whole_table",
]
