"""The HTML report of a comparison: one section per question."""

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
from featrank.statistics import best_method

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

__all__ = ["comparison_html_report"]

VERSION = 1
# Titles of sections whose data may be missing.
TITLES = {
    "features": "Which features?",
    "look": "What do they look like?",
    "redundant": "Are they redundant?",
    "agree": "Do methods agree?",
    "further": "Further details",
}


def comparison_html_report(
    results: Comparison,
    others: Sequence[Comparison] = (),
    *,
    max_features: int = features.MAX_FEATURES,
    samples: tuple[Any, Any] | None = None,
) -> Report:
    """Return the HTML report of a comparison, which ``Comparison.save`` writes.

    Parameters
    ----------
    results : Comparison
        Returned by ``compare`` or ``read_comparison``.
    others : sequence of Comparison, optional
        Comparisons of the same methods on other data sets, to show average ranks as well.
    max_features : int, default=10,000
        Number of features in the table, those with the best ranks by any method.
    samples : pair of X and y, optional
        The compared data, to draw single samples. By default, none are drawn.
    """
    facts: dict[str, Any] = {}
    sections: list[Section] = []
    for key, find, show in _sections(results, others, max_features, samples):
        try:
            section_facts = find()
        except DataError as error:  # data for this section are missing
            facts[key] = None
            sections.append(Section(key, TITLES.get(key, key), [Paragraph(str(error))]))
            continue
        if section_facts is not None:
            facts[key] = section_facts
            sections.append(show(section_facts))
    name = results.manifest["data"]["name"]
    does = "predict its target" if results.is_regression else "predict its classes"
    title = f"Which features of {name} {does}?"
    content = described("page", VERSION, {"title": title, **_warnings(results), **facts})
    rows = results.curves().to_dicts()
    return Report(content, rows, sections, warnings=results.warnings)


def _warnings(results: Comparison) -> dict[str, Any]:
    return {"warnings": [warning.describe() for warning in results.warnings]}


def _sections(
    results: Comparison,
    others: Sequence[Comparison],
    max_features: int,
    samples: tuple[Any, Any] | None,
) -> list[tuple[str, Callable[[], Any], Callable[[Any], Section]]]:
    """Return the key of each section, how to compute its facts, and how to show them."""
    comparison = comparison_report(results)
    ranks = ranks_report([results, *others]) if others else None
    tables = {"comparison": comparison.content} | ({"ranks": ranks.content} if ranks else {})
    best, values = best_method(results), with_target if results.is_regression else distributions
    return [
        ("answer", lambda: answer.facts(results), answer.section),
        ("fit", lambda: data_quality.facts(results), data_quality.section),
        ("features", lambda: features.facts(results, max_features, best), features.section),
        ("how-many", lambda: how_many.facts(results), how_many.section),
        ("stable", lambda: stable.facts(results), stable.section),
        ("look", lambda: values.facts(results, samples), values.section),
        ("redundant", lambda: redundant.facts(results), redundant.section),
        ("agree", lambda: agreement.facts(results), agreement.section),
        ("winner", lambda: tables, lambda _: method_table.section(comparison, ranks)),
        ("further", lambda: timing_and_graph.facts(results), timing_and_graph.section),
        ("made", lambda: provenance.facts(results), provenance.section),
    ]
