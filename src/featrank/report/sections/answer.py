"""What is the answer, and how sure? Sentences made from the results."""

from __future__ import annotations

from math import isnan
from typing import Any

from featrank.report.document import Column, Grid, Paragraph, Section
from featrank.report.phrases import format_p, with_article
from featrank.report.sections.answer_facts import facts
from featrank.report.sections.stable import grade
from featrank.report.sections.verdicts import (
    choice_sentences,
    has_signal,
    is_worse,
    method_sentences,
    signal_sentence,
)
from featrank.statistics import SMALL_DIFFERENCE

__all__ = ["facts", "section", "sentences"]


def section(facts: dict[str, Any]) -> Section:
    """Return the sentences, the named features, and the other methods."""
    blocks: list[Grid | Paragraph] = list(map(Paragraph, sentences(facts)))
    if facts["best"] is not None and has_signal(facts) is not False:
        blocks += [table for table in (_named_table(facts), _rival_table(facts)) if table.rows]
    return Section("answer", "What is the answer, and how sure?", blocks)


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return the answer: the signal, the features, their score, its certainty, any problems."""
    if facts["best"] is None:
        return ["All methods failed in every trial.", *_failures(facts)]
    parts = [_warning(facts), signal_sentence(facts), _result(facts)]
    if has_signal(facts) is not False:
        parts += [choice_sentences(facts), method_sentences(facts), _named(facts), _claims(facts)]
    parts += [_stability(facts), _unfinished(facts)]
    return [*filter(None, parts), *_failures(facts)]


def _warning(facts: dict[str, Any]) -> str:
    if not facts["leaky"]:
        return ""
    return (
        "LEAKY: features were ranked on all rows, including the test rows. These scores "
        "demonstrate the effect of a leak and do not apply to new data."
    )


def _result(facts: dict[str, Any]) -> str:
    k, best_k = facts["k"], facts["best_k"]
    result = (
        f"On {facts['data']}, a {facts['estimator']} with {_count(k)} of {facts['best']} reaches "
        f"{with_article(facts['scoring'])} of {_score(facts)} on test rows."
    )
    if has_signal(facts) is False:
        return result
    if k == best_k:
        return f"{result} No other tested number of features scores higher."
    return (
        f"{result} {k} is the smallest tested number of features within {SMALL_DIFFERENCE:g} of "
        f"the best score, {facts['best_score']:.3f} with {best_k}."
    )


def _count(k: int) -> str:
    return "the top feature" if k == 1 else f"the top {k} features"


def _score(facts: dict[str, Any]) -> str:
    if isnan(facts["low"]):
        return f"{facts['score']:.3f}"
    return f"{facts['score']:.3f} (95 % interval {facts['low']:.3f} to {facts['high']:.3f})"


def _named(facts: dict[str, Any]) -> str:
    """Return the names of the top features."""
    names = [row["feature"] for row in facts["named"]]
    if not names:
        return ""
    if len(names) == 1:
        return f"Ranked on all samples, the top feature is {names[0]}."
    return f"Ranked on all samples, the top {len(names)} features are {', '.join(names)}."


def _claims(facts: dict[str, Any]) -> str:
    """Return what can be claimed at a false discovery rate."""
    return "" if facts["claims"] is None else str(facts["claims"]["sentence"])


def _named_table(facts: dict[str, Any]) -> Grid:
    """Return how often each named feature was selected, and its q-value if there are any."""
    k, rows = facts["k"], facts["named"]
    with_q = any(row["q_value"] is not None for row in rows)
    columns = [Column("feature", whole=True), Column(f"in top {k}", right=True)]
    columns += [Column("q-value", right=True)] if with_q else []
    lines = [
        [
            row["feature"],
            f"{row['chosen']} of {row['trials']} trials",
            *([format_p(_number(row["q_value"]))] if with_q else []),
        ]
        for row in rows
    ]
    return Grid(columns, lines, title=f"The top {len(rows)} features of {facts['best']}")


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _rival_table(facts: dict[str, Any]) -> Grid:
    """Return the difference of each other method, with its interval."""
    columns = [
        Column("method"),
        Column(f"difference from {facts['best']}", right=True),
        Column("95 % interval", right=True),
        Column("verdict"),
    ]
    lines = [
        [
            name,
            f"{rival['mean']:+.3f}",
            f"{rival['low']:+.3f} to {rival['high']:+.3f}",
            "significantly lower" if is_worse(rival) else "no significant difference",
        ]
        for name, rival in (facts["rivals"] or {}).items()
    ]
    title = (
        f"Differences at k = {facts['k']}. The corrected intervals hold for all pairs of methods "
        "together"
    )
    return Grid(columns, lines, title=title)


def _stability(facts: dict[str, Any]) -> str:
    if facts["stability"] is None:
        return "With a single trial, the stability of the features is unknown."
    stability = (
        f"The stability of the selection is {grade(facts['stability'])} "
        f"({facts['stability']:.2f}, where 0 is chance and 1 is the same features every time): "
    )
    always, k = facts["always"], facts["k"]
    if k == facts["all_features"]:
        return "All features are used, so nothing is selected."
    if always == 0:
        return f"{stability}no feature is in the top {k} of every trial."
    if always == k:
        return f"{stability}every trial has the same top {k}."
    if always == 1:
        return f"{stability}1 feature is in the top {k} of every trial."
    return f"{stability}{always} features are in the top {k} of every trial."


def _unfinished(facts: dict[str, Any]) -> str:
    if facts["trials"] >= facts["planned"]:
        return ""
    return f"The run is not finished: {facts['trials']} of {facts['planned']} trials are done."


def _failures(facts: dict[str, Any]) -> list[str]:
    return [
        f"{name} has no score in {count} of {facts['trials']} trials: {reason}"
        f"{'' if reason.endswith('.') else '.'}"
        for name, (count, reason) in facts["failed"].items()
    ]
