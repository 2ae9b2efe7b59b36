"""Output of reports in the requested format."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli.grouped_help import OUTPUT, option
from featrank.cli.options import add_options
from featrank.report.formats import general, known, notes_of

if TYPE_CHECKING:
    from featrank.cli.messages import Messages
    from featrank.report import Report


_SAFE = "featrank.safe_csv"
_SAFE_CSV: dict[str, Any] = {
    "is_flag": True,
    "group": OUTPUT,
    "help": "Make CSV and TSV safe for spreadsheets: escape formulas and control characters.",
}

safe_csv_option = option("--safe-csv", **_SAFE_CSV)


def _format_option(formats: Iterable[str], default: str | None = None) -> Any:
    """Return the options --format and --safe-csv. ``finish`` reads the latter from the context."""
    chosen = option(
        "--format",
        "-f",
        "format",
        type=click.Choice(list(formats)),
        default=default,
        group=OUTPUT,
        show_default=default or "table on a terminal, CSV in a pipe",
        help="Output format.",
    )
    safe = option("--safe-csv", expose_value=False, callback=_remember, **_SAFE_CSV)
    return add_options(chosen, safe)


def _remember(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[_SAFE] = value


format_option = _format_option(general())
#: For commands whose result is read by people even in a pipe.
table_format_option = _format_option(general(), "table")
ranking_format_option = _format_option(known())


def finish(
    report: "Report", format: str | None, messages: "Messages", to: Path | None = None
) -> None:
    """Write a report to stdout or a file, and then print its notes."""
    from featrank.report import file_format, write

    chosen = format if to is None else file_format(format, to)
    write(report, format, to, safe_csv=click.get_current_context().meta.get(_SAFE, False))
    sys.stdout.flush()
    of_format = [] if chosen is None else notes_of(chosen, report)
    for note in [*report.notes, *of_format]:
        messages.note(note)
