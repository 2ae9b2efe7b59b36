"""Comparisons on multi-label data: every label is a separate problem."""

from featrank.evaluation.multilabel.data import LabelData, read_labels
from featrank.evaluation.multilabel.result import LabelComparison
from featrank.evaluation.multilabel.run import (
    compare_label_data,
    compare_labels,
    read_label_comparison,
)

__all__ = [
    "LabelComparison",
    "LabelData",
    "compare_label_data",
    "compare_labels",
    "read_label_comparison",
    "read_labels",
]
