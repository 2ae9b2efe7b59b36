"""Draw the description of a plot with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from featrank._utils.plain_text import shortened
from featrank.plots.bars import FONT, feature_axis
from featrank.plots.description import (
    MAX_DOTS,
    Axis,
    Bars,
    Chart,
    Description,
    Dot,
    Label,
    Line,
    Sketch,
    Tiles,
)
from featrank.plots.style import ACCENT, COLOURS, DASHES, GREY, INK, PALE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Characters of a name in a legend, and of one next to a row of tiles.
MAX_NAME, MAX_TILE_NAME = 28, 24
BASELINE: dict[str, Any] = {"color": GREY, "linestyle": "--", "linewidth": 1.2, "marker": ""}
PERCENT_COLOURS = ("#ffffff", COLOURS[1])
STROKES = {"axis": (INK, 1.0), "edge": (GREY, 0.9), "group": (ACCENT, 3.0)}
CORRELATION_COLOURS = (COLOURS[1], "#ffffff", COLOURS[0])


def draw(axes: Axes, description: Description) -> None:
    """Draw a plot into axes."""
    if isinstance(description, Chart):
        _draw_chart(axes, description)
    elif isinstance(description, Tiles):
        _draw_tiles(axes, description)
    elif isinstance(description, Bars):
        _draw_bars(axes, description)
    else:
        _draw_sketch(axes, description)


def _draw_chart(axes: Axes, chart: Chart) -> None:
    handles = [_draw_line(axes, line) for line in chart.lines]
    handles += [axes.axhline(value, **BASELINE, zorder=1) for value in chart.levels.values()]
    if chart.dots:
        xs, ys = zip(*((dot.x, dot.y) for dot in chart.dots), strict=True)
        axes.scatter(xs, ys, s=14, color=COLOURS[1], alpha=0.6, linewidths=0, zorder=2)
    _scale_axis(axes, "x", chart.x)
    _scale_axis(axes, "y", chart.y)
    if chart.square:
        axes.plot(axes.get_xlim(), axes.get_ylim(), color=PALE, linewidth=1, zorder=1)
        axes.set_aspect("equal")
    if chart.mark is not None:
        _draw_mark(axes, chart.mark)
    if handles:
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


def _draw_mark(axes: Axes, mark: Dot) -> None:
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


def _scale_axis(axes: Axes, name: Literal["x", "y"], axis: Axis) -> None:
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator, StrMethodFormatter

    drawn = {"x": axes.xaxis, "y": axes.yaxis}[name]
    drawn.set_label_text(axis.label, parse_math=False)
    axes.set(**{f"{name}scale": "log" if axis.log else "linear"})
    axes.set(**{f"{name}lim": (axis.low, axis.high)})
    if axis.log:
        drawn.set_major_formatter(StrMethodFormatter("{x:g}"))
        drawn.set_minor_formatter(NullFormatter())
        if axis.ticks:
            drawn.set_major_locator(FixedLocator(axis.ticks))
            drawn.set_minor_locator(NullLocator())
    elif axis.symbol == "k":
        axes.locator_params(axis=name, integer=True)


def _add_legend(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Add a legend: next to the axes if the layout makes room, else where it hides least."""
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
    for label in box.get_texts():
        label.set_parse_math(False)


def _draw_tiles(axes: Axes, tiles: Tiles) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    colours = PERCENT_COLOURS if tiles.percent else CORRELATION_COLOURS
    drawn = axes.imshow(
        tiles.values,
        cmap=LinearSegmentedColormap.from_list("tiles", colours),
        vmin=0 if tiles.percent else -1,
        vmax=1,
        interpolation="nearest",
    )
    axes.spines[:].set_visible(False)
    names = [shortened(name, MAX_TILE_NAME) for name in tiles.names]
    size = 9 if tiles.percent or len(names) <= 15 else 7
    axes.set_yticks(range(len(names)), names, fontsize=size, parse_math=False)
    for start, side in tiles.frames:
        corner = (start - 0.5, start - 0.5)
        axes.add_patch(Rectangle(corner, side, side, fill=False, edgecolor=INK, linewidth=1))
    if tiles.percent:
        _write_percentages(axes, tiles, names)
    else:
        axes.set_xticks([])
        _add_colour_bar(axes, drawn)
    axes.tick_params(length=0)


def _write_percentages(axes: Axes, tiles: Tiles, names: Sequence[str]) -> None:
    axes.xaxis.tick_top()
    slanted: dict[str, Any] = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"}
    axes.set_xticks(range(len(names)), names, fontsize=9, parse_math=False, **slanted)
    for (row, column), share in np.ndenumerate(tiles.values):
        ink = "#ffffff" if share > 0.55 else INK
        centred: dict[str, Any] = {"ha": "center", "va": "center"}
        axes.text(column, row, f"{100 * share:.0f}", color=ink, size=9, **centred)


def _add_colour_bar(axes: Axes, drawn: Any) -> None:
    bar = axes.get_figure().colorbar(  # type: ignore[union-attr]
        drawn, ax=axes, shrink=0.6, pad=0.02, ticks=[-1, -0.5, 0, 0.5, 1]
    )
    bar.set_label("Pearson's r", color=INK, fontsize=9)
    bar.ax.tick_params(colors=INK, labelsize=8)
    bar.outline.set_visible(False)


def _draw_bars(axes: Axes, bars: Bars) -> None:
    places, _ = feature_axis(axes, bars.names)
    start = bars.axis.low or 0.0
    _scale_axis(axes, "x", bars.axis)
    ends = np.array([value if value > start else start for value in bars.values])
    axes.barh(places, ends - start, left=start, height=0.2, color=GREY)
    for end, place, label in zip(ends, places, bars.labels, strict=True):
        _label_point(axes, Label(end, place, label))
    axes.tick_params(axis="x", labelsize=FONT)


def _label_point(axes: Axes, label: Label, **options: Any) -> None:
    """Write a label next to a point."""
    offset, side = {"start": (4, "left"), "middle": (0, "center"), "end": (-4, "right")}[
        label.anchor
    ]
    axes.annotate(
        label.content,
        (label.x, label.y),
        (offset, 0),
        textcoords="offset points",
        ha=side,
        va="center",
        fontsize=FONT,
        color=INK,
        parse_math=False,
        **options,
    )


def _draw_sketch(axes: Axes, sketch: Sketch) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.patheffects import withStroke

    axes.set(xlim=sketch.x, ylim=sketch.y)
    for kind, (colour, width) in STROKES.items():
        strokes = [stroke for stroke in sketch.strokes if stroke.kind == kind]
        if strokes:
            points, opacities = zip(*((s.points, s.opacity) for s in strokes), strict=True)
            lines = LineCollection(points, colors=colour, alpha=opacities, linewidths=width)
            axes.add_collection(lines)
    if sketch.dots:
        xs, ys = zip(*((dot.x, dot.y) for dot in sketch.dots), strict=True)
        axes.scatter(xs, ys, s=22, color=COLOURS[0], zorder=2, linewidths=0)
    halo = [withStroke(linewidth=2.5, foreground="#ffffff")]
    for label in sketch.labels:
        _label_point(axes, label, path_effects=halo, zorder=3)
    axes.axis("off")
