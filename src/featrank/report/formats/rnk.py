"""RNK: names and a signed statistic of all features, for the preranked analysis of GSEA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from featrank._utils.plain_text import one_field
from featrank.report.formats import ONE

if TYPE_CHECKING:
    from featrank.ranking import Ranking
    from featrank.report.document import Report

NAME = "rnk"
SUFFIXES = (".rnk",)
RANKINGS = ONE


def write(report: Report, stream: TextIO) -> None:
    """Write one line per feature, from the largest value to the smallest.

    The values are t statistics, not the scores of the ranking: these have no sign, and their size
    differs between methods. All features are written, whatever ``top`` is.
    """
    from featrank.sources.names import taken

    statistic = report.signed_statistic.values
    order = (-statistic).argsort(kind="stable")
    names = taken(one_ranking(report).feature_names, order)
    for name, value in zip(names, statistic[order], strict=True):
        stream.write(f"{one_field(name)}\t{float(value)!r}\n")


def notes(report: Report) -> list[str]:
    """Return which statistic the file contains."""
    ranking = one_ranking(report)
    sentences = [
        f"The rnk file contains {report.signed_statistic.description}. "
        f"It does not contain the scores of {ranking.method}."
    ]
    if report.top is not None and report.top < len(ranking):
        sentences.append(
            f"The rnk file contains all {len(ranking):,} features, because enrichment analysis "
            "needs the complete list."
        )
    return sentences


def one_ranking(report: Report) -> Ranking:
    """Return the ranking of a report, which may be that of a class."""
    rankings = report.ranking
    ranking: Ranking = next(iter(rankings.values())) if isinstance(rankings, Mapping) else rankings
    return ranking
