"""Leak-free comparison: methods are scored on rows that no ranking or model has seen."""

from featrank.evaluation.checks import (
    count_varying,
    row_numbers,
    warn_duplicate_rows,
    warn_small_classes,
    warn_unsupported,
)
from featrank.evaluation.estimators import average_precision_scorer
from featrank.evaluation.leaks import LeakCheck, leak_check
from featrank.evaluation.multilabel.data import LabelData, read_labels
from featrank.evaluation.multilabel.result import LabelComparison
from featrank.evaluation.multilabel.run import (
    compare_label_data,
    compare_labels,
    read_label_comparison,
)
from featrank.evaluation.n_features_cv import NFeaturesCV
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.result import Comparison
from featrank.evaluation.run import compare, read_comparison

__all__ = [
    "Comparison",
    "LabelComparison",
    "LabelData",
    "LeakCheck",
    "NFeaturesCV",
    "Protocol",
    "average_precision_scorer",
    "compare",
    "compare_label_data",
    "compare_labels",
    "count_varying",
    "leak_check",
    "read_comparison",
    "read_label_comparison",
    "read_labels",
    "row_numbers",
    "warn_duplicate_rows",
    "warn_small_classes",
    "warn_unsupported",
]
