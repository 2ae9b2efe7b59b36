"""A paragraph on a ranking for the methods section of a paper."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from featrank.base.ranker import settings_of
from featrank.ranking import ClassRankings, Ranking
from featrank.report.phrases import join_names
from featrank.report.sections import provenance
from featrank.statistics.feature_tests import TESTS, Test

_MERGED = {
    "mean": "the mean of their values",
    "max": "the largest of their values",
    "first": "the value of the first",
}


def methods_section(ranking: Any, test: Test | None = None) -> str:
    """Return a paragraph for the methods section of a paper; see ``Ranking.methods_section``."""
    one = next(iter(ranking.values())) if isinstance(ranking, ClassRankings) else ranking
    cited = dict(enumerate(provenance.references(one.method), 1))
    numbers = f" [{', '.join(map(str, cited))}]" if cited else ""
    sentences = [
        *_prepared(one.provenance.prepared),
        f"{_what(ranking, one)} with featrank {version('featrank')}{numbers}.",
        *_settings(one),
        *_notes(ranking),
        *_tested(test, len(one)),
        *(f"[{number}] {reference}" for number, reference in cited.items()),
    ]
    return " ".join(sentences)


def _what(ranking: Ranking | ClassRankings, one: Ranking) -> str:
    count = f"The {len(one):,} features"
    count += "" if one.data is None else f" of {one.data.n_samples:,} samples"
    sizes = ", ".join(f"{each['samples']:,} {each['label']}" for each in one.class_sizes())
    how = ", for each class against the rest," if isinstance(ranking, ClassRankings) else ""
    y = None if one.data is None else one.data.regression_target
    if y is not None:
        how += f" for regression on a quantity from {y.min():.4g} to {y.max():.4g}"
    return f"{count}{f' ({sizes})' if sizes else ''} were ranked{how} by {one.method}"


def _settings(one: Ranking) -> list[str]:
    if one.ranker is None:
        return []
    plain = settings_of(type(one.ranker)())
    changed = [
        f"{name} = {value}"
        for name, value in settings_of(one.ranker).items()
        if name != "task" and repr(value) != repr(plain.get(name))
    ]
    return [f"Parameters: {join_names(changed)}."] if changed else []


def _notes(ranking: Ranking | ClassRankings) -> list[str]:
    """Return the notes of the fit, with the class if the classes differ."""
    if not isinstance(ranking, ClassRankings):
        return [] if ranking.ranker is None else ranking.ranker.notes()
    own = {label: _notes(one) for label, one in ranking.items()}
    first = next(iter(own.values()))
    if all(notes == first for notes in own.values()):
        return first
    return [f"For {label}: {note}" for label, notes in own.items() for note in notes]


def _prepared(prepared: Any) -> list[str]:
    facts = {**prepared, "impute": prepared.get("missing")}
    sentences = provenance.treatment(facts, 1.0, "")
    if prepared.get("duplicates") in _MERGED:
        sentences.append(
            "Features of one name were made one, with "
            f"{_MERGED[prepared['duplicates']]} in each sample."
        )
    return sentences


def _tested(test: Test | None, n_features: int) -> list[str]:
    if test is None:
        return []
    return [
        f"Beside the ranking, which does not use them, p-values are of {TESTS[test]} of each "
        f"feature alone, adjusted by Benjamini and Hochberg over {n_features:,} features."
    ]
