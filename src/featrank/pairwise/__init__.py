"""Pairs of features: tables of counts, correlations, and what is chosen by them."""

from .choice import first_of_largest
from .column_panels import CodePanel, ColumnPanelContingency
from .contingency import Contingency
from .correlation import Correlation
from .mdl import mdl_intervals
from .pair_tables import PairTables
from .row_blocks import CodeBlock, CodePart, RowBlockContingency
from .sparse_contingency import SparseContingency
from .sparse_correlation import SparseCorrelation
from .sparse_row_blocks import SparseCodeBlock
from .stored import by_columns, is_sparse
from .volume import GreedyVolume

__all__ = [
    "CodeBlock",
    "CodePanel",
    "CodePart",
    "ColumnPanelContingency",
    "Contingency",
    "Correlation",
    "GreedyVolume",
    "PairTables",
    "RowBlockContingency",
    "SparseCodeBlock",
    "SparseContingency",
    "SparseCorrelation",
    "by_columns",
    "first_of_largest",
    "is_sparse",
    "mdl_intervals",
]
