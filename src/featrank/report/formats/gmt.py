"""GMT: the markers of each class as gene sets, for enrichment analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from featrank._utils.plain_text import one_field
from featrank.report.formats import EACH

if TYPE_CHECKING:
    from featrank.report.document import Report

NAME = "gmt"
SUFFIXES = (".gmt",)
RANKINGS = EACH


def write(report: Report, stream: TextIO) -> None:
    """Write one line per class: its label, a description, and its markers, best first.

    Markers are the best features (50 by default) that are higher in the class than in the rest.
    """
    from featrank.ranking import MARKERS

    count = MARKERS if report.top is None else report.top
    for label, ranking in report.ranking.items():
        about = f"higher in {label} than in the rest, best first by {ranking.method}"
        fields = [str(label), about, *ranking.markers(count)]
        stream.write("\t".join(map(one_field, fields)) + "\n")
