"""The best features of a ranking: their scores, and their values by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from featrank.plots.bars import FONT, LEAST_HEIGHT, feature_axis, inches_of, score_bars
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
) -> Figure:
    """Return a figure of the best features: bars of their scores, boxes of their values by class.

    Each feature is standardised, so that features in any unit share an axis. A box holds the middle
    half of a class, its line is the median, and its whiskers reach from the 5th to the 95th
    percentile. Points are single samples beyond them, at most 60 per class. Values beyond four
    standard deviations are drawn at the edge.

    Parameters
    ----------
    names : sequence of str
        The features, best first.
    scores : ndarray of shape (n_features,)
        Their scores.
    values : ndarray of shape (n_samples, n_features)
        Their values; NaN where missing.
    codes : ndarray of shape (n_samples,) or None, default=None
        The class of each sample, as an index into ``labels``; None draws all samples together.
    labels : sequence of str
        Names of the classes.
    title : str
        Title of the figure.
    """
    groups = [np.ones(len(values), bool)] if codes is None else _members(codes, len(labels))
    least = max(LEAST_HEIGHT, BOX_HEIGHT * len(groups) + 0.1)
    figure = blank(9.0, 1.4 + inches_of(names, least) + 0.2 * _legend_rows(labels))
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=(1, 2))
    without_frame(left)
    places, heights = feature_axis(left, names, least)
    score_bars(left, places, scores)
    _boxes(right, places, heights, _standardised(values), groups)
    figure.suptitle(title, fontsize=10, color=INK, parse_math=False)
    if len(labels):
        _legend(figure, labels)
    return figure


def _members(codes: NDArray[np.integer], n_classes: int) -> list[NDArray[np.bool_]]:
    return [codes == code for code in range(n_classes)]


def _standardised(values: Floats) -> Floats:
    """Return standardised values, clipped to ±4; constants become 0, NaN stays."""
    known = ~np.isnan(values)
    count = np.maximum(known.sum(axis=0), 1)
    centred = values - np.where(known, values, 0).sum(axis=0) / count
    spread = np.sqrt((np.where(known, centred, 0) ** 2).sum(axis=0) / count)
    return np.clip(centred / np.where(spread > 0, spread, 1.0), -4.0, 4.0)


def _boxes(
    axes: Axes, places: Floats, heights: Floats, values: Floats, groups: list[NDArray[np.bool_]]
) -> None:
    without_frame(axes)
    for number, members in enumerate(groups):
        look = _look(number) if len(groups) > 1 else {"color": GREY}
        room = (heights - 0.1) / len(groups)
        own = places + (number - (len(groups) - 1) / 2) * room
        for j, (place, width) in enumerate(zip(own, room, strict=True)):
            column = values[members, j]
            _box(axes, column[~np.isnan(column)], place, width, **look)
    for edge in (places + heights / 2)[:-1]:
        axes.axhline(edge, color=PALE, linewidth=0.4, alpha=0.6, zorder=0)
    axes.axvline(0, color=PALE, linewidth=0.8, zorder=0)
    axes.use_sticky_edges = False  # the axis does not end at a box
    axes.margins(x=0.03)
    axes.set_xlabel("value, in deviations from the feature's mean", fontsize=9)
    axes.tick_params(axis="x", labelsize=FONT)
    axes.tick_params(axis="y", length=0, labelleft=False)
    axes.spines["left"].set_visible(False)


def _look(number: int) -> dict[str, str]:
    """Return the colour of a class and, if there are more classes than colours, its hatch."""
    hatch = HATCHES[number // len(COLOURS) % len(HATCHES)]
    return {"color": COLOURS[number % len(COLOURS)], "hatch": hatch}


def _box(
    axes: Axes, values: Floats, place: float, room: float, color: str, hatch: str = ""
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
    points = np.sort(values[(values < low) | (values > high)])
    if len(points) > POINTS:
        points = points[np.linspace(0, len(points) - 1, POINTS).astype(int)]
    axes.scatter(points, np.full(len(points), place), s=6, color=color, alpha=0.5, linewidths=0)
    axes.vlines(middle, place - size / 2, place + size / 2, color=color, linewidth=2)


def _legend_rows(labels: Sequence[str]) -> int:
    return -(-sum(len(label) + 6 for label in labels) // 100)


def _legend(figure: Figure, labels: Sequence[str]) -> None:
    from matplotlib.patches import Patch

    handles = []
    for look in map(_look, range(len(labels))):
        face, hatch = (look["color"], 0.35), look["hatch"]
        handles.append(Patch(facecolor=face, edgecolor=look["color"], hatch=hatch, label=" "))
    longest = max(len(label) for label in labels)
    columns = max(1, min(len(labels), 100 // (longest + 6)))
    legend(figure, handles, labels, loc="outside lower center", ncols=columns, fontsize=FONT)
