"""Comparisons on multi-label data: every label is a problem of its own."""

from .comparing import compare_label_data, compare_labels, read_label_comparison
from .comparison import LabelComparison
from .data import LabelData, read_labels

__all__ = [
    "LabelComparison",
    "LabelData",
    "compare_label_data",
    "compare_labels",
    "read_label_comparison",
    "read_labels",
]
