"""Honest evaluation: stability, significance, metrics and guards."""

from .guards import (
    LeakCheck,
    count_varying,
    leak_check,
    row_numbers,
    warn_copied_rows,
    warn_thin_classes,
    warn_unsupported,
)
from .metrics import (
    average_precision,
    average_precision_11,
    average_precisions,
    mean_average_precision,
    roc_auc,
)
from .normality import NormalityTest, lilliefors
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
    "Difference",
    "FriedmanTest",
    "LeakCheck",
    "NemenyiTest",
    "NormalityTest",
    "PairTest",
    "StabilityInterval",
    "TTest",
    "average_precision",
    "average_precision_11",
    "average_precisions",
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
