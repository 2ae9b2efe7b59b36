"""The HTML report of a ranking: which features come first, and what they look like."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.data_facts import data_facts
from featrank.evaluation.feature_tables import summary_columns
from featrank.exceptions import UsageError
from featrank.ranking import ClassRankings, Ranking
from featrank.ranking.evidence import SourceData
from featrank.ranking.feature_details import correlation, dependence
from featrank.report.citations import bibtex
from featrank.report.document import Grid, Paragraph, Report, Section, described
from featrank.report.ranking import ranking_report
from featrank.report.ranking_methods import ranking_paragraph
from featrank.report.sections import (
    data_quality,
    distributions,
    heat_map,
    provenance,
    redundant,
    volcano,
    with_target,
)
from featrank.sources.names import taken
from featrank.statistics.feature_tests import Test, Values

__all__ = ["ranking_html_report"]

SHOWN = 50
UNREAD = "For sparse data and data read in chunks, only the size is checked."


def ranking_html_report(
    ranking: Ranking | ClassRankings,
    top: int | None = None,
    *,
    points: bool = False,
    test: Test | Literal["auto"] | None = "auto",
    values: Values = "auto",
) -> Report:
    """Return the HTML report of a ranking, which ``Ranking.save`` writes.

    Parameters
    ----------
    ranking : Ranking
        Returned by ``featrank.rank`` or ``featrank.rank_file``. Not one per class.
    top : int or None, default=None
        Number of features in the table. None is 50, or all if there are fewer.
    points : bool, default=False
        Whether to draw single samples.
    test, values
        As for :func:`featrank.report.ranking_report`. The report shows p-values, false discovery
        rates, fold changes and a volcano plot.
    """
    if isinstance(ranking, ClassRankings) or ranking.data is None:
        raise UsageError(
            "The HTML report needs one ranking with its data, as returned by featrank.rank(X, y) "
            "or, for one class, by featrank.rank(X, y, per_class=True)[label]."
        )
    count = min(top or SHOWN, len(ranking))
    table = ranking_report(ranking, count, details=True, test=test, values=values)
    chosen = ranking.default_test() if test == "auto" else test
    tested = None if chosen is None else volcano.facts(ranking, chosen, values)
    target = ranking.data.regression_target
    drawn = _by_class(ranking, points) if target is None else _by_target(ranking, target, points)
    tiles = _heat_map(ranking, points)
    quality, pairs = _data_facts(ranking), _redundancy(ranking)
    shown = [_answer(ranking), data_quality.section(quality, UNREAD)]
    shown += [_features(table, len(ranking), count)]
    if chosen is not None and tested is not None:
        shown.append(volcano.section(tested, ranking, chosen, values))
    shown += [heat_map.section(tiles, ranking.method, ranking.is_regression)] if tiles else []
    shown += [(distributions if target is None else with_target).section(drawn)] if drawn else []
    shown += [redundant.section(pairs)] if pairs else []
    title = f"The best of {len(ranking):,} features by {ranking.method}"
    facts = {
        "title": title,
        "warnings": [warning.describe() for warning in ranking.warnings],
        "data_quality": quality,
        "test": tested,
        "fdr_control": None if ranking.fdr_control is None else ranking.fdr_control.to_dict(),
        "heat_map": tiles,
        "distributions": drawn,
        "redundant": pairs,
        **_provenance(ranking),
    }
    shown.append(_provenance_section(facts))
    content = described("ranking-page", 1, facts)
    return Report(content, table.rows, shown, warnings=ranking.warnings)


def _answer(ranking: Ranking) -> Section:
    names = ranking.top(min(3, len(ranking)))
    first = f"{ranking.method} ranks {', '.join(names)} first of {len(ranking):,} features."
    limits = (
        "A ranking does not show how well the features predict new samples, how stable they are "
        "or how many are needed. A comparison of methods does."
    )
    sentences = map(Paragraph, [first, *ranking.notes(), limits])
    return Section("answer", "What is the answer?", list(sentences))


def _features(table: Report, total: int, count: int) -> Section:
    grids = [block for block in table.shown if isinstance(block, Grid)]
    note = f"The best {count} of {total:,} features. Save the ranking as CSV to see all features."
    blocks: list[Any] = [*grids, Paragraph(note)] if count < total else [*grids]
    return Section("features", "Which features?", blocks)


def _data_facts(ranking: Ranking) -> dict[str, Any]:
    source = ranking.data
    assert source is not None
    sizes = ranking.class_sizes()
    known = {
        "samples": source.n_samples,
        "features": len(ranking),
        "warnings": len(ranking.warnings),
        "classes": [str(entry["label"]) for entry in sizes],
        **({"class_sizes": [entry["samples"] for entry in sizes]} if sizes else {}),
    }
    if isinstance(source, SourceData) or hasattr(source.X, "tocsc"):
        return known  # reading all values would need too much memory
    codes = source.classes.codes if sizes and source.classes else None
    target = codes if source.regression_target is None else source.regression_target
    numeric = isinstance(source.X, np.ndarray) and source.X.dtype.kind in "fiu"
    X = source.X if numeric else source.values(np.arange(len(ranking)))
    return {**known, **data_facts(X, target)}


def _best(ranking: Ranking, count: int) -> tuple[Any, NDArray[np.intp], Any, list[str]]:
    """Return the data, and the columns, the values and the names of the best features."""
    source, best = ranking.data, ranking.order[:count]
    assert source is not None
    return source, best, source.values(best), taken(ranking.feature_names, best)


def _heat_map(ranking: Ranking, points: bool) -> dict[str, Any] | None:
    """Return standardised values of the best features by class, or by thirds of the target."""
    _, _, values, names = _best(ranking, heat_map.SHOWN)
    codes, labels = ranking.drawn_groups()
    if codes is None:
        return None
    return heat_map.facts(values, names, codes, labels, points)


def _by_target(ranking: Ranking, target: NDArray[np.float64], points: bool) -> dict[str, Any]:
    """Return correlations of the best features with a regression target."""
    source, best, values, names = _best(ranking, distributions.SHOWN)
    columns = dependence(values, ~np.isnan(values), target) | summary_columns(values)
    rows = [
        {"feature": name} | {key: column[place].item() for key, column in columns.items()}
        for place, name in enumerate(names)
    ]
    facts: dict[str, Any] = {"method": ranking.method, "features": names, "values": rows}
    if points:
        facts["points"] = with_target.points(source.X, target, best.tolist())
    return facts


def _by_class(ranking: Ranking, points: bool) -> dict[str, Any] | None:
    """Return values of the best features by class."""
    source, _, values, names = _best(ranking, distributions.SHOWN)
    classes = source.drawn_classes
    if classes is None:
        return None
    rows: list[dict[str, Any]] = []
    drawn: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for code, label in enumerate(classes.names()):
        own = values[classes.codes == code]
        statistics = {key: column.tolist() for key, column in summary_columns(own).items()}
        for place, name in enumerate(names):
            of_feature = {key: column[place] for key, column in statistics.items()}
            rows.append({"feature": name, "class": label, **of_feature})
            known = own[~np.isnan(own[:, place]), place]
            drawn[name][label] = known[: distributions.POINTS].tolist()
    facts: dict[str, Any] = {"method": ranking.method, "features": names, "values": rows}
    return facts | ({"points": drawn} if points else {})


def _redundancy(ranking: Ranking) -> dict[str, Any] | None:
    if len(ranking) < 2:
        return None
    _, _, values, names = _best(ranking, SHOWN)
    table = correlation(values, ~np.isnan(values))
    pairs = [
        {"feature": names[i], "other": names[j], "r": float(table[i, j])}
        for i, j in combinations(range(len(names)), 2)
    ]
    return redundant.cluster_facts(ranking.method, pairs)


def _provenance(ranking: Ranking) -> dict[str, Any]:
    packages = ("featrank", "numpy", "scipy", "scikit-learn")
    versions = {package: version(package) for package in packages}
    paragraph, references = ranking_paragraph(ranking)
    return {
        "command": provenance.bare_command(sys.argv),
        "versions": {"python": platform.python_version(), **versions},
        "params": {name: str(value) for name, value in ranking.params.items()},
        "methods": paragraph,
        "references": references.entries,
    }


def _provenance_section(content: dict[str, Any]) -> Section:
    versions = ", ".join(f"{name} {number}" for name, number in content["versions"].items())
    entries = "\n\n".join(map(bibtex, content["references"]))
    command = Paragraph(" ".join(content["command"]), code=True)
    blocks = [Paragraph(content["methods"]), command, Paragraph(versions)]
    numbered = enumerate(content["references"], 1)
    blocks += [Paragraph(f"[{number}] {entry}") for number, entry in numbered]
    blocks += [Paragraph(entries, code=True, folded="BibTeX")] if entries else []
    return Section("made", "How was it made?", blocks)
