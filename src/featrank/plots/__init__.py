"""Figures of results, drawn by matplotlib, which the extra ``plot`` installs."""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from featrank.plots.agreement import AgreementDisplay as AgreementDisplay
    from featrank.plots.by_kind import display_class as display_class
    from featrank.plots.by_kind import kinds as kinds
    from featrank.plots.critical_difference import (
        CriticalDifferenceDisplay as CriticalDifferenceDisplay,
    )
    from featrank.plots.feature_graph import FeatureGraphDisplay as FeatureGraphDisplay
    from featrank.plots.planar_graphs import planar_graphs_figure as planar_graphs_figure
    from featrank.plots.rank_scatter import RankScatterDisplay as RankScatterDisplay
    from featrank.plots.ranking import ranking_figure as ranking_figure
    from featrank.plots.redundancy import RedundancyDisplay as RedundancyDisplay
    from featrank.plots.roc import RocDisplay as RocDisplay
    from featrank.plots.saving import require_figure_file as require_figure_file
    from featrank.plots.saving import save as save
    from featrank.plots.score_curve import ScoreCurveDisplay as ScoreCurveDisplay
    from featrank.plots.scores import ScoresDisplay as ScoresDisplay
    from featrank.plots.selection_frequency import (
        SelectionFrequencyDisplay as SelectionFrequencyDisplay,
    )
    from featrank.plots.stability_curve import StabilityCurveDisplay as StabilityCurveDisplay
    from featrank.plots.stability_panels import stability_panels_figure as stability_panels_figure
    from featrank.plots.timing import TimingDisplay as TimingDisplay

_HOMES = {
    "AgreementDisplay": "agreement",
    "CriticalDifferenceDisplay": "critical_difference",
    "FeatureGraphDisplay": "feature_graph",
    "RankScatterDisplay": "rank_scatter",
    "RedundancyDisplay": "redundancy",
    "RocDisplay": "roc",
    "ScoreCurveDisplay": "score_curve",
    "ScoresDisplay": "scores",
    "SelectionFrequencyDisplay": "selection_frequency",
    "StabilityCurveDisplay": "stability_curve",
    "TimingDisplay": "timing",
    "display_class": "by_kind",
    "kinds": "by_kind",
    "planar_graphs_figure": "planar_graphs",
    "ranking_figure": "ranking",
    "require_figure_file": "saving",
    "save": "saving",
    "stability_panels_figure": "stability_panels",
}
# exports: end

__all__ = list(_HOMES)

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
