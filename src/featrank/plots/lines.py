"""Lines of methods that are told apart by colours and, beyond these, by dashes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import shortened
from featrank.plots.style import COLOURS, DASHES, GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Look = dict[str, Any]

# Letters of a name in a legend.
NAME = 28
# Of the random ranking, wherever it is drawn.
CHANCE: Look = {"color": GREY, "linestyle": "--", "linewidth": 1.2, "marker": ""}


@dataclass(frozen=True)
class Line:
    """A named line; ``low`` and ``high`` are the ends of its band, if it has one."""

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def look_of(number: int) -> Look:
    """Return the colour and the dashes of a line by its number."""
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": dash}


def line_of(rows: Sequence[Mapping[str, Any]], method: str, x: str, y: str) -> Line:
    """Return the line of a method's rows, with a band if they have one."""
    own = [row for row in rows if row["method"] == method]
    ends = [[row[end] for row in own] if "low" in own[0] else [] for end in ("low", "high")]
    return Line(method, [row[x] for row in own], [row[y] for row in own], *ends)


def draw_line(axes: Axes, line: Line, look: Look) -> Any:
    """Draw a line and its band; return the line."""
    marker = {"marker": "o", "markersize": 3.5} if len(line.xs) <= 30 else {}
    (drawn,) = axes.plot(line.xs, line.ys, **{**marker, **look})
    if line.low:
        axes.fill_between(
            line.xs, line.low, line.high, color=look["color"], alpha=0.15, linewidth=0
        )
    return drawn


def name_lines(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Add a legend: beside the axes where the figure makes room, else where it hides least."""
    beside = axes.get_figure().get_layout_engine() is not None  # type: ignore[union-attr]
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if beside else {}
    box = axes.legend(
        lines,
        [shortened(name, NAME) for name in names],
        frameon=not beside,
        fontsize=9,
        labelcolor=INK,
        borderaxespad=0.2,
        **place,
    )
    for text in box.get_texts():
        text.set_parse_math(False)


def count_axis(axes: Axes, ks: Sequence[int]) -> None:
    """Let numbers of features go from 0 or, where they span decades, on a logarithmic scale."""
    from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter

    axes.set_xlabel("number of features k")
    if len(ks) > 1 and max(ks) > 30 * min(ks):
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator(sorted(set(ks))))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(ScalarFormatter())
    else:
        axes.set_xlim(left=0)
        axes.locator_params(axis="x", integer=True)
