"""What do they look like? Correlations of the top features with a regression target."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank._utils.plain_text import shortened
from featrank.plots.description import Axis, Bars
from featrank.report.document import Column, Grid, Plot, Section
from featrank.report.phrases import number_or_dash
from featrank.report.sections.distributions import QUANTILES, SHOWN
from featrank.report.sections.drawing import draw_svg
from featrank.report.svg import Drawing, Scale
from featrank.statistics import best_method
from featrank.values.classes import numeric_vector
from featrank.values.containers import dense_columns

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

ACROSS, PANEL = 3, 300
# Largest number of samples drawn.
POINTS = 200
NUMBERS = ("pearson", "spearman", "samples", "missing", "mean", "sd", *QUANTILES)


def facts(results: Comparison, samples: tuple[Any, Any] | None = None) -> dict[str, Any] | None:
    """Return the correlations of the top features of the best method with the target.

    ``samples`` are X and y. Single values are drawn only if they are passed.
    """
    method = best_method(results)
    if method is None:
        return None
    ranked = results.features().to_dicts()
    own = [row for row in ranked if row["method"] == method and row["rank"] is not None]
    best = sorted(own, key=lambda row: row["rank"])[:SHOWN]
    known = {row["feature"]: row for row in results.values_with_target().to_dicts()}
    values = [known[row["feature"]] for row in best if row["feature"] in known]
    if not values:
        return None
    facts = {"method": method, "features": [row["feature"] for row in values], "values": values}
    if samples is not None:
        columns = [row["column"] for row in best if row["feature"] in known]
        facts["points"] = points(*samples, columns)
    return facts


def points(X: Any, y: Any, columns: Sequence[int]) -> list[list[list[float]]]:
    """Return pairs of value and target for each column, at most 200 at even distances."""
    values = dense_columns(X, np.array(columns))
    target = numeric_vector(y, len(values))
    few = np.arange(0, len(values), max(1, -(-len(values) // POINTS)))
    pairs = [np.column_stack([column[few], target[few]]) for column in values.T]
    return [pair[~np.isnan(pair[:, 0])].tolist() for pair in pairs]


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    title = (
        f"Spearman's rank correlation of the top {len(facts['features'])} features of "
        f"{facts['method']} with the target"
    )
    shown = "points" in facts
    svg = draw_svg(_describe_correlations(facts["values"]), title)
    plot = Plot(svg, title, _numbers(facts))
    blocks = [plot, _scatters(facts)] if shown else [plot]
    return Section("look", "What do they look like?", blocks)


def _describe_correlations(values: Sequence[dict[str, Any]]) -> Bars:
    numbers = [math.nan if row["spearman"] is None else row["spearman"] for row in values]
    labels = ["constant" if rho != rho else f"{rho:+.2f}" for rho in numbers]
    axis = Axis("Spearman's ρ", low=-1, high=1, ticks=(-1, -0.5, 0, 0.5, 1))
    return Bars(axis, [row["feature"] for row in values], numbers, labels)


def _scatters(facts: dict[str, Any]) -> Plot:
    title = (
        f"The target against the top {len(facts['features'])} features of {facts['method']}, one "
        "dot per sample"
    )
    height = 220
    drawing = Drawing(ACROSS * PANEL, -(-len(facts["features"]) // ACROSS) * height)
    for number, (name, points) in enumerate(zip(facts["features"], facts["points"], strict=True)):
        left, top = (number % ACROSS) * PANEL, (number // ACROSS) * height
        drawing.label(left, top + 14, shortened(name, 38), klass="name")
        _panel(drawing, left, top, points)
    rows = [
        [name, str(len(each))]
        for name, each in zip(facts["features"], facts["points"], strict=True)
    ]
    return Plot(
        drawing.svg(title), title, Grid([Column("feature"), Column("samples", right=True)], rows)
    )


def _panel(drawing: Drawing, left: float, top: float, points: list[list[float]]) -> None:
    if not points:
        drawing.label(left, top + 40, "no values", klass="tick")
        return
    xs, ys = zip(*points, strict=True)
    x = Scale(*_span(xs), left + 50, left + PANEL - 22)
    y = Scale(*_span(ys), top + 180, top + 28)
    drawing.line(x.start, y.start, x.end, y.start)
    drawing.line(x.start, y.start, x.start, y.end)
    for value in x.ticks(3):
        drawing.label(
            x(value), y.start + 14, f"{value:g}", text_anchor="middle", klass="tick small"
        )
    for value in y.ticks(3):
        drawing.label(
            x.start - 5, y(value) + 4, f"{value:g}", text_anchor="end", klass="tick small"
        )
    for own, target in points:
        drawing.add("circle", cx=x(own), cy=y(target), r=2, klass="point")


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = 0.03 * (high - low) or 1.0
    return low - room, high + room


def _numbers(facts: dict[str, Any]) -> Grid:
    heads = {"pearson": "Pearson's r", "spearman": "Spearman's ρ"}
    columns = [Column("feature"), *(Column(heads.get(name, name), right=True) for name in NUMBERS)]
    rows = [
        [row["feature"], *(number_or_dash(row[name]) for name in NUMBERS)]
        for row in facts["values"]
    ]
    return Grid(columns, rows)
