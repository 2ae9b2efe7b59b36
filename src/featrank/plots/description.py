"""What a plot shows, as plain data. It is drawn by matplotlib here, and as SVG in reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

# A line with at most this many points shows them as dots.
MAX_DOTS = 30


@dataclass(frozen=True)
class Line:
    """A named line; ``low`` and ``high`` are the ends of its band, if it has one.

    ``colour`` counts through the palette and then through the dashes. None is for the random
    ranking: grey and dashed.
    """

    name: str
    xs: Sequence[float]
    ys: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    colour: int | None = 0


@dataclass(frozen=True)
class Axis:
    """An axis; limits and ticks that are None follow from the data."""

    label: str
    symbol: str = ""
    low: float | None = None
    high: float | None = None
    ticks: Sequence[float] | None = None
    log: bool = False


@dataclass(frozen=True)
class Dot:
    """A labelled point."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Chart:
    """Lines and dots in a pair of axes.

    ``levels`` are horizontal lines by name. A ``mark`` is a point on a line with its label. A
    ``square`` chart has axes of the same scale and shows the diagonal.
    """

    x: Axis
    y: Axis
    lines: Sequence[Line] = ()
    dots: Sequence[Dot] = ()
    levels: Mapping[str, float] = field(default_factory=dict)
    mark: Dot | None = None
    square: bool = False


@dataclass(frozen=True)
class Tiles:
    """A square table of values in colours, with the names of its rows.

    With ``percent`` the values are from 0 to 1 and are also written, and columns have names, too.
    Without it they are correlations. ``frames`` are squares on the diagonal: first row and size.
    """

    names: Sequence[str]
    values: Sequence[Sequence[float]]
    percent: bool = False
    frames: Sequence[tuple[int, int]] = ()


@dataclass(frozen=True)
class Bars:
    """Horizontal bars with names, and labels at their ends; a bar that is NaN has only a label."""

    axis: Axis
    names: Sequence[str]
    values: Sequence[float]
    labels: Sequence[str]


@dataclass(frozen=True)
class Stroke:
    """A line through points; "axis", "edge" and "group" strokes differ in colour and width."""

    kind: Literal["axis", "edge", "group"]
    points: Sequence[tuple[float, float]]
    opacity: float = 1.0


@dataclass(frozen=True)
class Label:
    """A label to the right of a point ("start"), to its left ("end") or centred on it."""

    x: float
    y: float
    content: str
    anchor: Literal["start", "middle", "end"] = "start"


@dataclass(frozen=True)
class Sketch:
    """Strokes, dots and labels without axes. ``x`` and ``y`` are limits, left and lower ones first.

    ``height`` is in pixels.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    height: float
    strokes: Sequence[Stroke]
    labels: Sequence[Label]
    dots: Sequence[Dot] = ()


Description = Chart | Tiles | Bars | Sketch


def lines_by_method(
    rows: Sequence[Mapping[str, Any]],
    x: str,
    y: str,
    *,
    baseline: str | None = None,
    banded: str | None = None,
) -> list[Line]:
    """Return a line per method, the baseline last.

    Bands are drawn where the rows have ``low`` and ``high``: for every method, or only for the
    one that is ``banded``.
    """
    methods = [name for name in dict.fromkeys(row["method"] for row in rows) if name != baseline]
    lines = []
    for number, name in enumerate(methods):
        own = [row for row in rows if row["method"] == name]
        has_band = banded in (None, name) and "low" in own[0]
        low, high = ([row[end] for row in own] if has_band else [] for end in ("low", "high"))
        xs, ys = [row[x] for row in own], [row[y] for row in own]
        lines.append(Line(name, xs, ys, low, high, number))
    own = [row for row in rows if row["method"] == baseline]
    if own:
        xs, ys = [row[x] for row in own], [row[y] for row in own]
        lines.append(Line(str(baseline), xs, ys, colour=None))
    return lines


def feature_count_axis(ks: Sequence[int]) -> Axis:
    """Return an axis of numbers of features: from 0, or logarithmic if they span decades."""
    if len(ks) > 1 and max(ks) > 30 * min(ks):
        return Axis("number of features k", "k", ticks=sorted(set(ks)), log=True)
    return Axis("number of features k", "k", low=0)
