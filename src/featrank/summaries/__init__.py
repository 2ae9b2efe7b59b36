"""Mergeable summaries of features: everything that the summary-based methods need of X."""

from .columns import RowClasses, column_moments, summarise_columns
from .digest import Digest
from .histogram import Bins, Histogram, auto_bins
from .missing import treated
from .moments import Moments
from .one_against_rest import one_against_rest
from .ranges import Ranges
from .relevance import fisher_score, mutual_information, spreads, weighted_fisher_score
from .summary import Summary

__all__ = [
    "Bins",
    "Digest",
    "Histogram",
    "Moments",
    "Ranges",
    "RowClasses",
    "Summary",
    "auto_bins",
    "column_moments",
    "fisher_score",
    "mutual_information",
    "one_against_rest",
    "spreads",
    "summarise_columns",
    "treated",
    "weighted_fisher_score",
]
