"""Honest trials: methods compared on rows that neither ranking nor classifier has seen."""

from .comparing import compare, read_comparison
from .comparison import Comparison
from .feature_count import FeatureCountCV
from .from_file import compare_file
from .guards import (
    LeakCheck,
    count_varying,
    leak_check,
    row_numbers,
    warn_copied_rows,
    warn_thin_classes,
    warn_unsupported,
)
from .judges import average_precision_scorer
from .multilabel import (
    LabelComparison,
    LabelData,
    compare_label_data,
    compare_labels,
    read_label_comparison,
    read_labels,
)
from .protocol import Protocol

__all__ = [
    "Comparison",
    "FeatureCountCV",
    "LabelComparison",
    "LabelData",
    "LeakCheck",
    "Protocol",
    "average_precision_scorer",
    "compare",
    "compare_file",
    "compare_label_data",
    "compare_labels",
    "count_varying",
    "leak_check",
    "read_comparison",
    "read_label_comparison",
    "read_labels",
    "row_numbers",
    "warn_copied_rows",
    "warn_thin_classes",
    "warn_unsupported",
]
