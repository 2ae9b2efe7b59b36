"""Are they redundant? Correlations of the best features, ordered by clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.plots.redundancy import RedundancyDisplay
from featrank.report.document import Cell, Column, Grid, Paragraph, Plot, Section
from featrank.report.sections.drawing import draw_svg
from featrank.statistics import best_method, correlation_clusters

if TYPE_CHECKING:
    from featrank.evaluation import Comparison


def facts(results: Comparison) -> dict[str, Any] | None:
    """Return the correlations of the top features of the best method, ordered by clusters."""
    method = best_method(results)
    rows = [row for row in results.correlations().to_dicts() if row["method"] == method]
    return cluster_facts(str(method), rows) if rows else None


def cluster_facts(method: str, pairs: list[dict[str, Any]]) -> dict[str, Any]:
    """Return clusters of features, given ``feature``, ``other`` and ``r`` of each pair."""
    clusters = correlation_clusters(pairs)
    return {
        "method": method,
        "features": clusters.features,
        "correlations": clusters.correlations.round(4).tolist(),
        "groups": clusters.groups,
        "threshold": clusters.threshold,
    }


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    count, groups = len(facts["features"]), facts["groups"]
    title = (
        f"Correlations of the top {count} features of {facts['method']}, ordered by clusters: "
        "warm colours are positive, cool ones negative"
    )
    display = RedundancyDisplay(facts["features"], facts["correlations"], groups)
    plot = Plot(draw_svg(display.describe(), title), title, _numbers(facts))
    blocks: list[Any] = [_sentence(facts), plot]
    if groups:
        rows = [[str(len(group)), ", ".join(group)] for group in groups]
        columns = [Column("size", right=True), Column("features")]
        blocks.insert(1, Grid(columns, rows, title="Groups of correlated features"))
    return Section("redundant", "Are they redundant?", blocks)


def _sentence(facts: dict[str, Any]) -> Paragraph:
    count, groups, threshold = len(facts["features"]), facts["groups"], facts["threshold"]
    if not groups:
        return Paragraph(
            f"No group of the top {count} features has a mean absolute correlation of {threshold} "
            "or more."
        )
    inside = sum(map(len, groups))
    return Paragraph(
        f"{inside} of the top {count} features form {len(groups)} group"
        f"{'s' if len(groups) > 1 else ''} with a mean absolute correlation of {threshold} or "
        "more. One feature per group may be enough. The method ec-fs-diverse ranks duplicates last."
    )


def _numbers(facts: dict[str, Any]) -> Grid:
    """Return each feature with the one it is most correlated with."""
    names, table = facts["features"], np.array(facts["correlations"])
    others = np.abs(table) - np.eye(len(names))
    nearest = others.argmax(axis=1) if len(names) > 1 else np.zeros(len(names), int)
    rows = [
        [name, names[near], Cell(f"{table[place, near]:+.2f}")]
        for place, (name, near) in enumerate(zip(names, nearest.tolist(), strict=True))
    ]
    return Grid([Column("feature"), Column("most correlated with"), Column("r", right=True)], rows)
