"""Tables for notebooks: plain HTML and SVG without scripts, with all names escaped."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from html import escape

from featrank._utils.plain_text import one_line

# Length and height of the longest bar, in pixels.
LONGEST, HIGH = 160, 10


def table(
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    below: str = "",
    bold: Collection[tuple[int, int]] = (),
) -> str:
    """Return a table with a line above and below. ``bold`` has the (row, column) of bold cells.

    Examples
    --------
    >>> table("", ["a"], [["<b>"]])
    '<div><p></p><table><thead><tr><th>a</th></tr></thead><tbody><tr><td>&lt;b&gt;</td>...'
    """
    body = [
        [_cell(content, bold=(row, column) in bold) for column, content in enumerate(cells)]
        for row, cells in enumerate(rows)
    ]
    return _framed(title, heads, body, below)


def best_features(
    title: str, columns: Mapping[str, Sequence[str]], values: Sequence[float], *, below: str = ""
) -> str:
    """Return a table of features with one bar per value. Without values there are no bars.

    Examples
    --------
    >>> best_features("Best", {"feature": ["a", "b"]}, [2.0, 1.0]).count("<rect")
    2
    >>> best_features("Best", {"feature": ["a", "b"]}, []).count("<rect")
    0
    """
    cells = [[_cell(content) for content in column] for column in columns.values()]
    bars = [f"<td>{_bar(length)}</td>" for length in _lengths(values)]
    body = list(zip(*cells, *([bars] if bars else []), strict=True))
    return _framed(title, [*columns, *([""] if bars else [])], body, below)


def _framed(title: str, heads: Sequence[str], body: Sequence[Sequence[str]], below: str) -> str:
    head = "".join(f"<th>{_escaped(name)}</th>" for name in heads)
    lines = "".join(f"<tr>{''.join(cells)}</tr>" for cells in body)
    return (
        f"<div><p>{_escaped(title)}</p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{lines}</tbody></table><p>{_escaped(below)}</p></div>"
    )


def _cell(content: str, *, bold: bool = False) -> str:
    return f"<td>{f'<b>{_escaped(content)}</b>' if bold else _escaped(content)}</td>"


def _escaped(content: str) -> str:
    return escape(one_line(content))


def _lengths(scores: Sequence[float]) -> list[float]:
    """Return fractions of the longest bar. Infinite scores get the longest bar."""
    finite = [score for score in scores if math.isfinite(score)]
    largest = max(finite, default=0.0)
    room = 1.0 if len(finite) == len(scores) else 0.8
    known = iter([room * max(score, 0.0) / largest if largest > 0 else 0.0 for score in finite])
    return [next(known) if math.isfinite(score) else 1.0 for score in scores]


def _bar(share: float) -> str:
    """Return a bar in the text colour, which suits light and dark notebooks."""
    size = f'width="{LONGEST}" height="{HIGH}"'
    inside = f'<rect width="{LONGEST * share:.1f}" height="{HIGH}" fill="currentColor"'
    return f'<svg {size} aria-hidden="true">{inside} fill-opacity="0.5"/></svg>'
