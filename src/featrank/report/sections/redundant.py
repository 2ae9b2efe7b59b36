"""Are they redundant: correlations of the best features, ordered so that alike ones are near."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.plots.redundancy import RedundancyDisplay
from featrank.report.document import Cell, Column, Figure, Grid, Paragraph, Section
from featrank.report.sections.drawing import draw_svg
from featrank.statistics import best_method, correlation_clusters

if TYPE_CHECKING:
    from featrank.evaluation import Comparison


def facts(results: Comparison) -> dict[str, Any] | None:
    """Return the correlations of the best method's first features, in the order of clusters."""
    method = best_method(results)
    rows = [row for row in results.correlations().to_dicts() if row["method"] == method]
    if not rows:
        return None
    found = correlation_clusters(rows)
    return {
        "method": method,
        "features": found.features,
        "correlations": found.correlations.round(4).tolist(),
        "groups": found.groups,
        "threshold": found.threshold,
    }


def section(facts: dict[str, Any]) -> Section:
    """Return what is shown of it."""
    count, groups = len(facts["features"]), facts["groups"]
    title = (
        f"Correlations of the best {count} features of {facts['method']}, alike ones side by "
        "side: warm for positive, cool for negative"
    )
    display = RedundancyDisplay(facts["features"], facts["correlations"], groups)
    figure = Figure(draw_svg(display.describe(), title), title, _numbers(facts))
    blocks: list[Any] = [_sentence(facts), figure]
    if groups:
        rows = [[str(len(group)), ", ".join(group)] for group in groups]
        columns = [Column("size", right=True), Column("features")]
        blocks.insert(1, Grid(columns, rows, title="Groups of features that say much the same"))
    return Section("redundant", "Are they redundant?", blocks)


def _sentence(facts: dict[str, Any]) -> Paragraph:
    count, groups, alike = len(facts["features"]), facts["groups"], facts["threshold"]
    if not groups:
        return Paragraph(
            f"No two of the best {count} features are correlated by {alike} or more on average."
        )
    inside = sum(map(len, groups))
    return Paragraph(
        f"{inside} of the best {count} features fall into {len(groups)} group"
        f"{'s' if len(groups) > 1 else ''} of features whose absolute correlations are on average "
        f"{alike} or more: one of each group may do. The method ec-fs-diverse puts copies last."
    )


def _numbers(facts: dict[str, Any]) -> Grid:
    """Return each feature with the one it is most like."""
    names, table = facts["features"], np.array(facts["correlations"])
    others = np.abs(table) - np.eye(len(names))
    nearest = others.argmax(axis=1) if len(names) > 1 else np.zeros(len(names), int)
    rows = [
        [name, names[near], Cell(f"{table[place, near]:+.2f}")]
        for place, (name, near) in enumerate(zip(names, nearest.tolist(), strict=True))
    ]
    return Grid([Column("feature"), Column("most like"), Column("r", right=True)], rows)
