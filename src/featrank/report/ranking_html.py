"""The page of a ranking: which features come first, and what they look like."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.data_facts import data_facts
from featrank.evaluation.feature_tables import class_figures
from featrank.exceptions import UsageError
from featrank.ranking import ClassRankings, Ranking
from featrank.ranking.evidence import Evidence, SourceData
from featrank.ranking.feature_details import correlation, dependence
from featrank.report.document import Grid, Paragraph, Report, Section, described
from featrank.report.ranking import ranking_report
from featrank.report.ranking_methods import methods_section
from featrank.report.sections import data_quality, distributions, provenance, redundant, with_target
from featrank.sources.names import taken
from featrank.statistics import correlation_clusters

__all__ = ["ranking_html_report"]

VERSION = 1
SHOWN = 50
UNSEEN = "Of data that is sparse or read in parts, no facts are told but its size."


def ranking_html_report(
    ranking: Ranking | ClassRankings, top: int | None = None, *, points: bool = False
) -> Report:
    """Return the page of a ranking, for ``write(report, "html", "report.html")``.

    Parameters
    ----------
    ranking : Ranking
        What ``featrank.rank`` or ``featrank.rank_file`` returns, of all classes together.
    top : int or None, default=None
        Features in the table; None is 50, or all if there are fewer.
    points : bool, default=False
        Whether to draw single samples; a page shows none unless it is asked to.
    """
    if isinstance(ranking, ClassRankings) or ranking.data is None:
        raise UsageError(
            "A page is of one ranking with its data. Give what featrank.rank(X, y) returns, or one "
            "of its classes: featrank.rank(X, y, per_class=True)[label]."
        )
    count = min(top or SHOWN, len(ranking))
    table = ranking_report(ranking, count, details=True)
    quantity = ranking.data.regression_target
    looks = _look(ranking, points) if quantity is None else _along(ranking, quantity, points)
    seen: dict[str, Any] = {"fit": _fit(ranking), "look": looks, "redundant": _redundant(ranking)}
    shown = [_answer(ranking), data_quality.section(seen["fit"], UNSEEN)]
    shown += [_features(table, len(ranking), count)]
    shown += [(distributions if quantity is None else with_target).section(looks)] if looks else []
    shown += [redundant.section(seen["redundant"])] if seen["redundant"] else []
    title = f"The best of {len(ranking):,} features by {ranking.method}"
    content = described("ranking-page", VERSION, {"title": title, **seen, **_made(ranking)})
    return Report(content, table.rows, [*shown, _made_section(content)])


def _answer(ranking: Ranking) -> Section:
    names = ranking.top(min(3, len(ranking)))
    first = f"{ranking.method} ranks {', '.join(names)} first of {len(ranking):,} features."
    limits = (
        "A ranking says which features come first. How well they predict on new samples, how "
        "stable the choice is and how many are enough, trials tell: featrank compare --report."
    )
    texts = [first, *ranking.notes(), limits]
    return Section("answer", "What is the answer?", [Paragraph(text) for text in texts])


def _features(table: Report, total: int, count: int) -> Section:
    grids = [block for block in table.shown if isinstance(block, Grid)]
    note = f"The best {count} of {total:,}; --top K shows K, and --format csv holds all."
    blocks: list[Any] = [*grids, Paragraph(note)] if count < total else [*grids]
    return Section("features", "Which features?", blocks)


def _fit(ranking: Ranking) -> dict[str, Any]:
    source = ranking.data
    assert source is not None
    sizes = ranking.class_sizes()
    known = {
        "samples": source.n_samples,
        "features": len(ranking),
        "classes": [str(entry["label"]) for entry in sizes],
        **({"class_sizes": [entry["samples"] for entry in sizes]} if sizes else {}),
    }
    if isinstance(source, SourceData) or hasattr(source.X, "tocsc"):
        return known  # to look at all of it would take it into memory
    codes = source.classes.codes if sizes and source.classes else None
    target = codes if source.regression_target is None else source.regression_target
    return {**known, **data_facts(_matrix(source, len(ranking)), target)}


def _matrix(source: Evidence, n_features: int) -> NDArray[Any]:
    X = source.X
    if isinstance(X, np.ndarray) and X.dtype.kind in "fiu":
        return X
    return source.values(np.arange(n_features))


def _along(ranking: Ranking, quantity: NDArray[np.float64], points: bool) -> dict[str, Any]:
    """Return how the best features go along with a target that is a quantity."""
    source, best = ranking.data, ranking.order[: distributions.SHOWN]
    assert source is not None
    values, names = source.values(best), taken(ranking.feature_names, best)
    columns = dependence(values, ~np.isnan(values), quantity) | class_figures(values)
    rows = [
        {"feature": name} | {key: column[place].item() for key, column in columns.items()}
        for place, name in enumerate(names)
    ]
    found: dict[str, Any] = {"method": ranking.method, "features": names, "values": rows}
    if points:
        found["points"] = with_target.points(source.X, quantity, best.tolist())
    return found


def _look(ranking: Ranking, points: bool) -> dict[str, Any] | None:
    source = ranking.data
    assert source is not None
    classes = source.drawn_classes
    if classes is None:
        return None
    best = ranking.order[: distributions.SHOWN]
    values = source.values(best)
    names = taken(ranking.feature_names, best)
    rows: list[dict[str, Any]] = []
    drawn: dict[str, dict[str, list[float]]] = {name: {} for name in names}
    for code, label in enumerate(classes.names()):
        own = values[classes.codes == code]
        figures = {key: column.tolist() for key, column in class_figures(own).items()}
        for place, name in enumerate(names):
            of_feature = {key: column[place] for key, column in figures.items()}
            rows.append({"feature": name, "class": label, **of_feature})
            known = own[~np.isnan(own[:, place]), place]
            drawn[name][label] = known[: distributions.POINTS].tolist()
    found: dict[str, Any] = {"method": ranking.method, "features": names, "values": rows}
    return found | ({"points": drawn} if points else {})


def _redundant(ranking: Ranking) -> dict[str, Any] | None:
    assert ranking.data is not None
    best = ranking.order[:SHOWN]
    if len(best) < 2:
        return None
    values = ranking.data.values(best)
    table = correlation(values, ~np.isnan(values))
    names = taken(ranking.feature_names, best)
    pairs = [
        {"feature": names[i], "other": names[j], "r": float(table[i, j])}
        for i in range(len(names))
        for j in range(i + 1, len(names))
    ]
    found = correlation_clusters(pairs)
    return {
        "method": ranking.method,
        "features": found.features,
        "correlations": found.correlations.round(4).tolist(),
        "groups": found.groups,
        "threshold": found.threshold,
    }


def _made(ranking: Ranking) -> dict[str, Any]:
    packages = ("featrank", "numpy", "scipy", "scikit-learn")
    return {
        "command": provenance.bare_command(sys.argv),
        "versions": {"python": platform.python_version()}
        | {package: version(package) for package in packages},
        "params": {name: str(value) for name, value in ranking.params.items()},
        "methods": methods_section(ranking),
        "references": provenance.references(ranking.method),
    }


def _made_section(content: dict[str, Any]) -> Section:
    versions = ", ".join(f"{name} {number}" for name, number in content["versions"].items())
    entries = "\n\n".join(map(provenance.bibtex, content["references"]))
    blocks: list[Any] = [
        Paragraph(content["methods"]),
        Paragraph(" ".join(content["command"]), code=True),
        Paragraph(versions),
    ]
    blocks += [Paragraph(text) for text in content["references"]]
    blocks += [Paragraph(entries, code=True, folded="BibTeX")] if entries else []
    return Section("made", "How was it made?", blocks)
