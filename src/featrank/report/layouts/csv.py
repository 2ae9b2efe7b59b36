"""CSV: the rows of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "csv"
SUFFIXES = (".csv",)
FOR_PEOPLE = False


def write(report: Report, stream: TextIO) -> None:
    """Write a line a row."""
    write_delimited(report, stream, ",")


def write_delimited(report: Report, stream: TextIO, delimiter: str) -> None:
    """Write floats with all their digits, and nothing where there is no value."""
    import csv

    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    if report.rows:
        writer.writerow(report.rows[0])
    writer.writerows([_cell(value) for value in row.values()] for row in report.rows)


def _cell(value: Any) -> Any:
    return "" if value is None or value != value else value
