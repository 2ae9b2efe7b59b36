"""How do the best features differ between classes? A heat map of standardised values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.plain_text import shortened
from featrank.evaluation.feature_tables import summary_columns
from featrank.report.document import Column, Grid, Plot, Section
from featrank.report.sections.distributions import CLASSES, POINTS, QUANTILES
from featrank.report.svg import Drawing, text_width

Floats = NDArray[np.float64]

SHOWN = 25
# Standard deviations from the mean that have the full colour. Paler tiles are not drawn.
FULL, PALEST = 2.0, 0.04
# Height of a row, width of all columns, widest column, and space between classes, in pixels.
ROW, WIDTH, WIDEST, MARGIN = 16, 520, 36, 6
# Letters of names of features and of classes.
NAME, CLASS = 22, 26


def facts(
    values: Floats,
    names: Sequence[str],
    codes: NDArray[np.integer],
    labels: Sequence[str],
    points: bool,
) -> dict[str, Any]:
    """Return standardised values of features by class: quantiles, or those of single samples."""
    values, labels = _standardised(values), labels[:CLASSES]
    groups = []
    for code, label in enumerate(labels):
        own = values[codes == code]
        columns = own[:: -(-len(own) // POINTS)] if points else _quantiles(own)
        groups.append(
            {
                "class": label,
                "mean": _plain(_mean(own)),
                "columns": [_plain(each) for each in columns],
            }
        )
    return {"features": list(names), "single_samples": points, "groups": groups}


def section(facts: dict[str, Any], method: str, is_regression: bool) -> Section:
    """Return the section of the report."""
    shown = (
        "each column is a sample"
        if facts["single_samples"]
        else ("the columns of a group are its 5th, 25th, 50th, 75th and 95th percentile")
    )
    title = (
        f"Values of the top {len(facts['features'])} features of {method}: {shown}. Warm colours "
        "are above the feature's mean, cool ones below, darkest at 2 standard deviations"
    )
    note = "" if facts["single_samples"] else "Single samples are drawn on request."
    plot = Plot(_draw(facts).svg(title), title, _numbers(facts), note)
    what = "change with the target" if is_regression else "differ between classes"
    return Section("heat-map", f"How do they {what}?", [plot])


def _standardised(values: Floats) -> Floats:
    known = ~np.isnan(values)
    count = np.maximum(known.sum(axis=0), 1)
    centred = values - np.where(known, values, 0.0).sum(axis=0) / count
    sd = np.sqrt(np.where(known, centred**2, 0.0).sum(axis=0) / np.maximum(count - 1, 1))
    scaled = np.divide(centred, sd, out=np.zeros_like(centred), where=sd > 0)
    return np.where(known, scaled, np.nan)


def _quantiles(own: Floats) -> Floats:
    columns = summary_columns(own)
    return np.array([columns[name] for name in QUANTILES])


def _mean(own: Floats) -> Floats:
    known = ~np.isnan(own)
    total, count = np.where(known, own, 0.0).sum(axis=0), known.sum(axis=0)
    return np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)


def _plain(values: Floats) -> list[float | None]:
    """Return values for JSON, without needless digits."""
    return [None if np.isnan(value) else round(float(value), 3) for value in values]


def _draw(facts: dict[str, Any]) -> Drawing:
    names = [shortened(name, NAME) for name in facts["features"]]
    groups = facts["groups"]
    n_columns = sum(len(group["columns"]) for group in groups)
    step = min(WIDEST, max(2.0, WIDTH / max(n_columns, 1)))
    left, top = max(map(text_width, names), default=0.0) + 12, 26
    width = left + step * n_columns + MARGIN * len(groups) + 40
    drawing = Drawing(width, top + ROW * len(names) + 8)
    for row, name in enumerate(names):
        drawing.label(
            left - 6, top + ROW * (row + 0.5) + 4, name, text_anchor="end", klass="tick small"
        )
    x = left
    for group in groups:
        x = _draw_group(drawing, group, x, top, step) + MARGIN
    return drawing


def _draw_group(
    drawing: Drawing, group: dict[str, Any], x: float, top: float, step: float
) -> float:
    """Draw the columns of a class; return where they end."""
    width = step * len(group["columns"])
    letters = max(int(width // 7), 3)
    label = shortened(group["class"], min(letters, CLASS))
    drawing.label(x + width / 2, top - 10, label, text_anchor="middle", klass="tick")
    height = ROW * len(group["mean"])
    drawing.add("rect", x=x, y=top, width=width, height=height, klass="paper")
    for place, column in enumerate(group["columns"]):
        for row, value in enumerate(column):
            share = 0.0 if value is None else min(abs(value) / FULL, 1.0)
            if value is not None and share >= PALEST:
                drawing.add(
                    "rect",
                    x=x + step * place,
                    y=top + ROW * row,
                    width=step,
                    height=ROW - 1,
                    klass="warm" if value > 0 else "cool",
                    fill_opacity=round(share, 2),
                )
    return x + width


def _numbers(facts: dict[str, Any]) -> Grid:
    """Return the mean of the standardised values of each class."""
    groups = facts["groups"]
    columns = [Column("feature"), *(Column(group["class"], right=True) for group in groups)]
    rows = [
        [
            name,
            *(
                "" if group["mean"][row] is None else f"{group['mean'][row]:+.2f}"
                for group in groups
            ),
        ]
        for row, name in enumerate(facts["features"])
    ]
    return Grid(columns, rows)
