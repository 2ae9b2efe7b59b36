"""How every figure looks: its canvas, its colours, its titles and legends."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import one_line
from featrank.exceptions import missing_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

# Six of Okabe and Ito's colours, Tol's indigo and a brown: readers of any colour vision tell them
# apart. What there is more of is told apart by dashes or hatches.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#332288", "#6b4f1d")
DASHES = ("-", "--", ":", "-.")
HATCHES = ("", "/////", ".....")
ACCENT = COLOURS[0]
# Of texts and lines, of what has no colour of its own, and of what lies behind.
INK, GREY, PALE = "#333333", "#6b7280", "#b8bcc4"
# Inches of a letter of a title, of a wide one.
LETTER = 0.1


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a figure of so many inches with one pair of axes."""
    figure = blank(width, height)
    axes = figure.add_subplot()
    without_frame(axes)
    return figure, axes


def blank(width: float, height: float, layout: Any = "constrained") -> Any:
    """Return an empty figure of so many inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "plot", "Drawing a figure") from None
    return Figure(figsize=(width, height), layout=layout)


def without_frame(axes: Axes) -> None:
    """Leave only the left and the lower line of the frame, and write in ink."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    axes.tick_params(colors=INK, labelsize=9)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set(color=INK, size=10)


def title(axes: Axes, text: str) -> None:
    """Write a title over the left end of the axes, letter by letter, whatever is in it."""
    axes.set_title(text, loc="left", fontsize=11, color=INK, parse_math=False)


def headline(figure: Figure, text: str) -> None:
    """Write a title over a whole figure, from its left, in as many lines as it needs."""
    if text:
        letters = int(figure.get_figwidth() / LETTER)
        figure.suptitle(
            fill(one_line(text), letters),
            x=0.01,
            ha="left",
            fontsize=11,
            color=INK,
            parse_math=False,
        )


def legend(figure: Figure, handles: Sequence[Any], labels: Sequence[str], **options: Any) -> Legend:
    """Add a legend to a figure; labels are shown letter by letter."""
    box = figure.legend(
        handles, labels, **{"frameon": False, "fontsize": 9, "labelcolor": INK, **options}
    )
    for text in box.get_texts():
        text.set_parse_math(False)
    return box
