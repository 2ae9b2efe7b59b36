"""Which method wins? The table of scores with tests, and ranks over several data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.plots.critical_difference import CriticalDifferenceDisplay
from featrank.report.document import Column, Grid, Plot, Section
from featrank.report.sections.drawing import draw_svg

if TYPE_CHECKING:
    from featrank.report.document import Report


def section(comparison: Report, ranks: Report | None = None) -> Section:
    """Return the table of a comparison and, for several data sets, the ranks."""
    blocks: list[Any] = list(comparison.shown)
    if ranks is not None:
        blocks += ranks.shown
        if ranks.content.get("nemenyi") is not None:
            blocks.append(diagram(ranks.content))
    return Section("winner", "Which method wins?", blocks)


def diagram(content: dict[str, Any]) -> Plot:
    """Return the critical-difference diagram of average ranks, as in Demšar (2006)."""
    test = content["nemenyi"]
    title = (
        f"Average ranks over {len(content['datasets'])} data sets, 1 is best; methods under one "
        "bar do not differ significantly (Nemenyi)"
    )
    display = CriticalDifferenceDisplay(
        test["average_ranks"], test["critical_difference"], test["groups"]
    )
    columns = [Column("method"), Column("average rank", right=True)]
    rows = [[name, f"{rank:.2f}"] for name, rank in display.average_ranks.items()]
    return Plot(draw_svg(display.describe(), title), title, Grid(columns, rows))
