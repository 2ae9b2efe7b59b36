"""Output of reports in the requested format."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from featrank.cli.grouped_help import OUTPUT, option
from featrank.cli.options import add_options
from featrank.cli.shell_terms import in_shell_terms
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


class _ShellReport:
    """A report whose captions name options instead of parameters, computed when it is written."""

    def __init__(self, report: "Report"):
        self._report = report

    def __getattr__(self, name: str) -> Any:
        return getattr(self._report, name)

    @property
    def shown(self) -> list[Any]:
        return list(map(_in_shell_terms, self._report.shown))


def shell_report(report: "Report") -> "Report":
    """Return a report whose captions name options instead of parameters."""
    return cast("Report", _ShellReport(report))


def _in_shell_terms(block: Any) -> Any:
    if hasattr(block, "blocks"):
        return replace(block, blocks=list(map(_in_shell_terms, block.blocks)))
    if getattr(block, "caption", ""):
        return replace(block, caption=in_shell_terms(block.caption))
    return block


def finish(
    report: "Report", format: str | None, messages: "Messages", to: Path | None = None
) -> None:
    """Write a report to stdout or a file, and then print its notes."""
    from featrank.report import file_format, write

    chosen = format if to is None else file_format(format, to)
    write(
        shell_report(report),
        format,
        to,
        safe_csv=click.get_current_context().meta.get(_SAFE, False),
    )
    sys.stdout.flush()
    of_format = [] if chosen is None else notes_of(chosen, report)
    for note in [*report.notes, *of_format]:
        messages.note(note)
