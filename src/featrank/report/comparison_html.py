"""The page of a comparison: eleven questions, each answered from the figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError
from featrank.report.comparison import comparison_report
from featrank.report.document import Paragraph, Report, Section, described
from featrank.report.ranks import ranks_report
from featrank.report.sections import (
    agreement,
    answer,
    data_quality,
    distributions,
    features,
    how_many,
    method_table,
    provenance,
    redundant,
    stable,
    timing_and_graph,
    with_target,
)

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

__all__ = ["comparison_html_report"]

VERSION = 1
# Rows of the table of features; more would make the page heavy.
FEATURES = 10_000


def comparison_html_report(
    results: Comparison,
    others: Sequence[Comparison] = (),
    *,
    max_features: int = FEATURES,
    samples: tuple[Any, Any] | None = None,
) -> Report:
    """Return the page of a comparison, for ``write(report, "html", "report.html")``.

    Parameters
    ----------
    results : Comparison
        What ``compare`` or ``read_comparison`` returns.
    others : sequence of Comparison, optional
        Comparisons of the same methods on other data sets, whose ranks are joined.
    max_features : int, default=10,000
        Features in the table; those with the best ranks by any method.
    samples : pair of X and y, optional
        The data that was compared, to draw single samples; a page shows none unless it is given.
    """
    facts: dict[str, Any] = {}
    sections: list[Section] = []
    for key, find, show in _questions(results, others, max_features, samples):
        try:
            found = find()
        except DataError as error:  # of an older layout, which lacks what the question needs
            facts[key], shown = None, _lacking(key, error)
        else:
            if found is None:
                continue
            facts[key], shown = found, show(found)
        sections.append(shown)
    name = results.manifest["data"]["name"]
    does = "predict its target" if results.is_regression else "tell its classes apart"
    title = f"Which features of {name} {does}?"
    content = described("page", VERSION, {"title": title, **facts})
    return Report(content, results.curves().to_dicts(), sections)


Question = tuple[str, Callable[[], Any], Callable[[Any], Section]]


def _questions(
    results: Comparison,
    others: Sequence[Comparison],
    max_features: int,
    samples: tuple[Any, Any] | None,
) -> list[Question]:
    comparison = comparison_report(results)
    ranks = ranks_report([results, *others]) if others else None
    joined = {"comparison": comparison.content} | ({"ranks": ranks.content} if ranks else {})
    return [
        ("answer", lambda: answer.facts(results), answer.section),
        ("fit", lambda: data_quality.facts(results), data_quality.section),
        ("features", lambda: _features(results, max_features), features.section),
        ("how-many", lambda: how_many.facts(results), how_many.section),
        ("stable", lambda: stable.facts(results), stable.section),
        _look(results, samples),
        ("redundant", lambda: redundant.facts(results), redundant.section),
        ("agree", lambda: agreement.facts(results), agreement.section),
        ("winner", lambda: joined, lambda _: method_table.section(comparison, ranks)),
        ("further", lambda: timing_and_graph.facts(results), timing_and_graph.section),
        ("made", lambda: provenance.facts(results), provenance.section),
    ]


def _look(results: Comparison, samples: tuple[Any, Any] | None) -> Question:
    module = with_target if results.is_regression else distributions
    return "look", lambda: module.facts(results, samples), module.section


def _features(results: Comparison, max_features: int) -> dict[str, Any]:
    return features.facts(results, max_features, how_many.best_method(results))


TITLES = {
    "features": "Which features?",
    "look": "What do they look like?",
    "redundant": "Are they redundant?",
    "agree": "Do methods agree?",
    "further": "How fast, and what else?",
}


def _lacking(key: str, error: DataError) -> Section:
    return Section(key, TITLES.get(key, key), [Paragraph(str(error))])
