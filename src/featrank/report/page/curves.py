"""Figures that several questions share: lines against the number of features, a line a method."""

from __future__ import annotations

import math
from collections.abc import Sequence

from featrank.plots.lines import Line
from featrank.report.document import Column, Figure, Grid
from featrank.report.svg import Axes

# Colours of the page's style sheet; what there is more of is dashed.
COLOURS = 8


def colour_of(number: int) -> int:
    """Return the colour of the so-manieth method."""
    return number % COLOURS


def line_figure(
    lines: Sequence[Line],
    title: str,
    y_label: str,
    *,
    chance: Line | float | None = None,
    mark: int | None = None,
    banded: str | None = None,
) -> Figure:
    """Return lines against k, a dashed line for chance, and a mark at one k.

    Bands are drawn for all methods, or for the one that is ``banded`` alone.
    """
    axes = _axes(lines, chance)
    ks = sorted({k for line in lines for k in line.xs})
    axes.frame("number of features k", y_label, x_ticks=ks)
    if mark is not None:
        axes.drawing.line(axes.x(mark), axes.y.start, axes.x(mark), axes.y.end, "mark")
        axes.drawing.text(axes.x(mark) + 4, axes.y.start - 6, f"k = {mark}", klass="tick")
    ends = _drawn(axes, lines, banded)
    if isinstance(chance, Line):
        axes.curve(chance.xs, chance.ys, "chance")
        ends.append((chance.ys[-1], "random", ""))
    elif chance is not None:
        axes.curve((axes.x.low, axes.x.high), (chance, chance), "chance")
        ends.append((chance, "chance", ""))
    axes.names([end for end in ends if not math.isnan(end[0])])
    everything = [*lines, chance] if isinstance(chance, Line) else lines
    return Figure(axes.drawing.svg(title), title, _numbers(everything))


def _axes(lines: Sequence[Line], chance: Line | float | None) -> Axes:
    everything = [*lines, chance] if isinstance(chance, Line) else list(lines)
    ks = [k for line in everything for k in line.xs]
    values = [v for line in everything for v in (*line.ys, *line.low, *line.high)]
    values += [chance] if isinstance(chance, int | float) else []
    known = [value for value in values if not math.isnan(value)] or [0.0, 1.0]
    low, high = min(known), max(known)
    room = 0.05 * (high - low) or 0.05
    longest = max(len(line.name) for line in everything)
    return Axes.of((min(ks), max(ks)), (low - room, high + room), right=30 + 7.2 * longest)


def _drawn(axes: Axes, lines: Sequence[Line], banded: str | None) -> list[tuple[float, str, str]]:
    """Draw bands below all lines; return where the lines end."""
    for number, line in enumerate(lines):
        if line.low and banded in (None, line.name):
            axes.band(line.xs, line.low, line.high, f"band f{colour_of(number)}")
    ends = []
    for number, line in enumerate(lines):
        klass = f"s{colour_of(number)}"
        dashed = " dashed" if number >= COLOURS else ""
        axes.curve(line.xs, line.ys, f"curve {klass}{dashed}")
        for k, value in zip(line.xs, line.ys, strict=True):
            if not math.isnan(value):
                told = f"{line.name}, k = {k}: {value:.3f}"
                axes.drawing.titled(axes.x(k), axes.y(value), 3, f"dot f{colour_of(number)}", told)
        ends.append((line.ys[-1], line.name, klass))
    return ends


def _numbers(lines: Sequence[Line]) -> Grid:
    columns = [Column("method", whole=True), *(Column(str(k), right=True) for k in lines[0].xs)]
    rows = [[line.name, *(f"{value:.3f}" for value in line.ys)] for line in lines]
    return Grid(columns, rows)
