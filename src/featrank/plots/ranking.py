"""The best features of a ranking: their scores, and their values by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from featrank.base.shown_values import SCORE
from featrank.plots.bars import FONT, LEAST_HEIGHT, draw_values, feature_axis, inches_of
from featrank.plots.robust_axis import axis_limits, robust_z_scores
from featrank.plots.style import COLOURS, GREY, HATCHES, INK, PALE, blank, legend, without_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ranking_figure"]

Floats = NDArray[np.float64]

# Height of a box in inches; a feature has one per class.
BOX_HEIGHT = 0.13
# Samples per class that are drawn as points, at most.
POINTS = 60


def ranking_figure(
    names: Sequence[str],
    scores: Floats,
    values: Floats,
    codes: NDArray[np.integer] | None = None,
    labels: Sequence[str] = (),
    *,
    title: str = "",
    value_name: str = SCORE,
    bars: bool = True,
) -> Figure:
    """Plot the best features: their scores, and boxes of their values by class.

    Each feature is standardised, so that features in any unit share an axis: a robust z-score is
    the distance from the feature's median in units of its robust standard deviation, which is the
    distance between the 5th and the 95th percentile over 3.29. A box holds the middle half of a
    class, its line is the median, and its whiskers reach from the 5th to the 95th percentile.
    Points are single samples beyond them, at most 60 per class. If a few extreme values would
    squash the rest, the axis ends before them. Triangles at its edge mark them, and the label of
    the axis says how many there are.

    Parameters
    ----------
    names : sequence of str
        The features, best first.
    scores : ndarray of shape (n_features,)
        Their scores, or values of the criterion; NaN for a feature without one.
    values : ndarray of shape (n_samples, n_features)
        Their values; NaN where missing.
    codes : ndarray of shape (n_samples,) or None, default=None
        The class of each sample, as an index into ``labels``; None draws all samples together.
    labels : sequence of str
        Names of the classes.
    title : str
        Title of the plot.
    value_name : str, default="score"
        Name of the scores.
    bars : bool, default=True
        Whether to draw bars of the scores. Otherwise they are written as numbers.
    """
    groups = [np.ones(len(values), bool)] if codes is None else _members(codes, len(labels))
    least = max(LEAST_HEIGHT, BOX_HEIGHT * len(groups) + 0.1)
    fig = blank(9.0, 1.4 + inches_of(names, least) + 0.2 * _legend_rows(labels))
    left, right = fig.subplots(1, 2, sharey=True, width_ratios=(1 if bars else 0.3, 2))
    without_frame(left)
    places, heights = feature_axis(left, names, least)
    draw_values(left, places, scores, value_name, bars=bars)
    _boxes(right, places, heights, robust_z_scores(values), groups)
    fig.suptitle(title, fontsize=10, color=INK, parse_math=False)
    if len(labels):
        _legend(fig, labels)
    return fig


def _members(codes: NDArray[np.integer], n_classes: int) -> list[NDArray[np.bool_]]:
    return [codes == code for code in range(n_classes)]


def _boxes(
    axes: Axes, places: Floats, heights: Floats, values: Floats, groups: list[NDArray[np.bool_]]
) -> None:
    without_frame(axes)
    limits = axis_limits(values, _quartiles(values, groups))
    for number, members in enumerate(groups):
        look = _look(number) if len(groups) > 1 else {"color": GREY}
        room = (heights - 0.1) / len(groups)
        own = places + (number - (len(groups) - 1) / 2) * room
        for j, (place, width) in enumerate(zip(own, room, strict=True)):
            column = values[members, j]
            _box(axes, column[~np.isnan(column)], place, width, limits, **look)
    for edge in (places + heights / 2)[:-1]:
        axes.axhline(edge, color=PALE, linewidth=0.4, alpha=0.6, zorder=0)
    axes.axvline(0, color=PALE, linewidth=0.8, zorder=0)
    margin = 0.03 * (limits[1] - limits[0]) or 1.0
    axes.set_xlim(limits[0] - margin, limits[1] + margin)
    axes.set_xlabel(_axis_label(values, limits), fontsize=9)
    axes.tick_params(axis="x", labelsize=FONT)
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.spines["left"].set_visible(False)


def _quartiles(values: Floats, groups: list[NDArray[np.bool_]]) -> Floats:
    """Return the ends of all boxes."""
    columns = [values[members, j] for members in groups for j in range(values.shape[1])]
    known = [column[~np.isnan(column)] for column in columns]
    return np.array([np.percentile(column, [25, 75]) for column in known if len(column)])


def _axis_label(values: Floats, limits: tuple[float, float]) -> str:
    beyond = int(np.sum((values < limits[0]) | (values > limits[1])))
    label = "value, as a robust z-score"
    if not beyond:
        return label
    return f"{label}\n◂ ▸ {beyond:,} value{'s' if beyond > 1 else ''} beyond the axis"


def _look(number: int) -> dict[str, str]:
    """Return the colour of a class and, if there are more classes than colours, its hatch."""
    hatch = HATCHES[number // len(COLOURS) % len(HATCHES)]
    return {"color": COLOURS[number % len(COLOURS)], "hatch": hatch}


def _box(
    axes: Axes,
    values: Floats,
    place: float,
    room: float,
    limits: tuple[float, float],
    color: str,
    hatch: str = "",
) -> None:
    if not len(values):
        return
    low, first, middle, third, high = np.percentile(values, [5, 25, 50, 75, 95])
    size = min(0.7 * room, 0.2)
    axes.hlines(place, low, high, color=color, linewidth=0.8)
    axes.barh(
        place,
        third - first,
        left=first,
        height=size,
        color=(color, 0.35),
        edgecolor=color,
        linewidth=0.8,
        hatch=hatch,
    )
    _mark_beyond(axes, values, place, limits, color)
    drawn = (values >= limits[0]) & (values <= limits[1])
    points = np.sort(values[((values < low) | (values > high)) & drawn])
    if len(points) > POINTS:
        points = points[np.linspace(0, len(points) - 1, POINTS).astype(int)]
    axes.scatter(points, np.full(len(points), place), s=6, color=color, alpha=0.5, linewidths=0)
    axes.vlines(middle, place - size / 2, place + size / 2, color=color, linewidth=2)


def _mark_beyond(
    axes: Axes, values: Floats, place: float, limits: tuple[float, float], color: str
) -> None:
    """Draw a triangle at each edge that some values lie beyond."""
    for edge, marker, beyond in (
        (limits[0], "<", values < limits[0]),
        (limits[1], ">", values > limits[1]),
    ):
        if beyond.any():
            axes.scatter(edge, place, s=14, marker=marker, color=color, linewidths=0, zorder=3)


def _legend_rows(labels: Sequence[str]) -> int:
    return -(-sum(len(label) + 6 for label in labels) // 100)


def _legend(fig: Figure, labels: Sequence[str]) -> None:
    from matplotlib.patches import Patch

    handles = []
    for look in map(_look, range(len(labels))):
        face, hatch = (look["color"], 0.35), look["hatch"]
        handles.append(Patch(facecolor=face, edgecolor=look["color"], hatch=hatch, label=" "))
    longest = max(len(label) for label in labels)
    columns = max(1, min(len(labels), 100 // (longest + 6)))
    legend(fig, handles, labels, loc="outside lower center", ncols=columns, fontsize=FONT)
