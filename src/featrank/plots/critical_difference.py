"""Critical-difference diagrams: average ranks over data sets, and which of them are alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError

from .style import ACCENT, GREY, INK, canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["critical_difference_figure"]


def critical_difference_figure(content: Mapping[str, Any]) -> Figure:
    """Return a critical-difference diagram: average ranks on a line, bars over what is alike.

    Parameters
    ----------
    content : mapping
        That of ``featrank.report.ranks_report``, whose ``nemenyi`` holds ``average_ranks`` (1 is
        best) by method, ``critical_difference``, and ``groups`` of methods that are alike, each
        best first.
    """
    if "nemenyi" not in content:
        raise UsageError(
            "The diagram shows Nemenyi's test, and this report has none. Make it with 'nemenyi' "
            "among its tests."
        )
    test = content["nemenyi"]
    ranks, groups, critical = (
        test[key] for key in ("average_ranks", "groups", "critical_difference")
    )
    order = sorted(ranks, key=ranks.__getitem__)
    count = len(order)
    figure, axes = canvas(7.2, 1.5 + 0.22 * count)
    top = -0.5 - 0.16 * len(groups)
    axes.set(xlim=(count + 0.2, 0.8), ylim=(top - (count + 1) // 2, 1.6))
    _ruler(axes, count)
    for place, name in enumerate(order):
        good = place < (count + 1) // 2
        depth = top - (place if good else count - 1 - place)
        _name(axes, name, ranks[name], depth, None if good else count)
    for level, group in enumerate(groups):
        ends = ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03
        axes.hlines(-0.22 - 0.16 * level, *ends, color=ACCENT, linewidth=3)
    _distance(axes, critical)
    axes.axis("off")
    return figure


def _ruler(axes: Axes, count: int) -> None:
    axes.hlines(0, 1, count, color=INK, linewidth=1)
    for rank in range(1, count + 1):
        axes.vlines(rank, 0, 0.12, color=INK, linewidth=1)
        axes.text(rank, 0.18, str(rank), ha="center", va="bottom", fontsize=8, color=INK)


def _distance(axes: Axes, critical: float) -> None:
    """Draw how far apart ranks differ."""
    axes.hlines(1.2, 1, 1 + critical, color=INK, linewidth=1.5)
    axes.text(
        1 + critical / 2,
        1.27,
        f"critical difference {critical:.2f}",
        ha="center",
        va="bottom",
        fontsize=8,
        color=INK,
    )


def _name(axes: Axes, name: str, rank: float, depth: float, worst: int | None) -> None:
    """Write a name at the side of the best rank, or of the worst, with a line to its own."""
    end = 0.95 if worst is None else worst + 0.05
    axes.plot([rank, rank, end], [0, depth, depth], color=GREY, linewidth=0.8)
    label = f" {name}  {rank:.2f}" if worst is None else f"{rank:.2f}  {name} "
    side = "left" if worst is None else "right"
    axes.text(end, depth, label, ha=side, va="center", fontsize=9, color=INK, parse_math=False)
