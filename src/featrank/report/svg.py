"""SVG drawings: lines, bands, labels and axes, without a drawing library.

Colours are CSS classes, for which the style sheet of the HTML report has light and dark values.
Everything that comes from data is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from featrank._utils.plain_text import one_line

# Approximate width of a character, in pixels.
CHARACTER = 0.58 * 12
# A drawing wider than this is too small to read on a phone.
WIDE = 800


def text_width(label: str) -> float:
    """Return the approximate width of a label."""
    return CHARACTER * len(label)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return about ``count`` round numbers from ``low`` to ``high``.

    Examples
    --------
    >>> ticks(0, 1), ticks(0.62, 0.97, 4)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.7, 0.8, 0.9])
    """
    if not high > low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((1, 2, 2.5, 5, 10), key=lambda part: abs(part * power - rough)) * power
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


@dataclass(frozen=True)
class Scale:
    """A mapping of values to pixels, linear or logarithmic."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high = self.low, self.high
        if self.log:
            value, low, high = (math.log10(max(each, 1e-12)) for each in (value, low, high))
        share = (value - low) / (high - low) if high != low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self, count: int = 5) -> list[float]:
        """Return the values to label."""
        if not self.log:
            return ticks(self.low, self.high, count)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        every = [10.0**power for power in powers]
        return [value for value in every if self.low <= value <= self.high] or [self.low]


@dataclass
class Drawing:
    """An SVG drawing that is built element by element."""

    width: float
    height: float
    pieces: list[str] = field(default_factory=list)

    def add(self, name: str, content: str | None = None, **attributes: object) -> None:
        """Add an element; underscores in names become hyphens, and ``klass`` is its class."""
        parts = "".join(
            f' {"class" if key == "klass" else key.replace("_", "-")}="{_shown(value)}"'
            for key, value in attributes.items()
            if value is not None
        )
        if content is None:
            self.pieces.append(f"<{name}{parts}/>")
        else:
            self.pieces.append(f"<{name}{parts}>{escape(one_line(content))}</{name}>")

    def label(self, x: float, y: float, label: str, **attributes: object) -> None:
        """Write a label."""
        self.add("text", label, x=x, y=y, **attributes)

    def line(self, x1: float, y1: float, x2: float, y2: float, klass: str = "axis") -> None:
        """Draw a straight line."""
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, klass=klass)

    def path(
        self,
        points: Iterable[tuple[float, float]],
        klass: str,
        closed: bool = False,
        opacity: float = 1.0,
    ) -> None:
        """Draw a line through points, interrupted at NaN."""
        steps: list[str] = []
        pen_up = True
        for x, y in points:
            if math.isnan(x) or math.isnan(y):
                pen_up = True
                continue
            steps.append(f"{'M' if pen_up else 'L'}{_shown(x)} {_shown(y)}")
            pen_up = False
        if steps:
            self.add(
                "path",
                d="".join(steps) + ("Z" if closed else ""),
                klass=klass,
                stroke_opacity=opacity if opacity < 1 else None,
            )

    def titled(self, x: float, y: float, radius: float, klass: str, title: str) -> None:
        """Draw a dot with a tooltip."""
        self.pieces.append(
            f'<circle cx="{_shown(x)}" cy="{_shown(y)}" r="{_shown(radius)}" class="{klass}">'
            f"<title>{escape(one_line(title))}</title></circle>"
        )

    def svg(self, title: str) -> str:
        """Return the SVG, with a title for screen readers."""
        # On a phone, a wide drawing is scrolled instead of shrunk.
        wide = ' class="wide"' if self.width > WIDE else ""
        return (
            f'<svg{wide} viewBox="0 0 {_shown(self.width)} {_shown(self.height)}" '
            f'width="{_shown(self.width)}" height="{_shown(self.height)}" role="img" '
            f'aria-label="{escape(one_line(title))}">{"".join(self.pieces)}</svg>'
        )


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return escape(str(value))


@dataclass(frozen=True)
class Axes:
    """Two scales in a drawing, with room for labels around them."""

    drawing: Drawing
    x: Scale
    y: Scale

    def frame(self, x_label: str, y_label: str, *, x_ticks: Sequence[float] | None = None) -> None:
        """Draw grid lines, ticks and labels."""
        d, left, right, bottom = self.drawing, self.x.start, self.x.end, self.y.start
        for value in self.y.ticks():
            d.line(left, self.y(value), right, self.y(value), "grid")
            d.label(left - 6, self.y(value) + 4, f"{value:g}", text_anchor="end", klass="tick")
        last = -math.inf
        for value in self.x.ticks() if x_ticks is None else x_ticks:
            x, half = self.x(value), text_width(f"{value:g}") / 2 + 2
            if x - half > last:
                d.label(x, bottom + 16, f"{value:g}", text_anchor="middle", klass="tick")
                last = x + half
        d.line(left, bottom, right, bottom)
        d.label((left + right) / 2, bottom + 36, x_label, text_anchor="middle", klass="label")
        d.label(left - 40, self.y.end - 12, y_label, klass="label")

    def curve(self, xs: Sequence[float], ys: Sequence[float], klass: str) -> None:
        """Draw a line through points."""
        self.drawing.path(((self.x(x), self.y(y)) for x, y in zip(xs, ys, strict=True)), klass)

    def band(
        self, xs: Sequence[float], low: Sequence[float], high: Sequence[float], klass: str
    ) -> None:
        """Fill the area between two lines."""
        ends = [each for each in zip(xs, low, high, strict=True) if not any(map(math.isnan, each))]
        if len(ends) > 1:
            lower = [(self.x(x), self.y(y)) for x, y, _ in ends]
            upper = [(self.x(x), self.y(y)) for x, _, y in reversed(ends)]
            self.drawing.path([*lower, *upper], klass, closed=True)

    def names(self, ends: Sequence[tuple[float, str, str]]) -> None:
        """Write names at the right ends of curves, without overlaps, with lines to the curves.

        ``ends`` are values at the right end, names and classes.
        """
        right = self.x.end
        wanted = sorted((self.y(value), name, klass) for value, name, klass in ends)
        places = spread([place for place, _, _ in wanted], 15, self.y.end, self.y.start)
        for (own, name, klass), place in zip(wanted, places, strict=True):
            self.drawing.path([(right + 2, own), (right + 12, place)], f"lead {klass}")
            self.drawing.label(right + 15, place + 4, name, klass=f"name {klass}")


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Return positions near the (sorted) wanted ones that are at least this far apart.

    Examples
    --------
    >>> spread([10, 11, 12], 5, 0, 100)
    [6.0, 11.0, 16.0]
    """
    # Positions that are too close are merged into groups: centre and size.
    groups: list[tuple[float, int]] = []
    for place in wanted:
        centre, size = float(place), 1
        while groups and centre - groups[-1][0] < least * (groups[-1][1] + size) / 2:
            other, count = groups.pop()
            centre = (other * count + centre * size) / (count + size)
            size += count
        groups.append((centre, size))
    places: list[float] = []
    for centre, size in groups:
        half = least * (size - 1) / 2
        first = min(max(centre, low + half), max(high - half, low + half)) - half
        places += [first + least * place for place in range(size)]
    return places
