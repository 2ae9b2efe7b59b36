"""Figures of results, drawn by matplotlib, which the extra ``plot`` installs."""

from typing import TYPE_CHECKING

from featrank.lazy import importing

# exports: begin (make docs)
if TYPE_CHECKING:
    from .critical_difference import critical_difference_figure
    from .planar_graphs import planar_graphs_figure
    from .ranking import ranking_figure
    from .saving import require_figure_file, save
    from .stability import stability_figure
    from .stability_panels import stability_panels_figure

_HOMES = {
    "critical_difference_figure": "critical_difference",
    "planar_graphs_figure": "planar_graphs",
    "ranking_figure": "ranking",
    "require_figure_file": "saving",
    "save": "saving",
    "stability_figure": "stability",
    "stability_panels_figure": "stability_panels",
}

__all__ = [
    "critical_difference_figure",
    "planar_graphs_figure",
    "ranking_figure",
    "require_figure_file",
    "save",
    "stability_figure",
    "stability_panels_figure",
]
# exports: end

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
