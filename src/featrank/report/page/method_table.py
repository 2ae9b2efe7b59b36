"""Which method wins: the paper's table with its tests, and ranks over several data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import shortened
from featrank.report.document import Column, Figure, Grid, Section
from featrank.report.svg import Drawing, Scale

if TYPE_CHECKING:
    from featrank.report.document import Report

ROW = 20


def section(comparison: Report, ranks: Report | None = None) -> Section:
    """Return the table of a comparison and, of several data sets, their ranks."""
    blocks: list[Any] = list(comparison.shown)
    if ranks is not None:
        blocks += ranks.shown
        if ranks.content.get("nemenyi") is not None:
            blocks.append(diagram(ranks.content))
    return Section("winner", "Which method wins?", blocks)


def diagram(content: dict[str, Any]) -> Figure:
    """Return the critical-difference diagram of average ranks, as in Demšar (2006)."""
    test = content["nemenyi"]
    methods = sorted(test["average_ranks"].items(), key=lambda item: float(item[1]))
    groups, critical, count = test["groups"], test["critical_difference"], len(methods)
    top = 64 + 9 * len(groups)
    drawing = Drawing(720, top + ROW * ((count + 1) // 2) + 14)
    scale = Scale(1, max(count, 2), 190, 530)
    _ruler(drawing, scale, count, critical)
    _names(drawing, scale, methods, top)
    average = dict(methods)
    for level, group in enumerate(groups):
        ends = [average[name] for name in group]
        y = 50 + 9 * level
        drawing.line(scale(min(ends)) - 4, y, scale(max(ends)) + 4, y, "group s0")
    title = (
        f"Average ranks over {len(content['datasets'])} data sets, 1 is best; methods under one "
        "bar are not told apart (Nemenyi)"
    )
    columns = [Column("method"), Column("average rank", right=True)]
    numbers = Grid(columns, [[name, f"{rank:.2f}"] for name, rank in methods])
    return Figure(drawing.svg(title), title, numbers)


def _ruler(drawing: Drawing, scale: Scale, count: int, critical: float) -> None:
    drawing.line(scale(1), 40, scale(max(count, 2)), 40)
    for rank in range(1, count + 1):
        drawing.line(scale(rank), 35, scale(rank), 40)
        drawing.text(scale(rank), 30, str(rank), text_anchor="middle", klass="tick")
    end = scale(1 + critical)
    drawing.line(scale(1), 10, end, 10)
    drawing.text(end + 6, 14, f"critical difference {critical:.2f}", klass="tick")


def _names(drawing: Drawing, scale: Scale, methods: list[tuple[str, float]], top: float) -> None:
    """Write the better half at the left and the others at the right, with lines to their ranks."""
    count = len(methods)
    half = (count + 1) // 2
    for place, (name, rank) in enumerate(methods):
        left = place < half
        y = top + ROW * (place if left else count - 1 - place)
        end = 180 if left else 540
        drawing.path([(scale(rank), 40), (scale(rank), y), (end, y)], "edge")
        text = f"{shortened(name, 20)}  {rank:.2f}"
        drawing.text(end + (-5 if left else 5), y + 4, text, text_anchor="end" if left else "start")
