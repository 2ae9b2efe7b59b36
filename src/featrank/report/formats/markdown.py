"""Markdown: the blocks of a report, for a README, an issue or a notebook."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO

from featrank._utils.plain_text import one_line
from featrank._utils.user_terms import in_user_terms
from featrank.report.document import Cell, Grid, Paragraph, flattened
from featrank.report.phrases import SEVERITY_NAMES

if TYPE_CHECKING:
    from featrank.exceptions import FeatrankWarning
    from featrank.report.document import Report

NAME = "markdown"
SUFFIXES = (".md",)

# Characters with a meaning in Markdown or in embedded HTML.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
# Beginnings that would turn a paragraph into a list, a line or a heading.
_OPENING = re.compile(r"^( *)(\d*)([-+=.)])")


def write(report: Report, stream: TextIO) -> None:
    """Write warnings, paragraphs and tables with an empty line between them."""
    parts = [_warning(one) for one in report.warnings]
    parts += [
        _paragraph(b) if isinstance(b, Paragraph) else _grid(b) for b in flattened(report.shown)
    ]
    stream.write("\n\n".join(filter(None, parts)) + "\n")


def _warning(warning: FeatrankWarning) -> str:
    return f"> {_strong(SEVERITY_NAMES[warning.severity])} {_escaped(in_user_terms(str(warning)))}"


def _paragraph(block: Paragraph) -> str:
    if block.code:
        return "\n".join(f"    {one_line(line)}" for line in block.content.split("\n"))
    lines = "  \n".join(_line(line) for line in block.content.strip("\n").split("\n"))
    return _strong(lines) if block.bold and lines else lines


def _line(line: str) -> str:
    return _OPENING.sub(r"\1\2\\\3", _escaped(line))


def _grid(grid: Grid) -> str:
    heads = [_escaped(" ".join(column.head.split("\n"))) for column in grid.columns]
    sides = ["---:" if column.right else "---" for column in grid.columns]
    lines = [heads, sides, *([_cell(cell) for cell in row] for row in grid.rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    title = _strong(_escaped(grid.title)) if grid.title else ""
    return "\n\n".join(filter(None, [title, table, _line(grid.caption)]))


def _cell(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return _escaped(cell.strip())
    content = _escaped(cell.content.strip())
    return (_strong(content) if cell.bold and content else content) + _escaped(cell.mark)


def _strong(content: str) -> str:
    return f"**{content}**"


def _escaped(content: str) -> str:
    return _SPECIAL.sub(r"\\\1", one_line(content))
