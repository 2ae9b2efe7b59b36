"""Draw a chart of lines by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import shortened
from featrank.plots.description import MAX_DOTS, Axis, Chart, Line, Mark
from featrank.plots.style import COLOURS, DASHES, GREY, INK, PALE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Characters of a name in a legend.
MAX_NAME = 28
BASELINE: dict[str, Any] = {"color": GREY, "linestyle": "--", "linewidth": 1.2, "marker": ""}


def draw_chart(axes: Axes, chart: Chart) -> None:
    """Draw a chart, with a legend."""
    if chart.square:
        axes.plot([0, 1], [0, 1], color=PALE, linewidth=1, zorder=1)
        axes.set_aspect("equal")
    handles = [_draw_line(axes, line) for line in chart.lines]
    handles += [axes.axhline(value, **BASELINE, zorder=1) for value in chart.levels.values()]
    axes.set_xlabel(chart.x.label, parse_math=False)
    axes.set_ylabel(chart.y.label, parse_math=False)
    axes.set_ylim(chart.y.low, chart.y.high)
    _scale_x(axes, chart.x)
    if chart.mark is not None:
        _draw_mark(axes, chart.mark)
    _add_legend(axes, handles, [*(line.name for line in chart.lines), *chart.levels])


def _draw_line(axes: Axes, line: Line) -> Any:
    style = BASELINE if line.colour is None else _line_style(line.colour)
    dots = {"marker": "o", "markersize": 3.5} if len(line.xs) <= MAX_DOTS else {}
    # A line with a band comes to the front.
    (drawn,) = axes.plot(line.xs, line.ys, **{**dots, **style}, zorder=4 if line.low else 3)
    if line.low:
        axes.fill_between(
            line.xs, line.low, line.high, color=style["color"], alpha=0.15, linewidth=0
        )
    return drawn


def _line_style(number: int) -> dict[str, Any]:
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": dash}


def _draw_mark(axes: Axes, mark: Mark) -> None:
    axes.axvline(mark.x, color=PALE, linewidth=1, zorder=0)
    ring: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": INK, "zorder": 5}
    axes.plot([mark.x], [mark.y], "o", markersize=10, **ring)
    in_left_half = mark.x <= sum(axes.get_xlim()) / 2
    axes.text(
        mark.x,
        1.0,
        f" {mark.label} ",
        transform=axes.get_xaxis_transform(),
        ha="left" if in_left_half else "right",
        va="top",
        fontsize=8,
        color=INK,
        parse_math=False,
    )


def _scale_x(axes: Axes, axis: Axis) -> None:
    from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter

    if axis.log:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(FixedLocator(axis.ticks or ()))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(ScalarFormatter())
    else:
        axes.set_xlim(axis.low, axis.high)
        axes.locator_params(axis="x", integer=axis.symbol == "k")


def _add_legend(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Add a legend: next to the axes if the figure makes room, else where it hides least."""
    outside = axes.get_figure().get_layout_engine() is not None  # type: ignore[union-attr]
    place: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)} if outside else {}
    box = axes.legend(
        lines,
        [shortened(name, MAX_NAME) for name in names],
        frameon=not outside,
        fontsize=9,
        labelcolor=INK,
        borderaxespad=0.2,
        **place,
    )
    for text in box.get_texts():
        text.set_parse_math(False)
