"""Honest evaluation: trials that never show a test row, stability, significance, guards."""

from .comparison import Comparison, compare, read_comparison
from .feature_count import FeatureCountCV
from .granularity import Granularity, auc_granularity
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
from .label_data import LabelData, read_labels
from .labels import LabelComparison, compare_label_data, compare_labels, read_label_comparison
from .metrics import (
    average_precision,
    average_precision_11,
    average_precisions,
    mean_average_precision,
    roc_auc,
)
from .normality import NormalityTest, lilliefors
from .protocol import Protocol
from .ranks import FriedmanTest, NemenyiTest, PairTest, friedman, holm, nemenyi, wilcoxon_holm
from .significance import Difference, TTest, compare_to, corrected_t_test, t_test
from .stability import (
    StabilityInterval,
    nogueira_interval,
    stability,
    stability_curve,
    subset_interval,
    subset_stability,
)

__all__ = [
    "Comparison",
    "Difference",
    "FeatureCountCV",
    "FriedmanTest",
    "Granularity",
    "LabelComparison",
    "LabelData",
    "LeakCheck",
    "NemenyiTest",
    "NormalityTest",
    "PairTest",
    "Protocol",
    "StabilityInterval",
    "TTest",
    "auc_granularity",
    "average_precision",
    "average_precision_11",
    "average_precision_scorer",
    "average_precisions",
    "compare",
    "compare_label_data",
    "compare_labels",
    "compare_to",
    "corrected_t_test",
    "count_varying",
    "friedman",
    "holm",
    "leak_check",
    "lilliefors",
    "mean_average_precision",
    "nemenyi",
    "nogueira_interval",
    "read_comparison",
    "read_label_comparison",
    "read_labels",
    "roc_auc",
    "row_numbers",
    "stability",
    "stability_curve",
    "subset_interval",
    "subset_stability",
    "t_test",
    "warn_copied_rows",
    "warn_thin_classes",
    "warn_unsupported",
    "wilcoxon_holm",
]
