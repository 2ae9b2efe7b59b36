"""Tables for the terminal, by rich: in colour there, plain in a file or a pipe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TextIO

from featrank._utils.plain_text import one_line
from featrank.report.document import Cell, Column, Grid, Paragraph, flattened
from featrank.report.wide import Wide

if TYPE_CHECKING:
    from rich.console import JustifyMethod
    from rich.table import Table
    from rich.text import Text

    from featrank.report.document import Report

NAME = "table"
SUFFIXES = (".txt",)
FOR_PEOPLE = True

# Width of tables in files and pipes.
WIDTH = 120

# A number: what is before the decimal point, and what is after it.
_NUMBER = re.compile(r"([<>~±+−-]?\d[\d,]*)(\.?.*)")


def write(report: Report, stream: TextIO) -> None:
    """Write the blocks of a report. Names are never cut, and markup in them is not interpreted."""
    from rich.console import Console

    on_terminal = stream.isatty()
    console = Console(file=stream, highlight=False, width=None if on_terminal else WIDTH)
    with console.capture() as captured:
        for block in flattened(report.shown):
            if on_terminal or not getattr(block, "of_bold", False):
                # A command that is broken into lines could not be copied.
                console.print(_rendered(block), soft_wrap=getattr(block, "code", False))
    stream.write(captured.get())


def _styled(content: str, style: str = "") -> Text:
    from rich.text import Text

    return Text("\n".join(map(one_line, content.split("\n"))), style)


def _rendered(block: Grid | Paragraph) -> Any:
    if isinstance(block, Paragraph):
        return _styled(block.content, "bold" if block.bold else "")
    return Wide(_table(block), block.keys)


def _table(grid: Grid) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD if grid.headed else box.SIMPLE,
        show_header=grid.headed,
        padding=(0, 1, 0, 0) if grid.tight else (0, 1),
        title=_styled(one_line(grid.title), "bold" if grid.bold_title else "")
        if grid.title
        else None,
        title_justify="left",
        caption=_styled(one_line(grid.caption)) if grid.caption else None,
        caption_justify="left",
    )
    columns, rows = _aligned_columns(grid)
    for column in columns:
        side: JustifyMethod = "right" if column.right else "left"
        table.add_column(
            _styled(column.head),
            justify=side,
            no_wrap=column.whole,
            overflow="fold",
            style=column.colour or None,
        )
    for number, row in enumerate(rows):
        if number in grid.rules:
            table.add_section()
        table.add_row(*map(_cell, row))
    return table


def _aligned_columns(grid: Grid) -> tuple[list[Column], list[Sequence[Cell]]]:
    """Return the columns and rows of a grid with aligned decimals."""
    plain = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in grid.rows]
    if not plain:
        return list(grid.columns), []
    cells = zip(*plain, strict=True)
    aligned = [_align_decimals(*each) for each in zip(grid.columns, cells, strict=True)]
    return [column for column, _ in aligned], list(zip(*(own for _, own in aligned), strict=True))


def _align_decimals(column: Column, cells: Sequence[Cell]) -> tuple[Column, list[Cell]]:
    """Return a column of numbers with the decimal points below each other, if there are any.

    rich strips spaces on the right, so that the column becomes one of strings of equal length.
    """
    numbers = [_NUMBER.fullmatch(cell.content) for cell in cells]
    if not column.right or not any(found and found[2].startswith(".") for found in numbers):
        return column, list(cells)
    after = [
        len(found[2] + cell.mark) if found else 0
        for cell, found in zip(cells, numbers, strict=True)
    ]
    padded = [
        replace(cell, mark=cell.mark + " " * (max(after) - own)) if found else cell
        for cell, found, own in zip(cells, numbers, after, strict=True)
    ]
    heads = column.head.split("\n")
    width = max(*map(len, heads), *(len(cell.content + cell.mark) for cell in padded))
    shifted = [
        replace(cell, content=cell.content.rjust(width - len(cell.mark)) if cell.content else "")
        for cell in padded
    ]
    head = "\n".join(head.rjust(width) for head in heads)
    return replace(column, head=head, right=False, whole=True), shifted


def _cell(cell: Cell) -> Text:
    style = " ".join(filter(None, ["bold" if cell.bold else "", cell.colour]))
    content = _styled(one_line(cell.content), style)
    if cell.mark:
        content.append(cell.mark, "not bold")
    return content
