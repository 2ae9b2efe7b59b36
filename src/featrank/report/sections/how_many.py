"""How many features? The score against their number, compared with a random ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.plots.score_curve import ScoreCurveDisplay
from featrank.report.document import Paragraph, Plot, Section
from featrank.report.sections.drawing import draw_svg, tabulate_lines
from featrank.statistics import SMALL_DIFFERENCE, best_method, recommended_k

if TYPE_CHECKING:
    from featrank.evaluation import Comparison


def facts(results: Comparison) -> dict[str, Any]:
    """Return the curve of each method, and the smallest number of features that does as well.

    ``enough`` is, for each method, the smallest k whose mean score is within 0.01 of the best k's.
    """
    points = results.curves().to_dicts()
    curves = {
        method: [point for point in points if point["method"] == method]
        for method in dict.fromkeys(point["method"] for point in points)
    }
    return {
        "scoring": results.manifest["protocol"]["scoring"],
        "n_features": list(results.n_features),
        "methods": {name: curves[name] for name in results.methods},
        "baseline": curves.get(results.baseline) if results.baseline else None,
        "enough": {name: recommended_k(curves[name]) for name in results.methods},
        "best": best_method(results),
    }


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    best = facts["best"]
    mark = None if best is None else facts["enough"][best]
    blocks: list[Any] = [_sentence(facts, mark)] if mark is not None else []
    points = [point for curve in facts["methods"].values() for point in curve]
    points += [{**point, "method": "random"} for point in facts["baseline"] or ()]
    title = (
        f"Mean {facts['scoring']} over the trials by number of features. The band is the "
        f"corrected 95 % interval of {best}"
    )
    display = ScoreCurveDisplay(points, str(best), baseline="random", scoring=facts["scoring"])
    chart = display.describe()
    plot = Plot(draw_svg(chart, title), title, tabulate_lines(chart.lines))
    return Section("how-many", "How many features?", [*blocks, plot])


def _sentence(facts: dict[str, Any], mark: int) -> Paragraph:
    best = facts["best"]
    curve = facts["methods"][best]
    top = max((p for p in curve if p["mean"] == p["mean"]), key=lambda point: point["mean"])
    if mark == top["k"]:
        sentence = f"{best} scores best with {mark} feature{'s' if mark > 1 else ''}."
        if mark == max(facts["n_features"]) and len(facts["n_features"]) > 1:
            sentence += " This is the largest number tested. More may do better."
        return Paragraph(sentence)
    return Paragraph(
        f"{best} scores best with {top['k']} features. With {mark}, its score is within "
        f"{SMALL_DIFFERENCE:g} of that, and fewer features are easier to measure and to explain."
    )
