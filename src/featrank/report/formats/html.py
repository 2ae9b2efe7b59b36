"""HTML: the blocks of a report as one self-contained page."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, TextIO

from featrank._utils.plain_text import one_line
from featrank._utils.user_terms import in_user_terms
from featrank.report.document import Block, Cell, Column, Explorer, Grid, Paragraph, Plot, Section
from featrank.report.phrases import SEVERITY_NAMES

if TYPE_CHECKING:
    from featrank.exceptions import FeatrankWarning
    from featrank.report.document import Report

NAME = "html"
SUFFIXES = (".html", ".htm")

# Nothing is loaded from elsewhere, and only our own script and style can take effect.
_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {policy}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{body}</main>
{script}</body>
</html>
"""


def write(report: Report, stream: TextIO) -> None:
    """Write a page. Everything that comes from data is escaped."""
    style = _asset("page.css")
    script = _asset("page.js") if any(map(_explores, report.shown)) else ""
    policy = f"style-src {_hash(style)}" + (f"; script-src {_hash(script)}" if script else "")
    stream.write(
        _PAGE.format(
            policy=policy,
            title=_escape(_title(report)),
            style=style,
            body="".join(_body(report)),
            script=f"<script>{script}</script>\n" if script else "",
        )
    )


def _body(report: Report) -> Iterable[str]:
    sections = [block for block in report.shown if isinstance(block, Section)]
    if sections:
        yield f"<h1>{_escape(_title(report))}</h1>\n"
    if report.warnings:
        yield _warnings(report.warnings)
    first = True
    for block in report.shown:
        yield _block(block)
        if isinstance(block, Section) and first:
            first = False
            yield _contents(sections)


def _warnings(warnings: Sequence[FeatrankWarning]) -> str:
    """Return the warnings of the run as a list that cannot be overlooked."""
    entries = "".join(
        f'<li class="{_escape(one.severity)}"><strong>{SEVERITY_NAMES[one.severity]}</strong> '
        f"{_escape(in_user_terms(str(one)))}</li>\n"
        for one in warnings
    )
    return f'<aside class="warnings" aria-label="Warnings">\n<ul>\n{entries}</ul>\n</aside>\n'


def _title(report: Report) -> str:
    for block in report.shown:
        title = block.content.split("\n")[0] if isinstance(block, Paragraph) else ""
        if isinstance(block, Grid):
            title = block.title
        if title:
            return title
    content = report.content
    return str(content.get("title", "featrank")) if isinstance(content, dict) else "featrank"


def _explores(block: Block) -> bool:
    return isinstance(block, Section) and any(isinstance(b, Explorer) for b in block.blocks)


def _contents(sections: list[Section]) -> str:
    """Return links to all sections after the first."""
    links = "".join(f'<a href="#{_escape(s.key)}">{_escape(s.question)}</a>' for s in sections[1:])
    return f'<nav aria-label="Contents">{links}</nav>\n' if links else ""


def _block(block: Block) -> str:
    if isinstance(block, Section):
        return _section(block)
    if isinstance(block, Paragraph):
        return _paragraph(block)
    if isinstance(block, Plot):
        return _plot(block)
    if isinstance(block, Explorer):
        return _explorer(block)
    return _grid(block)


def _section(section: Section) -> str:
    key, question = _escape(section.key), _escape(section.question)
    inside = "".join(map(_block, section.blocks))
    if section.folded:
        inside = f'<details><summary class="question">{question}</summary>\n{inside}</details>'
    else:
        inside = f'<h2 id="{key}-question">{question}</h2>\n{inside}'
    named = f'aria-label="{question}"' if section.folded else f'aria-labelledby="{key}-question"'
    return f'<section id="{key}" class="{key}" {named}>\n{inside}</section>\n'


def _plot(plot: Plot) -> str:
    note = f'<p class="note">{_escape(plot.note)}</p>\n' if plot.note else ""
    methods = _escape(json.dumps(list(plot.methods)))
    chosen = f' data-methods="{methods}"' if plot.methods else ""
    return (
        f"<figure{chosen}>\n<figcaption>{_escape(plot.title)}</figcaption>\n"
        f'<div class="scroll" tabindex="0">{plot.svg}</div>\n</figure>\n{note}'
        f"<details><summary>Numbers</summary>\n{_grid(plot.numbers)}</details>\n"
    )


def _explorer(explorer: Explorer) -> str:
    packed = base64.b64encode(explorer.data).decode()
    note = f'<p class="note">{_escape(explorer.note)}</p>\n' if explorer.note else ""
    return (
        f'<div id="explorer">\n{_grid(explorer.grid)}</div>\n{note}'
        f'<script type="application/octet-stream" id="explorer-data">{packed}</script>\n'
    )


def _paragraph(block: Paragraph) -> str:
    lines = "<br>\n".join(map(_escape, block.content.strip("\n").split("\n")))
    if not lines:
        return ""
    if block.code:
        code = f"<pre>{escape(block.content)}</pre>\n"
        name = _escape(block.folded)
        return f"<details><summary>{name}</summary>\n{code}</details>\n" if name else code
    return f"<p>{f'<strong>{lines}</strong>' if block.bold else lines}</p>\n"


def _grid(grid: Grid) -> str:
    caption = f"<caption>{_escape(grid.title)}</caption>\n" if grid.title else ""
    heads = "".join(map(_head, grid.columns))
    head = f"<thead><tr>{heads}</tr></thead>\n" if grid.headed else ""
    body = "".join(_row(grid, number) for number in range(len(grid.rows)))
    after = f'<p class="note">{_escape(grid.caption)}</p>\n' if grid.caption else ""
    table = f"<table>\n{caption}{head}<tbody>\n{body}</tbody>\n</table>\n"
    return f'<div class="scroll" tabindex="0">{table}</div>\n{after}'


def _head(column: Column) -> str:
    lines = "\n".join(map(_escape, column.head.split("\n")))
    return f'<th scope="col"{_side(column)}>{lines}</th>'


def _row(grid: Grid, number: int) -> str:
    cells = "".join(
        f"<td{_side(column)}>{_cell(cell)}</td>"
        for column, cell in zip(grid.columns, grid.rows[number], strict=True)
    )
    rule = ' class="rule"' if number in grid.rules else ""
    return f"<tr{rule}>{cells}</tr>\n"


def _side(column: Column) -> str:
    return ' class="right"' if column.right else ""


def _cell(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return _escape(cell)
    content = _escape(cell.content)
    return (f"<strong>{content}</strong>" if cell.bold else content) + _escape(cell.mark)


def _escape(content: str) -> str:
    return escape(one_line(content))


@cache
def _asset(name: str) -> str:
    return files("featrank.report").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    digest = hashlib.sha256(source.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
