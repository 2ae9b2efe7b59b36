"""Mergeable summaries of features: everything that the summary-based methods need of X."""

from .histogram import Bins, Histogram, auto_bins
from .moments import Moments
from .one_against_rest import one_against_rest
from .relevance import fisher_score, mutual_information, spreads, weighted_fisher_score
from .summary import RowClasses, Summary, column_moments, summarise_columns

__all__ = [
    "Bins",
    "Histogram",
    "Moments",
    "RowClasses",
    "Summary",
    "auto_bins",
    "column_moments",
    "fisher_score",
    "mutual_information",
    "one_against_rest",
    "spreads",
    "summarise_columns",
    "weighted_fisher_score",
]
