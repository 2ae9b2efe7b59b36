"""Statistics of results: metrics, stability and significance, from arrays and names."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import homes, importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.statistics.best import *  # noqa: F403
    from featrank.statistics.error_control import *  # noqa: F403
    from featrank.statistics.feature_tests import *  # noqa: F403
    from featrank.statistics.granularity import *  # noqa: F403
    from featrank.statistics.measures import *  # noqa: F403
    from featrank.statistics.metrics import *  # noqa: F403
    from featrank.statistics.normality import *  # noqa: F403
    from featrank.statistics.overlaps import *  # noqa: F403
    from featrank.statistics.permutation import *  # noqa: F403
    from featrank.statistics.ranks import *  # noqa: F403
    from featrank.statistics.redundancy_groups import *  # noqa: F403
    from featrank.statistics.roc import *  # noqa: F403
    from featrank.statistics.significance import *  # noqa: F403
    from featrank.statistics.stability import *  # noqa: F403
    from featrank.statistics.stacking import *  # noqa: F403
    from featrank.statistics.verdicts import *  # noqa: F403

_HOMES = homes(
    best="best_method recommended_k recommended_number",
    error_control="expected_false log_ranks q_values",
    feature_tests="ClassTests class_tests",
    granularity="Granularity auc_granularity",
    measures="MEASURES StabilityInterval",
    metrics="average_precision average_precision_11 average_precisions mean_average_precision r2 "
    "roc_auc spearman",
    normality="NormalityTest lilliefors",
    overlaps="Agreement ranking_overlap",
    permutation="SequentialP sequential_p_value",
    ranks="FriedmanTest NemenyiTest PairTest friedman holm nemenyi wilcoxon_holm",
    redundancy_groups="Clusters correlation_clusters",
    roc="roc_points",
    significance="Difference TTest compare_to corrected_t_test t_test",
    stability="nogueira_interval ranking_stability selection_frequency stability_curve "
    "stability_curves subset_interval subset_stability",
    stacking="StackedScores stack_comparisons",
    verdicts="SMALL_DIFFERENCE ChoiceVerdict Interval choice_verdicts corrected_interval "
    "method_intervals",
)
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
