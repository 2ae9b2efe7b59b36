"""Comparisons on multi-label data: every label is a problem of its own."""

from .comparison import LabelComparison, compare_label_data, compare_labels, read_label_comparison
from .data import LabelData, read_labels

__all__ = [
    "LabelComparison",
    "LabelData",
    "compare_label_data",
    "compare_labels",
    "read_label_comparison",
    "read_labels",
]
