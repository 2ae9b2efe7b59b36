"""Honest evaluation: stability, significance, metrics and guards."""

from .metrics import (
    average_precision,
    average_precision_11,
    average_precisions,
    mean_average_precision,
    roc_auc,
)
from .normality import NormalityTest, lilliefors
from .ranks import FriedmanTest, NemenyiTest, PairTest, friedman, holm, nemenyi, wilcoxon_holm
from .significance import Comparison, TTest, compare_to, corrected_t_test, t_test
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
    "FriedmanTest",
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
    "friedman",
    "holm",
    "lilliefors",
    "mean_average_precision",
    "nemenyi",
    "nogueira_interval",
    "roc_auc",
    "stability",
    "stability_curve",
    "subset_interval",
    "subset_stability",
    "t_test",
    "wilcoxon_holm",
]
