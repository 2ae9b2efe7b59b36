"""Figures of results, drawn by matplotlib, which the extra ``plot`` installs."""

from .critical_difference import critical_difference_figure
from .ranking import ranking_figure
from .saving import require_figure_file, save
from .stability import stability_figure

__all__ = [
    "critical_difference_figure",
    "ranking_figure",
    "require_figure_file",
    "save",
    "stability_figure",
]
