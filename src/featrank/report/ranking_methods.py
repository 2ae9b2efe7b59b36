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
    sentences = [
        *_prepared(one.provenance.prepared),
        f"{_what(ranking, one)} with featrank {version('featrank')}{_cited(one.method)}.",
        *_settings(one),
        *_notes(ranking),
        *_tested(test, len(one)),
        *(f"[{place}] {each}" for place, each in enumerate(provenance.references(one.method), 1)),
    ]
    return " ".join(sentences)


def _what(ranking: Ranking | ClassRankings, one: Ranking) -> str:
    samples = None if one.data is None else one.data.n_samples
    count = f"The {len(one):,} features" + ("" if samples is None else f" of {samples:,} samples")
    sizes = ", ".join(f"{each['samples']:,} {each['label']}" for each in one.class_sizes())
    each = ", for each class against the rest," if isinstance(ranking, ClassRankings) else ""
    subject = f"{count}{f' ({sizes})' if sizes else ''} were ranked{each}{_regression(one)}"
    return f"{subject} by {one.method}"


def _regression(one: Ranking) -> str:
    target = None if one.data is None else one.data.regression_target
    if target is None:
        return ""
    return f" for regression on a quantity from {target.min():.4g} to {target.max():.4g}"


def _cited(method: str) -> str:
    count = len(provenance.references(method))
    return f" [{', '.join(map(str, range(1, count + 1)))}]" if count else ""


def _settings(one: Ranking) -> list[str]:
    if one.ranker is None:
        return []
    plain = settings_of(type(one.ranker)())
    own = {
        name: value
        for name, value in settings_of(one.ranker).items()
        if name != "task" and repr(value) != repr(plain.get(name))
    }
    changed = [f"{name} = {value}" for name, value in own.items()]
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
    treated = {"max_missing": prepared.get("max_missing"), "impute": prepared.get("missing")}
    facts = {name: value for name, value in treated.items() if value is not None}
    if "transform" in prepared:
        facts["transform"] = prepared["transform"]
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
