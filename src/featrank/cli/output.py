"""Output of reports in the requested format."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli.options import add_options
from featrank.report.formats import general, known, notes_of

if TYPE_CHECKING:
    from featrank.cli.messages import Messages
    from featrank.report import Report


_SAFE = "featrank.safe_csv"
_HELP = (
    "In CSV and TSV, replace control characters of texts and put an apostrophe before those that a "
    "spreadsheet would take for a formula (=, +, -, @ in front); numbers stay."
)

safe_csv_option = click.option("--safe-csv", is_flag=True, help=_HELP)


def _format_option(layouts: Iterable[str]) -> Any:
    """Return the options --format and --safe-csv; ``finish`` reads the latter from the context."""
    layout = click.option(
        "--format",
        "-f",
        "layout",
        type=click.Choice(list(layouts)),
        help="By default a table on a terminal, and CSV in a pipe.",
    )
    safe = click.option(
        "--safe-csv", is_flag=True, expose_value=False, callback=_remember, help=_HELP
    )
    return add_options(layout, safe)


def _remember(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[_SAFE] = value


format_option = _format_option(general())
ranking_format_option = _format_option(known())


def finish(
    report: "Report", layout: str | None, messages: "Messages", to: Path | None = None
) -> None:
    """Print the notes of a report, and write the report to stdout or a file."""
    from featrank.report import file_format, write

    chosen = layout if to is None else file_format(layout, to)
    of_layout = [] if chosen is None else notes_of(chosen, report)
    for note in [*report.notes, *of_layout]:
        messages.say(note)
    write(report, layout, to, safe_csv=click.get_current_context().meta.get(_SAFE, False))
