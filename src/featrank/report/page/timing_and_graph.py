"""Timing, ROC curves and the feature graph, for those who ask."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank._utils.plain_text import shortened
from featrank.exceptions import DataError
from featrank.plots.placing import EDGES, placed, strongest
from featrank.plots.roc import describe_roc
from featrank.report.document import Column, Figure, Grid, Section
from featrank.report.page.curves import chart_figure
from featrank.report.svg import Drawing, Scale
from featrank.statistics import best_method, one_standard_error_k

if TYPE_CHECKING:
    from featrank.evaluation import Comparison


def facts(results: Comparison) -> dict[str, Any]:
    """Return seconds, ROC curves at one k, and the strongest edges of the best method's graph."""
    return {
        "seconds": {row["method"]: row["seconds"] for row in results.table()},
        "roc": _roc(results),
        "graph": _graph(results),
    }


def _roc(results: Comparison) -> dict[str, Any] | None:
    best = best_method(results)
    try:
        rows = results.roc().to_dicts()
    except DataError:
        return None
    if best is None or not rows:
        return None
    k = one_standard_error_k([p for p in results.curves().to_dicts() if p["method"] == best])
    curves: dict[str, list[list[float]]] = {}
    for row in rows:
        if row["k"] == k:
            curves.setdefault(row["method"], []).append([row["fpr"], row["tpr"]])
    return {"k": k, "curves": curves}


def _graph(results: Comparison) -> dict[str, Any] | None:
    try:
        rows = results.edges().to_dicts()
    except DataError:  # of an older layout
        return None
    methods = list(dict.fromkeys(row["method"] for row in rows))
    if not methods:
        return None
    best = best_method(results)
    method = best if best in methods else methods[0]
    weights = strongest(row for row in rows if row["method"] == method)
    edges = weights[:EDGES]
    names = sorted({name for *pair, _ in edges for name in pair})
    places = placed(len(names), [(names.index(a), names.index(b)) for a, b, _ in edges])
    return {
        "method": method,
        "features": names,
        "edges": [list(edge) for edge in edges],
        "places": np.round(places, 4).tolist(),
        "left": len(weights) - len(edges),
    }


def section(facts: dict[str, Any]) -> Section:
    """Return what is shown of it, folded."""
    blocks: list[Any] = [_timing(facts["seconds"])]
    if facts["roc"] is not None:
        blocks.append(_roc_figure(facts["roc"]))
    if facts["graph"] is not None:
        blocks.append(_graph_figure(facts["graph"]))
    return Section("further", "How fast, and what else?", blocks, folded=True)


def _timing(seconds: dict[str, float]) -> Figure:
    title = "Seconds that one ranking takes, on a logarithmic scale"
    known = {name: value for name, value in seconds.items() if value == value and value > 0}
    drawing = Drawing(640, 24 * max(len(seconds), 1) + 34)
    low = 10.0 ** math.floor(math.log10(min(known.values(), default=0.1)))
    high = max(known.values(), default=1.0) * 1.6
    scale = Scale(low, max(high, 2 * low), 150, 560, log=True)
    for number, (name, value) in enumerate(seconds.items()):
        y = 8 + 24 * number
        drawing.text(142, y + 13, shortened(name, 20), text_anchor="end", klass="tick")
        if name in known:
            drawing.add("rect", x=150, y=y, width=scale(value) - 150, height=16, klass="box f1")
            drawing.text(scale(value) + 5, y + 13, f"{value:.3g} s", klass="tick")
        else:
            drawing.text(155, y + 13, "not finished", klass="tick")
    columns = [Column("method"), Column("seconds", right=True)]
    rows = [[name, "–" if v != v else f"{v:.3g}"] for name, v in seconds.items()]
    return Figure(drawing.svg(title), title, Grid(columns, rows))


def _roc_figure(facts: dict[str, Any]) -> Figure:
    title = f"ROC curves of the classifier on the best {facts['k']} features, mean over the trials"
    points = [
        {"method": name, "fpr": x, "tpr": y}
        for name, each in facts["curves"].items()
        for x, y in each
    ]
    shown = (0.05, 0.1, 0.2, 0.5)
    columns = [Column("method"), *(Column(f"at {x:g}", right=True) for x in shown)]
    rows = [
        [name, *(f"{_at(x, curve):.3f}" for x in shown)] for name, curve in facts["curves"].items()
    ]
    numbers = Grid(columns, rows, caption="True positive rate at some false positive rates.")
    return chart_figure(describe_roc(points, "random"), title, numbers)


def _at(rate: float, curve: list[list[float]]) -> float:
    xs, ys = np.array(curve).T
    return float(np.interp(rate, xs, ys))


def _graph_figure(facts: dict[str, Any]) -> Figure:
    title = f"The strongest edges of the feature graph of {facts['method']}, on all rows"
    drawing = Drawing(720, 520)
    x, y = Scale(0, 1, 60, 620), Scale(0, 1, 490, 26)
    where = {
        name: (x(px), y(py))
        for name, (px, py) in zip(facts["features"], facts["places"], strict=True)
    }
    largest = max(weight for *_, weight in facts["edges"])
    for first, second, weight in facts["edges"]:
        share = weight / largest if largest > 0 else 1.0
        drawing.add(
            "line",
            x1=where[first][0],
            y1=where[first][1],
            x2=where[second][0],
            y2=where[second][1],
            klass="edge",
            stroke_opacity=round(0.15 + 0.6 * max(share, 0.0) ** 4, 2),
        )
    for name, (px, py) in where.items():
        drawing.titled(px, py, 4, "dot f0", name)
        drawing.text(px + 6, py + 4, shortened(name, 16), klass="small")
    left = facts["left"]
    note = f"{left} more edges are kept in the folder of results." if left > 0 else ""
    columns = [Column("feature"), Column("other"), Column("weight", right=True)]
    rows = [[first, second, f"{weight:.4g}"] for first, second, weight in facts["edges"]]
    return Figure(drawing.svg(title), title, Grid(columns, rows), note)
