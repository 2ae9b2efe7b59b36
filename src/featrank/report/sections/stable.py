"""Are they stable? How much the selected features agree between trials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.plots.stability_curve import StabilityCurveDisplay
from featrank.report.document import Paragraph, Plot, Section
from featrank.report.sections.drawing import draw_svg, tabulate_lines
from featrank.statistics import stability_curves

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

MEASURE = "nogueira"
# Thresholds that Nogueira, Sechidis and Brown take from Fleiss' scale for agreement beyond chance.
POOR, EXCELLENT = 0.4, 0.75


def facts(results: Comparison) -> dict[str, Any] | None:
    """Return the stability of each method at each k, with intervals; None for a single trial."""
    points = stability_curves(results, results.n_features, MEASURE)
    if not points:
        return None
    return {"measure": MEASURE, "n_features": list(results.n_features), "points": points}


def grade(value: float) -> str:
    """Return the word for a stability.

    Examples
    --------
    >>> [grade(value) for value in (0.2, 0.5, 0.9)]
    ['poor', 'fair', 'excellent']
    """
    return "poor" if value < POOR else "fair" if value <= EXCELLENT else "excellent"


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    title = (
        "Stability of the top k features over the trials (Nogueira), with 95 % intervals, which "
        "are approximate because trials share rows"
    )
    chart = StabilityCurveDisplay(facts["points"], facts["measure"]).describe()
    plot = Plot(draw_svg(chart, title), title, tabulate_lines(chart.lines))
    meaning = (
        "1 means the same features in every trial, and 0 the agreement of random selections. Below "
        f"{POOR}, stability is poor, and above {EXCELLENT} excellent. Do not interpret unstable "
        "features one by one, even if they predict well."
    )
    return Section("stable", "Are they stable?", [Paragraph(meaning), plot])
