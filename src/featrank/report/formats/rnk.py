"""RNK: names and scores of one ranking, for the preranked analysis of GSEA."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from featrank._utils.plain_text import one_field
from featrank.report.formats import ONE

if TYPE_CHECKING:
    from featrank.ranking import Ranking
    from featrank.report.document import Report

NAME = "rnk"
SUFFIXES = (".rnk",)
RANKINGS = ONE


def write(report: Report, stream: TextIO) -> None:
    """Write one line per feature, from the largest score to the smallest.

    For a class against the rest, scores have the sign of the direction. For regression, they have
    the sign of the correlation with the target. Negative scores are first shifted so that the
    worst score is 0. An infinite score becomes twice the largest finite one.
    """
    from featrank.sources.names import taken

    ranking = one_ranking(report)
    best = ranking.order[: report.top]
    scores = _scores(ranking, best)
    order = (-scores).argsort(kind="stable")
    for name, score in zip(taken(ranking.feature_names, best[order]), scores[order], strict=True):
        stream.write(f"{one_field(name)}\t{float(score)!r}\n")


def notes(report: Report) -> list[str]:
    """Return a note on the signs of the scores."""
    ranking = one_ranking(report)
    if ranking.of_class:
        return []
    if ranking.is_regression:
        return [
            "The scores in the rnk file have the sign of the feature's correlation with the target "
            "(Pearson's r)."
        ]
    if ranking.ranker is not None and not ranking.ranker.supervised:
        return [f"The scores in the rnk file have no sign: {ranking.method} looks at no target."]
    return [
        "The scores in the rnk file have no sign: the ranking is of all classes together. "
        "--of-class LABEL gives them that of a class against the rest."
    ]


def one_ranking(report: Report) -> Ranking:
    """Return the ranking of a report, which may be that of a class."""
    rankings = report.ranking
    ranking: Ranking = next(iter(rankings.values())) if isinstance(rankings, Mapping) else rankings
    return ranking


def _scores(ranking: Ranking, best: Any) -> Any:
    import numpy as np

    scores = ranking.scores.copy()
    finite = np.isfinite(scores)
    signed = ranking.of_class or ranking.is_regression
    if signed:
        scores -= min(0.0, scores.min())
    largest = scores[finite].max(initial=0.0)
    scores[~finite] = 2 * largest if largest > 0 else 1.0
    if not signed:
        return scores[best]
    signs = {"higher": 1.0, "lower": -1.0, "same": 0.0}
    # Zero has no sign.
    return scores[best] * [signs[direction] for direction in ranking.direction(best)] + 0.0
