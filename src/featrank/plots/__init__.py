"""Plots of results, drawn with matplotlib, which the extra ``plot`` installs."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import homes, importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.plots.agreement import *  # noqa: F403
    from featrank.plots.by_kind import *  # noqa: F403
    from featrank.plots.critical_difference import *  # noqa: F403
    from featrank.plots.feature_graph import *  # noqa: F403
    from featrank.plots.planar_graphs import *  # noqa: F403
    from featrank.plots.rank_scatter import *  # noqa: F403
    from featrank.plots.ranking import *  # noqa: F403
    from featrank.plots.redundancy import *  # noqa: F403
    from featrank.plots.roc import *  # noqa: F403
    from featrank.plots.saving import *  # noqa: F403
    from featrank.plots.score_curve import *  # noqa: F403
    from featrank.plots.scores import *  # noqa: F403
    from featrank.plots.selection_frequency import *  # noqa: F403
    from featrank.plots.stability_curve import *  # noqa: F403
    from featrank.plots.stability_panels import *  # noqa: F403
    from featrank.plots.timing import *  # noqa: F403

_HOMES = homes(
    agreement="AgreementDisplay",
    by_kind="display_class kinds",
    critical_difference="CriticalDifferenceDisplay",
    feature_graph="FeatureGraphDisplay",
    planar_graphs="planar_graphs_figure",
    rank_scatter="RankScatterDisplay",
    ranking="ranking_figure",
    redundancy="RedundancyDisplay",
    roc="RocDisplay",
    saving="require_figure_file save",
    score_curve="ScoreCurveDisplay",
    scores="ScoresDisplay",
    selection_frequency="SelectionFrequencyDisplay",
    stability_curve="StabilityCurveDisplay",
    stability_panels="stability_panels_figure",
    timing="TimingDisplay",
)
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
