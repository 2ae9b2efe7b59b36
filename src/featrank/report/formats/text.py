"""Tables for the terminal, by rich: in colour there, plain in a file or a pipe."""

from __future__ import annotations

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


def write(report: Report, stream: TextIO) -> None:
    """Write the blocks of a report. Names are never cut, and markup in them is not interpreted."""
    from rich.console import Console

    on_terminal = stream.isatty()
    console = Console(file=stream, highlight=False, width=None if on_terminal else WIDTH)
    with console.capture() as captured:
        for block in flattened(report.shown):
            if on_terminal or not getattr(block, "of_bold", False):
                console.print(_rendered(block))
    stream.write(captured.get())


def _rendered(block: Grid | Paragraph) -> Any:
    from rich.text import Text

    if isinstance(block, Paragraph):
        lines = "\n".join(map(one_line, block.text.split("\n")))
        return Text(lines, "bold" if block.bold else "")
    return Wide(_table(block), block.keys)


def _table(grid: Grid) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD if grid.headed else box.SIMPLE,
        show_header=grid.headed,
        padding=(0, 1, 0, 0) if grid.tight else (0, 1),
        title=Text(one_line(grid.title), "bold" if grid.bold_title else "") if grid.title else None,
        title_justify="left",
        caption=Text(one_line(grid.caption)) if grid.caption else None,
        caption_justify="left",
    )
    for column in grid.columns:
        side: JustifyMethod = "right" if column.right else "left"
        table.add_column(
            _head(column),
            justify=side,
            no_wrap=column.whole,
            overflow="fold",
            style=column.colour or None,
        )
    for number, row in enumerate(grid.rows):
        if number in grid.rules:
            table.add_section()
        table.add_row(*map(_cell, row))
    return table


def _head(column: Column) -> Text:
    from rich.text import Text

    return Text("\n".join(map(one_line, column.head.split("\n"))))


def _cell(cell: Cell | str) -> Text:
    from rich.text import Text

    if isinstance(cell, str):
        return Text(one_line(cell))
    style = " ".join(filter(None, ["bold" if cell.bold else "", cell.colour]))
    content = Text(one_line(cell.text), style)
    if cell.mark:
        content.append(cell.mark, "not bold")
    return content
