"""Figures of results: metrics, stability, significance. Arrays and names in, figures out."""

from .granularity import Granularity, auc_granularity
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
    ranking_stability,
    stability_curve,
    subset_interval,
    subset_stability,
)

__all__ = [
    "Difference",
    "FriedmanTest",
    "Granularity",
    "NemenyiTest",
    "NormalityTest",
    "PairTest",
    "StabilityInterval",
    "TTest",
    "auc_granularity",
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
    "ranking_stability",
    "roc_auc",
    "stability_curve",
    "subset_interval",
    "subset_stability",
    "t_test",
    "wilcoxon_holm",
]
