"""Bars of scores next to names of any length."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from featrank._utils.plain_text import one_line
from featrank.plots.style import GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

# Characters per line of a name; longer names are wrapped.
LINE = 32
# Height of a line of a name and minimum height of a bar, in inches.
LINE_HEIGHT, LEAST_HEIGHT = 0.15, 0.3
FONT = 8


def wrapped(name: str) -> str:
    """Wrap a name, at spaces if possible. Nothing is cut off."""
    return "\n".join(wrap(one_line(name), LINE, break_on_hyphens=False) or [" "])


def score_bars(axes: Axes, places: Floats, scores: Floats) -> None:
    """Draw one bar per score. An infinite score is the longest bar, labelled ∞."""
    finite = scores[np.isfinite(scores)]
    longest = 1.25 * max(finite.max(initial=0.0), 1e-300) if len(finite) else 1.0
    lengths = np.where(np.isfinite(scores), scores, longest)
    axes.barh(places, lengths, height=0.2, color=GREY)
    for place, score, length in zip(places, scores, lengths, strict=True):
        if not np.isfinite(score):
            axes.text(length, place, " ∞", va="center", fontsize=FONT)
    axes.set_xlabel("score", fontsize=9)
    axes.margins(x=0.08)
    axes.locator_params(axis="x", nbins=4)
    axes.tick_params(axis="x", labelsize=FONT)
    axes.tick_params(axis="y", length=0)


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


def inches_of(names: Sequence[str], least: float = LEAST_HEIGHT) -> float:
    """Return the total height of the names, in inches."""
    return sum(_height(wrapped(name), least) for name in names)


def _height(name: str, least: float) -> float:
    return max(least, LINE_HEIGHT * (name.count("\n") + 1) + 0.05)
