"""The style of all plots: size, colours, titles and legends."""

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

# Six of Okabe and Ito's colours, Tol's indigo and a brown, which suit readers with any colour
# vision. After the last colour, lines are dashed and areas hatched.
COLOURS = ("#d55e00", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#332288", "#6b4f1d")
DASHES = ("-", "--", ":", "-.")
HATCHES = ("", "/////", ".....")
ACCENT = COLOURS[0]
# Labels and axes, neutral elements, and the background.
INK, GREY, PALE = "#333333", "#6b7280", "#b8bcc4"
# Width of a wide character of a title, in inches.
LETTER = 0.1


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """Return a plot of this size in inches with one pair of axes."""
    fig = blank(width, height)
    axes = fig.add_subplot()
    without_frame(axes)
    return fig, axes


def blank(width: float, height: float, layout: Any = "constrained") -> Any:
    """Return an empty plot of this size in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra("matplotlib", "plot", "Drawing a plot") from None
    return Figure(figsize=(width, height), layout=layout)


def without_frame(axes: Axes) -> None:
    """Draw only the left and the lower line of the frame, in the colours of the style."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    axes.tick_params(colors=INK, labelsize=9)
    for axis in (axes.xaxis, axes.yaxis):
        axis.label.set(color=INK, size=10)


def title(axes: Axes, title: str) -> None:
    """Write a title at the left end of the axes; TeX markup is not interpreted."""
    axes.set_title(title, loc="left", fontsize=11, color=INK, parse_math=False)


def headline(fig: Figure, title: str) -> None:
    """Write a title over a whole plot, wrapped and aligned to the left."""
    if title:
        letters = int(fig.get_figwidth() / LETTER)
        fig.suptitle(
            fill(one_line(title), letters),
            x=0.01,
            ha="left",
            fontsize=11,
            color=INK,
            parse_math=False,
        )


def legend(fig: Figure, handles: Sequence[Any], labels: Sequence[str], **options: Any) -> Legend:
    """Add a legend without interpreting TeX markup."""
    box = fig.legend(
        handles, labels, **{"frameon": False, "fontsize": 9, "labelcolor": INK, **options}
    )
    for label in box.get_texts():
        label.set_parse_math(False)
    return box
