"""JSON: the complete content of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "json"
SUFFIXES = (".json",)


def write(report: Report, stream: TextIO) -> None:
    """Write indented JSON. Non-ASCII characters are kept, and NaN becomes null."""
    from featrank._utils.strict_json import dumps

    stream.write(dumps(report.content) + "\n")
