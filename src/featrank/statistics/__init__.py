"""Figures of results: metrics, stability, significance. Arrays and names in, figures out."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.statistics.best import best_method, one_standard_error_k
    from featrank.statistics.feature_tests import ClassTests, class_tests
    from featrank.statistics.granularity import Granularity, auc_granularity
    from featrank.statistics.measures import MEASURES, StabilityInterval
    from featrank.statistics.metrics import (
        average_precision,
        average_precision_11,
        average_precisions,
        mean_average_precision,
        r2,
        roc_auc,
        spearman,
    )
    from featrank.statistics.normality import NormalityTest, lilliefors
    from featrank.statistics.overlaps import Agreement, ranking_overlap
    from featrank.statistics.ranks import (
        FriedmanTest,
        NemenyiTest,
        PairTest,
        friedman,
        holm,
        nemenyi,
        wilcoxon_holm,
    )
    from featrank.statistics.redundancy_groups import Clusters, correlation_clusters
    from featrank.statistics.roc import roc_points
    from featrank.statistics.significance import (
        Difference,
        TTest,
        compare_to,
        corrected_t_test,
        t_test,
    )
    from featrank.statistics.stability import (
        nogueira_interval,
        ranking_stability,
        selection_frequency,
        stability_curve,
        stability_curves,
        subset_interval,
        subset_stability,
    )
    from featrank.statistics.stacking import StackedScores, stack_comparisons

_HOMES = {
    "MEASURES": "measures",
    "Agreement": "overlaps",
    "ClassTests": "feature_tests",
    "Clusters": "redundancy_groups",
    "Difference": "significance",
    "FriedmanTest": "ranks",
    "Granularity": "granularity",
    "NemenyiTest": "ranks",
    "NormalityTest": "normality",
    "PairTest": "ranks",
    "StabilityInterval": "measures",
    "StackedScores": "stacking",
    "TTest": "significance",
    "auc_granularity": "granularity",
    "average_precision": "metrics",
    "average_precision_11": "metrics",
    "average_precisions": "metrics",
    "best_method": "best",
    "class_tests": "feature_tests",
    "compare_to": "significance",
    "corrected_t_test": "significance",
    "correlation_clusters": "redundancy_groups",
    "friedman": "ranks",
    "holm": "ranks",
    "lilliefors": "normality",
    "mean_average_precision": "metrics",
    "nemenyi": "ranks",
    "nogueira_interval": "stability",
    "one_standard_error_k": "best",
    "r2": "metrics",
    "ranking_overlap": "overlaps",
    "ranking_stability": "stability",
    "roc_auc": "metrics",
    "roc_points": "roc",
    "selection_frequency": "stability",
    "spearman": "metrics",
    "stability_curve": "stability",
    "stability_curves": "stability",
    "stack_comparisons": "stacking",
    "subset_interval": "stability",
    "subset_stability": "stability",
    "t_test": "significance",
    "wilcoxon_holm": "ranks",
}

__all__ = [
    "MEASURES",
    "Agreement",
    "ClassTests",
    "Clusters",
    "Difference",
    "FriedmanTest",
    "Granularity",
    "NemenyiTest",
    "NormalityTest",
    "PairTest",
    "StabilityInterval",
    "StackedScores",
    "TTest",
    "auc_granularity",
    "average_precision",
    "average_precision_11",
    "average_precisions",
    "best_method",
    "class_tests",
    "compare_to",
    "corrected_t_test",
    "correlation_clusters",
    "friedman",
    "holm",
    "lilliefors",
    "mean_average_precision",
    "nemenyi",
    "nogueira_interval",
    "one_standard_error_k",
    "r2",
    "ranking_overlap",
    "ranking_stability",
    "roc_auc",
    "roc_points",
    "selection_frequency",
    "spearman",
    "stability_curve",
    "stability_curves",
    "stack_comparisons",
    "subset_interval",
    "subset_stability",
    "t_test",
    "wilcoxon_holm",
]
# exports: end

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
