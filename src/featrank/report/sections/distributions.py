"""What do they look like? Box plots of the top features by class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank._utils.plain_text import shortened
from featrank.report.document import Column, Grid, Plot, Section
from featrank.report.phrases import number_or_dash
from featrank.report.sections.drawing import colour_of
from featrank.report.svg import Drawing, Scale
from featrank.statistics import best_method
from featrank.values.classes import encode_labels
from featrank.values.containers import dense_columns

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

SHOWN = 12
# Classes that fit into a panel.
CLASSES = 12
QUANTILES = ("q05", "q25", "q50", "q75", "q95")
ACROSS, PANEL, ROW, HEAD = 3, 300, 20, 40

# Largest number of samples drawn per class.
POINTS = 60


def facts(results: Comparison, samples: tuple[Any, Any] | None = None) -> dict[str, Any] | None:
    """Return quantiles by class of the top features of the best method.

    ``samples`` are X and y. Single values are drawn only if they are passed.
    """
    method = best_method(results)
    if method is None:
        return None
    ranked = results.features().to_dicts()
    own = [row for row in ranked if row["method"] == method and row["rank"] is not None]
    best = [row["feature"] for row in sorted(own, key=lambda row: row["rank"])[:SHOWN]]
    values = [row for row in results.values_by_class().to_dicts() if row["feature"] in best]
    if not values:
        return None
    facts: dict[str, Any] = {"method": method, "features": best, "values": values}
    if samples is not None:
        columns = [row["column"] for row in sorted(own, key=lambda row: row["rank"])[:SHOWN]]
        facts["points"] = dict(zip(best, _points(*samples, columns), strict=True))
    return facts


def _points(X: Any, y: Any, columns: list[int]) -> list[dict[str, list[float]]]:
    """Return values by class for each column, at most 60 at even distances."""
    values = dense_columns(X, np.array(columns))
    labels, codes = encode_labels(y, len(values))
    points = []
    for column in values.T:
        of_class = [column[(codes == code) & ~np.isnan(column)] for code in range(len(labels))]
        few = [each[:: max(1, -(-len(each) // POINTS))].tolist() for each in of_class]
        points.append(dict(zip(map(str, labels.tolist()), few, strict=True)))
    return points


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    labels = list(dict.fromkeys(row["class"] for row in facts["values"]))
    title = (
        f"The top {len(facts['features'])} features of {facts['method']} by class. Boxes show "
        "the quartiles and the median, whiskers the 5th and 95th percentiles"
    )
    left = max(0, len(labels) - CLASSES)
    note = f"The table of numbers contains {left} more classes." if left else ""
    plot = Plot(_panels(facts, labels[:CLASSES], title), title, _numbers(facts), note)
    return Section("look", "What do they look like?", [plot])


def _panels(facts: dict[str, Any], labels: list[str], title: str) -> str:
    height = HEAD + ROW * len(labels) + 24
    down = -(-len(facts["features"]) // ACROSS)
    drawing = Drawing(ACROSS * PANEL, down * height)
    for number, name in enumerate(facts["features"]):
        rows = {row["class"]: row for row in facts["values"] if row["feature"] == name}
        corner = (number % ACROSS) * PANEL, (number // ACROSS) * height
        points = facts.get("points", {}).get(name, {})
        _panel(drawing, corner, name, [(label, rows.get(label)) for label in labels], points)
    return drawing.svg(title)


def _panel(
    drawing: Drawing,
    corner: tuple[float, float],
    name: str,
    rows: list[tuple[str, dict[str, Any] | None]],
    points: Mapping[str, Sequence[float]],
) -> None:
    left, top = corner
    drawing.label(left, top + 14, shortened(name, 38), klass="name")
    known = [row[key] for _, row in rows if row for key in QUANTILES if row[key] is not None]
    known += [value for each in points.values() for value in each]
    if not known:
        drawing.label(left, top + HEAD, "no values", klass="tick")
        return
    room = 0.03 * (max(known) - min(known)) or 1.0
    scale = Scale(min(known) - room, max(known) + room, left + 84, left + PANEL - 22)
    bottom = top + HEAD + ROW * len(rows)
    for number, (label, row) in enumerate(rows):
        middle = top + HEAD - 8 + ROW * number
        drawing.label(left + 78, middle + 4, shortened(label, 12), text_anchor="end", klass="tick")
        if row is not None and row["q50"] is not None:
            _box(drawing, scale, row, middle, colour_of(number + 1))
        for value in points.get(label, ()):
            drawing.add("circle", cx=scale(value), cy=middle, r=1.6, klass="point")
    drawing.line(scale.start, bottom - 6, scale.end, bottom - 6)
    for value in scale.ticks(3):
        drawing.label(
            scale(value), bottom + 8, f"{value:g}", text_anchor="middle", klass="tick small"
        )


def _box(drawing: Drawing, scale: Scale, row: dict[str, Any], middle: float, colour: int) -> None:
    low, first, median, third, high = (scale(row[key]) for key in QUANTILES)
    drawing.line(low, middle, high, middle, f"whisker s{colour}")
    drawing.add(
        "rect",
        x=first,
        y=middle - 6,
        width=max(third - first, 1.0),
        height=12,
        klass=f"box f{colour}",
    )
    drawing.line(median, middle - 6, median, middle + 6, "median")


def _numbers(facts: dict[str, Any]) -> Grid:
    heads = ("samples", "missing", "mean", "sd", *QUANTILES)
    columns = [Column("feature"), Column("class"), *(Column(head, right=True) for head in heads)]
    order = {name: place for place, name in enumerate(facts["features"])}
    rows = sorted(facts["values"], key=lambda row: order[row["feature"]])
    return Grid(
        columns,
        [
            [row["feature"], row["class"], *(number_or_dash(row[head]) for head in heads)]
            for row in rows
        ],
        keys=2,
    )
