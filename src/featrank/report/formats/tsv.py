"""Tab-separated values: the rows of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from featrank.report.formats.csv import write_delimited

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "tsv"
SUFFIXES = (".tsv",)
FOR_SPREADSHEETS = True


def write(report: Report, stream: TextIO, safe: bool = False) -> None:
    """Write one line per row."""
    write_delimited(report, stream, "\t", safe)
