"""Draw a chart of lines as SVG, with its numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from featrank._utils.plain_text import shortened
from featrank.plots.description import MAX_DOTS, Axis, Chart, Line
from featrank.plots.style import COLOURS
from featrank.report.document import Column, Figure, Grid
from featrank.report.svg import Axes

MAX_NAME = 24


def colour_of(number: int) -> int:
    """Return the colour of a method by its number, as the style sheet counts them."""
    return number % len(COLOURS)


def chart_figure(chart: Chart, title: str, numbers: Grid | None = None) -> Figure:
    """Return a chart as SVG with a table of its numbers."""
    axes = _build_axes(chart)
    axes.frame(chart.x.label, chart.y.label, x_ticks=_x_ticks(chart))
    if chart.square:
        axes.curve((0, 1), (0, 1), "mark")
    _draw_mark(axes, chart)
    for line in chart.lines:
        if line.low and line.colour is not None:
            axes.band(line.xs, line.low, line.high, f"band f{colour_of(line.colour)}")
    ends = [_draw_line(axes, line, chart.x) for line in chart.lines]
    for name, value in chart.levels.items():
        axes.curve((axes.x.low, axes.x.high), (value, value), "chance")
        ends.append((value, name, ""))
    axes.names([end for end in ends if not math.isnan(end[0])])
    return Figure(axes.drawing.svg(title), title, numbers or _tabulate(chart.lines))


def _build_axes(chart: Chart) -> Axes:
    xs = [x for line in chart.lines for x in line.xs]
    ys = [y for line in chart.lines for y in (*line.ys, *line.low, *line.high)]
    known = [y for y in (*ys, *chart.levels.values()) if not math.isnan(y)] or [0.0, 1.0]
    room = 0.05 * (max(known) - min(known)) or 0.05
    # The label of a mark is at the top, above the lines.
    top = room if chart.mark is None else 2.5 * room
    names = [*(line.name for line in chart.lines), *chart.levels]
    right = 30 + 7.2 * max(len(shortened(name, MAX_NAME)) for name in names)
    return Axes.of(
        _limits(chart.x, min(xs), max(xs)),
        _limits(chart.y, min(known) - room, max(known) + top),
        width=410 + right if chart.square else 640,
        height=420 if chart.square else 320,
        right=right,
        log_x=chart.x.log,
    )


def _limits(axis: Axis, low: float, high: float) -> tuple[float, float]:
    return low if axis.low is None else axis.low, high if axis.high is None else axis.high


def _x_ticks(chart: Chart) -> Sequence[float] | None:
    """Return the numbers of features that were tried; rates have round ticks."""
    if chart.x.symbol != "k":
        return chart.x.ticks
    return sorted({k for line in chart.lines for k in line.xs})


def _draw_mark(axes: Axes, chart: Chart) -> None:
    if chart.mark is None:
        return
    x, in_left_half = axes.x(chart.mark.x), axes.x(chart.mark.x) < (axes.x.start + axes.x.end) / 2
    axes.drawing.line(x, axes.y.start, x, axes.y.end, "mark")
    axes.drawing.add("circle", cx=x, cy=axes.y(chart.mark.y), r=7, klass="ring")
    axes.drawing.text(
        x + (4 if in_left_half else -4),
        axes.y.end + 10,
        chart.mark.label,
        text_anchor="start" if in_left_half else "end",
        klass="tick",
    )


def _draw_line(axes: Axes, line: Line, x: Axis) -> tuple[float, str, str]:
    """Draw a line and its dots; return where it ends, its name and its class."""
    name = shortened(line.name, MAX_NAME)
    if line.colour is None:
        axes.curve(line.xs, line.ys, "chance")
        return line.ys[-1], name, ""
    colour = colour_of(line.colour)
    dashed = " dashed" if line.colour >= len(COLOURS) else ""
    axes.curve(line.xs, line.ys, f"curve s{colour}{dashed}")
    for own, value in zip(line.xs, line.ys, strict=True):
        if not math.isnan(value) and len(line.xs) <= MAX_DOTS:
            label = f"{line.name}, {x.symbol or x.label} = {own:g}: {value:.3f}"
            axes.drawing.titled(axes.x(own), axes.y(value), 3, f"dot f{colour}", label)
    return line.ys[-1], name, f"s{colour}"


def _tabulate(lines: Sequence[Line]) -> Grid:
    columns = [Column("method", whole=True), *(Column(str(k), right=True) for k in lines[0].xs)]
    return Grid(columns, [[line.name, *(f"{value:.3f}" for value in line.ys)] for line in lines])
