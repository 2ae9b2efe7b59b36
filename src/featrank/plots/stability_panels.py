"""Stability curves on several data sets: one panel per data set, and a common legend."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from featrank.plots.style import (
    ACCENT,
    COLOURS,
    DASHES,
    INK,
    PALE,
    blank,
    legend,
    title,
    without_frame,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["stability_panels_figure"]

Curves = Mapping[str, Sequence[float] | NDArray[np.float64]]
Style = dict[str, Any]

# Panels per row, and the size of each in inches.
COLUMNS, WIDTH, HEIGHT = 2, 4.0, 2.9
LEGEND = 1.8


def stability_panels_figure(
    curves: Mapping[str, Curves],
    ks: Sequence[int],
    *,
    measure: str = "kuncheva",
    leading: Sequence[str] = (),
    dashed: Collection[str] = (),
) -> Figure:
    """Plot stability against the number of features, one panel per data set.

    Parameters
    ----------
    curves : mapping of str to mapping of str to sequence of float
        For each data set and method the stability, one value for each of ``ks``. A method may be
        missing for some data sets.
    ks : sequence of int
        Numbers of features.
    measure : str
        Name of the measure, for the axis.
    leading : sequence of str
        Methods that are drawn with thick lines in one colour, on top; first in the legend.
    dashed : collection of str
        Methods that are drawn with dashed lines; last in the legend.
    """
    fig, panels = _panels(len(curves), ks)
    methods = list(dict.fromkeys(method for own in curves.values() for method in own))
    styles = _line_styles(methods, leading, dashed)
    lines: dict[str, Any] = {}
    marker = "o" if len(ks) == 1 else ""  # a line through one point is invisible
    for axes, (dataset, own) in zip(panels, curves.items(), strict=True):
        for method, values in own.items():
            (lines[method],) = axes.plot(ks, values, marker=marker, **styles[method])
        title(axes, dataset)
    points = [np.asarray(values) for own in curves.values() for values in own.values()]
    lowest = min((float(np.nanmin(values)) for values in points), default=0.0)
    panels[0].set_ylim(min(0.0, lowest - 0.02), 1.0)
    fig.supxlabel("number of features", fontsize=10, color=INK)
    fig.supylabel(measure, fontsize=10, color=INK)
    legend(fig, [lines[method] for method in styles], list(styles), loc="outside right center")
    return fig


def _panels(count: int, ks: Sequence[int]) -> tuple[Figure, list[Axes]]:
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    fig = blank(WIDTH * columns + LEGEND, HEIGHT * rows + 0.3)
    grid = fig.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes in grid[count:]:
        axes.remove()
    for place, axes in enumerate(grid[:count]):
        without_frame(axes)
        axes.grid(axis="y", color=PALE, alpha=0.35, linewidth=0.7)
        axes.set_axisbelow(True)
        # There may be no panel below one in the second-to-last row.
        axes.tick_params(labelbottom=place + columns >= count)
    if len(ks) > 1:
        grid[0].set(xlim=(ks[0], ks[-1]), xticks=_ticks(ks))
    return fig, list(grid[:count])


def _ticks(ks: Sequence[int]) -> list[float]:
    """Return the first number of features and the round ones up to the last."""
    from matplotlib.ticker import MaxNLocator

    values = MaxNLocator(4, steps=[1, 2, 5, 10], integer=True).tick_values(0, ks[-1])
    return [ks[0], *(value for value in values if ks[0] < value <= ks[-1])]


def _line_styles(
    methods: Sequence[str], leading: Sequence[str], dashed: Collection[str]
) -> dict[str, Style]:
    first = [method for method in leading if method in methods]
    rest = [method for method in methods if method not in first]
    styles: dict[str, Style] = {
        method: {"color": ACCENT, "linewidth": 2.4, "zorder": 4, "linestyle": dash}
        for method, dash in zip(first, cycle(DASHES), strict=False)
    }
    solid = [method for method in rest if method not in dashed]
    broken = [method for method in rest if method in dashed]
    # Methods of a kind share their dashes, until the colours run out.
    for names, dashes in ((solid, DASHES[::3]), (broken, DASHES[1:3])):
        for number, method in enumerate(names):
            turn, colour = divmod(number, len(COLOURS) - 1)
            styles[method] = {
                "color": COLOURS[1 + colour],
                "linewidth": 1.2,
                "zorder": 3,
                "linestyle": dashes[turn % len(dashes)],
            }
    return styles
