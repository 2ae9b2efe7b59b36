"""How a command ends: with a report in the layout that was asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from featrank.report.layouts import known

if TYPE_CHECKING:
    from featrank.report import Report

    from .messages import Messages

format_option = click.option(
    "--format",
    "-f",
    "layout",
    type=click.Choice(list(known())),
    help="By default a table on a terminal, and CSV in a pipe.",
)


def finish(
    report: "Report", layout: str | None, messages: "Messages", to: Path | None = None
) -> None:
    """Say what belongs beside a report, and write it to stdout or a file."""
    from featrank.report import write

    for note in report.notes:
        messages.say(note)
    write(report, layout, to)
