"""Figures as SVG text: axes, lines, bands, boxes and tiles, without a drawing library.

Colours are classes that the page's style sheet gives a light and a dark value, so that nothing
needs a style of its own. Everything that comes from data is escaped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from featrank._utils.plain_text import one_line

# Letters are about this wide, in parts of the font's size.
LETTER = 0.58
FONT = 12
# A wider picture than this is too small to read on a phone.
WIDE = 800


def text_width(text: str, size: float = FONT) -> float:
    """Return about how wide a text is."""
    return LETTER * size * len(text)


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
    """A range of values and the pixels it is drawn on, linear or logarithmic."""

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
        """Return where to write numbers."""
        if not self.log:
            return ticks(self.low, self.high, count)
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        every = [10.0**power for power in powers]
        return [value for value in every if self.low <= value <= self.high] or [self.low]


@dataclass
class Drawing:
    """An SVG picture that is put together piece by piece."""

    width: float
    height: float
    pieces: list[str] = field(default_factory=list)

    def add(self, name: str, text: str | None = None, **attributes: object) -> None:
        """Add an element; underscores in names are hyphens, and ``klass`` is its class."""
        parts = "".join(
            f' {"class" if key == "klass" else key.replace("_", "-")}="{_shown(value)}"'
            for key, value in attributes.items()
            if value is not None
        )
        if text is None:
            self.pieces.append(f"<{name}{parts}/>")
        else:
            self.pieces.append(f"<{name}{parts}>{escape(one_line(text))}</{name}>")

    def text(self, x: float, y: float, text: str, **attributes: object) -> None:
        """Write a text."""
        self.add("text", text, x=x, y=y, **attributes)

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
        """Draw a line through points; it breaks where one is no number."""
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
        """Draw a dot that tells what it is when the mouse is over it."""
        self.pieces.append(
            f'<circle cx="{_shown(x)}" cy="{_shown(y)}" r="{_shown(radius)}" class="{klass}">'
            f"<title>{escape(one_line(title))}</title></circle>"
        )

    def svg(self, title: str) -> str:
        """Return the picture, with a title that screen readers read."""
        # On a phone a wide one is moved: made to fit, nobody could read it.
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
    """Two scales in a drawing, with room for what is written at their sides."""

    drawing: Drawing
    x: Scale
    y: Scale

    @classmethod
    def of(
        cls,
        x: tuple[float, float],
        y: tuple[float, float],
        *,
        width: float = 640,
        height: float = 320,
        left: float = 52,
        right: float = 130,
        log_x: bool = False,
        log_y: bool = False,
    ) -> Axes:
        """Return axes for these ranges of values."""
        drawing = Drawing(width, height)
        return cls(
            drawing,
            Scale(*x, left, width - right, log_x),
            Scale(*y, height - 42, 26, log_y),
        )

    def frame(
        self,
        x_label: str,
        y_label: str,
        *,
        x_ticks: Sequence[float] | None = None,
        show_x: Callable[[float], str] = "{:g}".format,
        show_y: Callable[[float], str] = "{:g}".format,
    ) -> None:
        """Draw grid lines, numbers and what they are of."""
        d, (left, right), (bottom, top) = (
            self.drawing,
            (self.x.start, self.x.end),
            (self.y.start, self.y.end),
        )
        for value in self.y.ticks():
            d.line(left, self.y(value), right, self.y(value), "grid")
            d.text(left - 6, self.y(value) + 4, show_y(value), text_anchor="end", klass="tick")
        last = -math.inf
        for value in self.x.ticks() if x_ticks is None else x_ticks:
            half = text_width(show_x(value)) / 2 + 2
            if self.x(value) - half > last:
                d.text(
                    self.x(value), bottom + 16, show_x(value), text_anchor="middle", klass="tick"
                )
                last = self.x(value) + half
        d.line(left, bottom, right, bottom)
        d.text((left + right) / 2, bottom + 36, x_label, text_anchor="middle", klass="label")
        d.text(left - 40, top - 12, y_label, klass="label")

    def curve(self, xs: Sequence[float], ys: Sequence[float], klass: str) -> None:
        """Draw a line through points."""
        self.drawing.path(((self.x(x), self.y(y)) for x, y in zip(xs, ys, strict=True)), klass)

    def band(
        self, xs: Sequence[float], low: Sequence[float], high: Sequence[float], klass: str
    ) -> None:
        """Fill what lies between two lines."""
        known = [
            (x, lo, hi)
            for x, lo, hi in zip(xs, low, high, strict=True)
            if not (math.isnan(lo) or math.isnan(hi))
        ]
        up = [(self.x(x), self.y(lo)) for x, lo, _ in known]
        down = [(self.x(x), self.y(hi)) for x, _, hi in reversed(known)]
        if len(known) > 1:
            self.drawing.path([*up, *down], klass, closed=True)

    def names(self, ends: Sequence[tuple[float, str, str]], least: float = 15) -> None:
        """Write names at the right ends of curves, apart from each other, with lines to them.

        ``ends`` are values at the right end, names and classes.
        """
        right = self.x.end
        wanted = sorted((self.y(value), name, klass) for value, name, klass in ends)
        places = spread([place for place, _, _ in wanted], least, self.y.end, self.y.start)
        for (own, name, klass), place in zip(wanted, places, strict=True):
            self.drawing.path([(right + 2, own), (right + 12, place)], f"lead {klass}")
            self.drawing.text(right + 15, place + 4, name, klass=f"name {klass}")


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Return places near those wanted (in order) that are at least so far apart.

    Examples
    --------
    >>> spread([10, 11, 12], 5, 0, 100)
    [6.0, 11.0, 16.0]
    """
    if not wanted:
        return []
    groups: list[list[float]] = []
    for place in wanted:
        groups.append([place, 1])
        while (
            len(groups) > 1
            and _gap(groups[-2], groups[-1]) < least * (groups[-2][1] + groups[-1][1]) / 2
        ):
            (a, m), (b, n) = groups[-2:]
            groups[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    places: list[float] = []
    for centre, count in groups:
        half = least * (count - 1) / 2
        centre = min(max(centre, low + half), max(high - half, low + half))
        places += [centre - half + least * place for place in range(int(count))]
    return places


def _gap(first: list[float], second: list[float]) -> float:
    return second[0] - first[0]
