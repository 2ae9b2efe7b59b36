"""Where results go."""

import csv
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from featrank.report.layouts import known

if TYPE_CHECKING:
    from featrank.report import Report

    from .messages import Messages

# Of a table that goes to a file or a pipe, where no terminal says how wide it is.
WIDTH = 120

format_option = click.option(
    "--format",
    "-f",
    "layout",
    type=click.Choice(list(known())),
    help="By default a table on a terminal, and CSV in a pipe.",
)


def stdout_layout(layout: str | None) -> str:
    """Return the layout for stdout: for people on a terminal, for programs in a pipe."""
    return layout or ("table" if sys.stdout.isatty() else "csv")


def stdout_stream(layout: str) -> TextIO:
    """Return stdout: UTF-8 for programs; for people, whatever their terminal can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(**({"errors": "replace"} if layout == "table" else _FOR_PROGRAMS))
    return sys.stdout


_FOR_PROGRAMS: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "newline": "\n"}


def write_csv(
    stream: TextIO, header: Sequence[str], rows: Iterable[Sequence[Any]], delimiter: str = ","
) -> None:
    """Write rows of values; floats with all their digits, and nothing where there is no number."""
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(["" if value != value else value for value in row] for row in rows)


def write_json(stream: TextIO, value: Any) -> None:
    """Write a value as indented JSON; text stays readable, and what is no number is null."""
    from featrank.strict_json import dumps

    stream.write(dumps(value) + "\n")


def write_rich(stream: TextIO, *parts: Any) -> None:
    """Write what rich can render: in colour on a terminal, as plain text elsewhere."""
    from rich.console import Console

    console = Console(file=stream, highlight=False, width=None if stream.isatty() else WIDTH)
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    stream.write(captured.get())


def finish(
    report: "Report", layout: str | None, messages: "Messages", to: Path | None = None
) -> None:
    """Say what belongs beside a report, and write it to stdout or a file."""
    from featrank.report import write

    for note in report.notes:
        messages.say(note)
    write(report, layout, to)
