"""Honest evaluation: stability, significance, metrics and guards."""

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
    "compare_to",
    "corrected_t_test",
    "friedman",
    "holm",
    "lilliefors",
    "nemenyi",
    "nogueira_interval",
    "stability",
    "stability_curve",
    "subset_interval",
    "subset_stability",
    "t_test",
    "wilcoxon_holm",
]
