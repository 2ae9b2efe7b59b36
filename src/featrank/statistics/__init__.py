"""Statistics of results: metrics, stability and significance, from arrays and names."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.statistics.best import best_method as best_method
    from featrank.statistics.best import one_standard_error_k as one_standard_error_k
    from featrank.statistics.feature_tests import ClassTests as ClassTests
    from featrank.statistics.feature_tests import class_tests as class_tests
    from featrank.statistics.granularity import Granularity as Granularity
    from featrank.statistics.granularity import auc_granularity as auc_granularity
    from featrank.statistics.measures import MEASURES as MEASURES
    from featrank.statistics.measures import StabilityInterval as StabilityInterval
    from featrank.statistics.metrics import average_precision as average_precision
    from featrank.statistics.metrics import average_precision_11 as average_precision_11
    from featrank.statistics.metrics import average_precisions as average_precisions
    from featrank.statistics.metrics import mean_average_precision as mean_average_precision
    from featrank.statistics.metrics import r2 as r2
    from featrank.statistics.metrics import roc_auc as roc_auc
    from featrank.statistics.metrics import spearman as spearman
    from featrank.statistics.normality import NormalityTest as NormalityTest
    from featrank.statistics.normality import lilliefors as lilliefors
    from featrank.statistics.overlaps import Agreement as Agreement
    from featrank.statistics.overlaps import ranking_overlap as ranking_overlap
    from featrank.statistics.ranks import FriedmanTest as FriedmanTest
    from featrank.statistics.ranks import NemenyiTest as NemenyiTest
    from featrank.statistics.ranks import PairTest as PairTest
    from featrank.statistics.ranks import friedman as friedman
    from featrank.statistics.ranks import holm as holm
    from featrank.statistics.ranks import nemenyi as nemenyi
    from featrank.statistics.ranks import wilcoxon_holm as wilcoxon_holm
    from featrank.statistics.redundancy_groups import Clusters as Clusters
    from featrank.statistics.redundancy_groups import correlation_clusters as correlation_clusters
    from featrank.statistics.roc import roc_points as roc_points
    from featrank.statistics.significance import Difference as Difference
    from featrank.statistics.significance import TTest as TTest
    from featrank.statistics.significance import compare_to as compare_to
    from featrank.statistics.significance import corrected_t_test as corrected_t_test
    from featrank.statistics.significance import t_test as t_test
    from featrank.statistics.stability import nogueira_interval as nogueira_interval
    from featrank.statistics.stability import ranking_stability as ranking_stability
    from featrank.statistics.stability import selection_frequency as selection_frequency
    from featrank.statistics.stability import stability_curve as stability_curve
    from featrank.statistics.stability import stability_curves as stability_curves
    from featrank.statistics.stability import subset_interval as subset_interval
    from featrank.statistics.stability import subset_stability as subset_stability
    from featrank.statistics.stacking import StackedScores as StackedScores
    from featrank.statistics.stacking import stack_comparisons as stack_comparisons

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
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
