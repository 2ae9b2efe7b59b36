"""Scores next to names of any length, as bars or as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill, wrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from featrank._utils.plain_text import one_line
from featrank.plots.style import GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

# Characters per line of a name; longer names are wrapped.
LINE = 32
# Height of a line of a name and minimum height of a bar, in inches.
LINE_HEIGHT, LEAST_HEIGHT = 0.15, 0.3
FONT, LETTER_WIDTH = 8, 0.08
# Characters per line of the name of a column of numbers.
HEADING = 14


def wrapped(name: str) -> str:
    """Wrap a name, at spaces if possible. Nothing is cut off."""
    return "\n".join(wrap(one_line(name), LINE, break_on_hyphens=False) or [" "])


def draw_values(axes: Axes, places: Floats, values: Floats, name: str, *, bars: bool) -> None:
    """Draw one value per feature, as bars or as numbers. A feature without a value has NaN."""
    (_draw_bars if bars else _write_numbers)(axes, places, values)
    if bars:
        axes.set_xlabel(name, fontsize=9, parse_math=False)
    else:
        axes.set_xlabel(fill(name, HEADING), fontsize=9, loc="right", parse_math=False)
    axes.tick_params(axis="x", labelsize=FONT)
    axes.tick_params(axis="y", length=0)


def _draw_bars(axes: Axes, places: Floats, values: Floats) -> None:
    """Draw one bar per value. An infinite value is the longest bar, labelled ∞."""
    finite = values[np.isfinite(values)]
    longest = 1.25 * max(finite.max(initial=0.0), 1e-300) if len(finite) else 1.0
    lengths = np.where(np.isinf(values), longest, np.nan_to_num(values))
    axes.barh(places, lengths, height=0.2, color=GREY)
    for place, length in zip(places[np.isinf(values)], lengths[np.isinf(values)], strict=True):
        axes.text(length, place, " ∞", va="center", fontsize=FONT)
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=4)


def _write_numbers(axes: Axes, places: Floats, values: Floats) -> None:
    """Write the values, without an axis: their lengths would be read as strengths."""
    for place, value in zip(places, values, strict=True):
        number = "" if np.isnan(value) else f"{value:.4g}".replace("inf", "∞").replace("-", "−")
        axes.text(1, place, number, ha="right", va="center", fontsize=FONT, color=INK)
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.spines[["bottom", "left"]].set_visible(False)


def feature_axis(
    axes: Axes, names: Sequence[str], least: float = LEAST_HEIGHT
) -> tuple[Floats, Floats]:
    """Write names along the y axis, best on top; return their positions and heights in inches."""
    shown = [wrapped(name) for name in names]
    heights = np.array([_height(name, least) for name in shown])
    places = np.cumsum(heights) - heights / 2
    axes.set_yticks(places, shown, fontsize=FONT, parse_math=False)
    axes.set_ylim(max(heights.sum(), 0.1), 0)
    axes.tick_params(axis="y", length=0)
    return places, heights


def width_of(names: Sequence[str]) -> float:
    """Return the width of the longest line of the names, in inches."""
    return LETTER_WIDTH * max(
        (len(line) for n in names for line in wrapped(n).split("\n")), default=0
    )


def inches_of(names: Sequence[str], least: float = LEAST_HEIGHT) -> float:
    """Return the total height of the names, in inches."""
    return sum(_height(wrapped(name), least) for name in names)


def _height(name: str, least: float) -> float:
    return max(least, LINE_HEIGHT * (name.count("\n") + 1) + 0.05)
