"""How every figure looks: its canvas, its colours, its greys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.exceptions import missing_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Told apart by readers of any colour vision; more than eight are told apart by dashes or hatches.
COLOURS = ("#d1495b", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#8d5fa8", "#7a5c3e", "#6b7280")
DASHES = ("-", "--", ":")
HATCHES = ("", "/////", ".....")
ACCENT = COLOURS[0]
GREY, PALE = "#6b7280", "#b8bcc4"


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure of so many inches with one pair of axes."""
    figure = blank(width, height)
    axes = figure.add_subplot()
    without_frame(axes)
    return figure, axes


def without_frame(axes: Axes) -> None:
    """Leave only the left and the lower line of the frame."""
    axes.spines[["top", "right"]].set_visible(False)


def blank(width: float, height: float) -> Any:
    """Return an empty figure of so many inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "plot", "Drawing a figure") from None
    return Figure(figsize=(width, height), layout="constrained")
