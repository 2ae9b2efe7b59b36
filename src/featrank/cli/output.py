"""How a command ends: with a report in the layout that was asked for."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.report.layouts import general, known, notes_of

if TYPE_CHECKING:
    from featrank.report import Report

    from .messages import Messages


def _format_option(layouts: Iterable[str]) -> Any:
    return click.option(
        "--format",
        "-f",
        "layout",
        type=click.Choice(list(layouts)),
        help="By default a table on a terminal, and CSV in a pipe.",
    )


format_option = _format_option(general())
ranking_format_option = _format_option(known())


def finish(
    report: "Report", layout: str | None, messages: "Messages", to: Path | None = None
) -> None:
    """Say what belongs beside a report, and write it to stdout or a file."""
    from featrank.report import file_layout, write

    chosen = layout if to is None else file_layout(layout, to)
    of_layout = [] if chosen is None else notes_of(chosen, report)
    for note in [*report.notes, *of_layout]:
        messages.say(note)
    write(report, layout, to)
