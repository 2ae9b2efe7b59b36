"""JSON: the whole content of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "json"
SUFFIXES = (".json",)


def write(report: Report, stream: TextIO) -> None:
    """Write it indented; text stays readable, and what is no number is null."""
    from featrank._utils.strict_json import dumps

    stream.write(dumps(report.content) + "\n")
