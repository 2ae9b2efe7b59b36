"""How fast, and what else? Timing, ROC curves and the feature graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.exceptions import DataError
from featrank.plots.feature_graph import FeatureGraphDisplay
from featrank.plots.placing import EDGES, place_names, strongest
from featrank.plots.roc import RocDisplay
from featrank.plots.timing import TimingDisplay
from featrank.report.document import Column, Grid, Plot, Section
from featrank.report.sections.drawing import draw_svg
from featrank.statistics import best_method, recommended_number

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
    k = recommended_number(results, best)
    curves: dict[str, list[list[float]]] = {}
    for row in rows:
        if row["k"] == k:
            curves.setdefault(row["method"], []).append([row["fpr"], row["tpr"]])
    return {"k": k, "curves": curves}


def _graph(results: Comparison) -> dict[str, Any] | None:
    try:
        rows = results.edges().to_dicts()
    except DataError:
        return None
    methods = list(dict.fromkeys(row["method"] for row in rows))
    if not methods:
        return None
    best = best_method(results)
    method = best if best in methods else methods[0]
    weights = strongest(row for row in rows if row["method"] == method)
    edges = weights[:EDGES]
    places = place_names(edges)
    return {
        "method": method,
        "features": list(places),
        "edges": [list(edge) for edge in edges],
        "places": np.round(list(places.values()), 4).tolist(),
        "left": len(weights) - len(edges),
    }


def section(facts: dict[str, Any]) -> Section:
    """Return the collapsed section of the report."""
    blocks: list[Any] = [_timing(facts["seconds"])]
    if facts["roc"] is not None:
        blocks.append(_roc_plot(facts["roc"]))
    if facts["graph"] is not None:
        blocks.append(_graph_plot(facts["graph"]))
    return Section("further", "Further details", blocks, folded=True)


def _timing(seconds: dict[str, float]) -> Plot:
    title = "Seconds per ranking (logarithmic scale)"
    columns = [Column("method"), Column("seconds", right=True)]
    rows = [[name, "–" if v != v else f"{v:.3g}"] for name, v in seconds.items()]
    svg = draw_svg(TimingDisplay(seconds).describe(), title)
    return Plot(svg, title, Grid(columns, rows))


def _roc_plot(facts: dict[str, Any]) -> Plot:
    title = f"Mean ROC curves of the classifier with the top {facts['k']} features"
    points = [
        {"method": name, "fpr": x, "tpr": y}
        for name, each in facts["curves"].items()
        for x, y in each
    ]
    shown = (0.05, 0.1, 0.2, 0.5)
    columns = [Column("method"), *(Column(f"at {x:g}", right=True) for x in shown)]
    rows = [
        [name, *(f"{np.interp(x, *np.transpose(curve)):.3f}" for x in shown)]
        for name, curve in facts["curves"].items()
    ]
    numbers = Grid(columns, rows, caption="True positive rate at four false positive rates.")
    chart = RocDisplay(points, facts["k"], baseline="random").describe()
    return Plot(draw_svg(chart, title), title, numbers)


def _graph_plot(facts: dict[str, Any]) -> Plot:
    title = f"Strongest edges of the feature graph of {facts['method']}, from all rows"
    left = facts["left"]
    note = f"The results folder contains {left} more edges." if left > 0 else ""
    columns = [Column("feature"), Column("other"), Column("weight", right=True)]
    rows = [[first, second, f"{weight:.4g}"] for first, second, weight in facts["edges"]]
    svg = draw_svg(FeatureGraphDisplay(facts["edges"]).describe(), title)
    return Plot(svg, title, Grid(columns, rows), note)
