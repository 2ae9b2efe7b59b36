"""CSV: the rows of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

from featrank._utils.plain_text import safe_cell

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "csv"
SUFFIXES = (".csv",)
FOR_SPREADSHEETS = True


def write(report: Report, stream: TextIO, safe: bool = False) -> None:
    """Write one line per row."""
    write_delimited(report, stream, ",", safe)


def write_delimited(report: Report, stream: TextIO, delimiter: str, safe: bool) -> None:
    """Write floats with all their digits, and empty cells for missing values.

    With ``safe``, formulas and control characters are escaped.
    """
    import csv

    cell = _safe if safe else _cell
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    names = list(report.rows[0]) if report.rows else report.columns
    if names:
        writer.writerow([cell(name) for name in names])
    writer.writerows([cell(value) for value in row.values()] for row in report.rows)


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value


def _safe(value: Any) -> Any:
    return safe_cell(value) if isinstance(value, str) else _cell(value)
