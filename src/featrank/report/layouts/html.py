"""HTML: what readers are shown, as one page that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, TextIO

from featrank.report.document import Cell, Column, Grid, Paragraph
from featrank.report.plain_text import one_line

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "html"
SUFFIXES = (".html", ".htm")
FOR_PEOPLE = False

# Nothing from elsewhere is loaded, and nothing in the data could run.
_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; }}
body {{ margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }}
caption {{ text-align: left; font-weight: 600; padding-bottom: 0.3rem; }}
th, td {{ padding: 0.2rem 0.7rem; text-align: left; vertical-align: top; }}
thead th {{ border-bottom: 1px solid; white-space: pre-line; }}
.right {{ text-align: right; }}
.rule td {{ border-top: 1px solid; }}
</style>
</head>
<body>
"""


def write(report: Report, stream: TextIO) -> None:
    """Write a page; all that comes from data is escaped."""
    title = next((block for block in report.shown if _title(block)), None)
    stream.write(_HEAD.format(title=_text(_title(title) if title else "featrank")))
    for block in report.shown:
        stream.write(_paragraph(block) if isinstance(block, Paragraph) else _grid(block))
    stream.write("</body>\n</html>\n")


def _title(block: Grid | Paragraph) -> str:
    return block.text.split("\n")[0] if isinstance(block, Paragraph) else block.title


def _paragraph(block: Paragraph) -> str:
    lines = "<br>\n".join(map(_text, block.text.strip("\n").split("\n")))
    return f"<p>{f'<strong>{lines}</strong>' if block.bold else lines}</p>\n" if lines else ""


def _grid(grid: Grid) -> str:
    caption = f"<caption>{_text(grid.title)}</caption>\n" if grid.title else ""
    heads = "".join(map(_head, grid.columns))
    head = f"<thead><tr>{heads}</tr></thead>\n" if grid.headed else ""
    body = "".join(_row(grid, number) for number in range(len(grid.rows)))
    after = f"<p>{_text(grid.caption)}</p>\n" if grid.caption else ""
    return f"<table>\n{caption}{head}<tbody>\n{body}</tbody>\n</table>\n{after}"


def _head(column: Column) -> str:
    lines = "\n".join(map(_text, column.head.split("\n")))
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
        return _text(cell)
    text = f"<strong>{_text(cell.text)}</strong>" if cell.bold else _text(cell.text)
    return text + _text(cell.mark)


def _text(text: str) -> str:
    return escape(one_line(text))
