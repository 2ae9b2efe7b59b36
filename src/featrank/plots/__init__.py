"""Figures of results, drawn by matplotlib, which the extra ``plot`` installs."""

from typing import TYPE_CHECKING

from featrank.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from .agreement import AgreementDisplay
    from .by_kind import display_class, kinds
    from .critical_difference import CriticalDifferenceDisplay
    from .feature_graph import FeatureGraphDisplay
    from .planar_graphs import planar_graphs_figure
    from .rank_scatter import RankScatterDisplay
    from .ranking import ranking_figure
    from .redundancy import RedundancyDisplay
    from .roc import RocDisplay
    from .saving import require_figure_file, save
    from .score_curve import ScoreCurveDisplay
    from .scores import ScoresDisplay
    from .selection_frequency import SelectionFrequencyDisplay
    from .stability_curve import StabilityCurveDisplay
    from .stability_panels import stability_panels_figure
    from .timing import TimingDisplay

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

__all__ = [
    "AgreementDisplay",
    "CriticalDifferenceDisplay",
    "FeatureGraphDisplay",
    "RankScatterDisplay",
    "RedundancyDisplay",
    "RocDisplay",
    "ScoreCurveDisplay",
    "ScoresDisplay",
    "SelectionFrequencyDisplay",
    "StabilityCurveDisplay",
    "TimingDisplay",
    "display_class",
    "kinds",
    "planar_graphs_figure",
    "ranking_figure",
    "require_figure_file",
    "save",
    "stability_panels_figure",
]
# exports: end

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
