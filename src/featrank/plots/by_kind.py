"""The kinds of plots by name. Listing them does not import any display."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name

if TYPE_CHECKING:
    from featrank.plots.display import Display

__all__ = ["display_class", "kinds"]


def kinds() -> list[str]:
    """Return the kinds of plots that results can be shown as.

    Examples
    --------
    >>> from featrank.plots import kinds
    >>> kinds()[:3]
    ['agreement', 'critical-difference', 'feature-graph']
    """
    return sorted(_classes())


def display_class(kind: str) -> type[Display]:
    """Return the display class of a kind of plot.

    Examples
    --------
    >>> from featrank.plots import display_class
    >>> display_class("score-curve").__name__
    'ScoreCurveDisplay'
    """
    from featrank import plots

    if kind not in _classes():
        raise UsageError(unknown_name("kind of plot", kind, kinds()))
    display: type[Display] = getattr(plots, _classes()[kind])
    return display


def _classes() -> dict[str, str]:
    """Return display names by kind: ``ScoreCurveDisplay`` has the kind ``score-curve``."""
    from featrank import plots

    names = [name for name in plots.__all__ if name.endswith("Display")]
    return {_kind(name.removesuffix("Display")): name for name in names}


def _kind(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()
