"""GRP: the names of one ranking, best first, as a gene list."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from featrank._utils.plain_text import one_field
from featrank.report.formats import ONE
from featrank.report.formats.rnk import one_ranking

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "grp"
SUFFIXES = (".grp",)
RANKINGS = ONE


def write(report: Report, stream: TextIO) -> None:
    """Write one name per line."""
    ranking = one_ranking(report)
    count = len(ranking) if report.top is None else report.top
    stream.writelines(f"{one_field(name)}\n" for name in ranking.top(count))
