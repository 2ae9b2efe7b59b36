"""Draw the description of a plot as SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence

from featrank._utils.plain_text import shortened
from featrank.plots.description import MAX_DOTS, Axis, Bars, Chart, Description, Line, Sketch, Tiles
from featrank.plots.style import COLOURS
from featrank.report.document import Column, Grid
from featrank.report.svg import Axes, Drawing, Scale, text_width

MAX_NAME = 24
# Weaker correlations would hardly be seen.
MIN_CORRELATION = 0.15
# Height of a bar with the space below it, in pixels.
ROW = 24


def colour_of(number: int) -> int:
    """Return the colour of a method by its number, as the style sheet counts them."""
    return number % len(COLOURS)


def draw_svg(description: Description, title: str) -> str:
    """Return a plot as SVG."""
    if isinstance(description, Chart):
        return _draw_chart(description).svg(title)
    if isinstance(description, Tiles):
        return _draw_tiles(description).svg(title)
    if isinstance(description, Bars):
        return _draw_bars(description).svg(title)
    return _draw_sketch(description).svg(title)


def tabulate_lines(lines: Sequence[Line]) -> Grid:
    """Return a table of lines that have the same points on the x axis."""
    columns = [Column("method", whole=True), *(Column(str(k), right=True) for k in lines[0].xs)]
    return Grid(columns, [[line.name, *(f"{value:.3f}" for value in line.ys)] for line in lines])


def _draw_chart(chart: Chart) -> Drawing:
    axes = _build_axes(chart)
    axes.frame(chart.x.label, chart.y.label, x_ticks=_x_ticks(chart))
    if chart.square:
        axes.curve((axes.x.low, axes.x.high), (axes.y.low, axes.y.high), "mark")
    _draw_mark(axes, chart)
    for line in chart.lines:
        if line.low and line.colour is not None:
            axes.band(line.xs, line.low, line.high, f"band f{colour_of(line.colour)}")
    ends = [_draw_line(axes, line, chart.x) for line in chart.lines]
    for name, value in chart.levels.items():
        axes.curve((axes.x.low, axes.x.high), (value, value), "chance")
        ends.append((value, name, ""))
    for dot in chart.dots:
        axes.drawing.titled(axes.x(dot.x), axes.y(dot.y), 3, "dot f1", dot.label)
    axes.names([end for end in ends if not math.isnan(end[0])])
    return axes.drawing


def _build_axes(chart: Chart) -> Axes:
    xs = [x for line in chart.lines for x in line.xs] or [0.0, 1.0]
    ys = [y for line in chart.lines for y in (*line.ys, *line.low, *line.high)]
    known = [y for y in (*ys, *chart.levels.values()) if not math.isnan(y)] or [0.0, 1.0]
    room = 0.05 * (max(known) - min(known)) or 0.05
    # The label of a mark is at the top, above the lines.
    top = room if chart.mark is None else 2.5 * room
    names = [shortened(name, MAX_NAME) for name in (*(n.name for n in chart.lines), *chart.levels)]
    right = max((30 + 7.2 * len(name) for name in names), default=20)
    width, height = (410 + right, 420) if chart.square else (640, 320)
    x = Scale(*_limits(chart.x, min(xs), max(xs)), 52, width - right, chart.x.log)
    y_limits = _limits(chart.y, min(known) - room, max(known) + top)
    return Axes(Drawing(width, height), x, Scale(*y_limits, height - 42, 26, chart.y.log))


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
    axes.drawing.label(
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


def _draw_tiles(tiles: Tiles) -> Drawing:
    step, space, klass = (46, 2, "tick") if tiles.percent else (11, 1, "tick small")
    labels = [shortened(name, 22) for name in tiles.names]
    width = max(map(text_width, labels), default=0.0)
    left, side = width + 12, step * len(labels)
    # Names of columns are slanted by 40 degrees.
    top, right = (0.64 * width + 24, 0.77 * width) if tiles.percent else (4, 8)
    drawing = Drawing(left + side + right, top + side + 6)
    for row, label in enumerate(labels):
        y, middle = top + step * row, left + step * (row + 0.5)
        drawing.label(left - 6, y + step / 2 + 4, label, text_anchor="end", klass=klass)
        if tiles.percent:
            slanted = f"rotate(-40 {middle:.2f} {top - 8:.2f})"
            drawing.label(middle, top - 8, label, transform=slanted, klass=klass)
        for column, value in enumerate(tiles.values[row]):
            x, size = left + step * column, step - space
            if tiles.percent:
                _add_tile(drawing, x, y, size, "tile f1", 0.75 * value)
                share = f"{100 * value:.0f}"
                drawing.label(x + size / 2, y + size / 2 + 5, share, text_anchor="middle")
            elif abs(value) >= MIN_CORRELATION:
                _add_tile(drawing, x, y, size, "warm" if value > 0 else "cool", abs(value))
    for start, count in tiles.frames:
        x, y, size = left + step * start, top + step * start, step * count - space
        drawing.add("rect", x=x, y=y, width=size, height=size, klass="ring")
    return drawing


def _add_tile(
    drawing: Drawing, x: float, y: float, size: float, klass: str, opacity: float
) -> None:
    opacity = round(opacity, 2)
    drawing.add("rect", x=x, y=y, width=size, height=size, klass=klass, fill_opacity=opacity)


def _draw_bars(bars: Bars) -> Drawing:
    low, high = _limits(bars.axis, 0.0, 1.0)
    bottom = ROW * len(bars.values) + 8
    drawing = Drawing(640, bottom + 26)
    scale = Scale(low, high, 190, 600, bars.axis.log)
    start = scale(max(low, 0.0))
    rows = zip(bars.names, bars.values, bars.labels, strict=True)
    for number, (name, value, label) in enumerate(rows):
        y, end = 8 + ROW * number, start if math.isnan(value) else max(scale(value), scale.start)
        drawing.label(182, y + 13, shortened(name, 26), text_anchor="end", klass="tick")
        klass = "box f1" if low >= 0 else "warm" if value > 0 else "cool"
        if value > low:
            left, width = min(start, end), max(abs(end - start), 1.0)
            drawing.add("rect", x=left, y=y, width=width, height=16, klass=klass)
        drawing.label(max(start, end) + 5, y + 13, label, klass="tick")
    drawing.line(start, 4, start, bottom)
    for tick in bars.axis.ticks or scale.ticks():
        drawing.label(scale(tick), bottom + 16, f"{tick:g}", text_anchor="middle", klass="tick")
    return drawing


def _draw_sketch(sketch: Sketch) -> Drawing:
    outside = [label for label in sketch.labels if label.x in sketch.x]
    margin = max((text_width(label.content) + 12 for label in outside), default=4.0)
    drawing = Drawing(720, sketch.height)
    x, y = Scale(*sketch.x, margin, 720 - margin), Scale(*sketch.y, sketch.height - 6, 6)
    for stroke in sketch.strokes:
        klass = "group s0" if stroke.kind == "group" else stroke.kind
        points = [(x(px), y(py)) for px, py in stroke.points]
        drawing.path(points, klass, opacity=round(stroke.opacity, 2))
    for dot in sketch.dots:
        drawing.titled(x(dot.x), y(dot.y), 4, "dot f0", dot.label)
    offsets = {"start": 6, "middle": 0, "end": -6}
    size = "small" if sketch.dots else "tick"
    for label in sketch.labels:
        left = x(label.x) + offsets[label.anchor]
        drawing.label(left, y(label.y) + 4, label.content, text_anchor=label.anchor, klass=size)
    return drawing
