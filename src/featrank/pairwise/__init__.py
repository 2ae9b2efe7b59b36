"""Pairs of features: tables of counts, correlations, and what is chosen by them."""

from featrank.pairwise.argmax_ties import first_of_largest
from featrank.pairwise.column_panels import CodePanel, ColumnPanelContingency
from featrank.pairwise.contingency import Contingency
from featrank.pairwise.correlation import Correlation
from featrank.pairwise.mdl import mdl_intervals
from featrank.pairwise.pair_tables import PairTables
from featrank.pairwise.row_blocks import CodeBlock, CodePart, RowBlockContingency
from featrank.pairwise.sparse_columns import by_columns, is_sparse
from featrank.pairwise.sparse_contingency import SparseContingency
from featrank.pairwise.sparse_correlation import SparseCorrelation
from featrank.pairwise.sparse_row_blocks import SparseCodeBlock
from featrank.pairwise.volume import GreedyVolume

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
