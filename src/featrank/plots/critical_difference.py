"""Critical-difference diagrams: average ranks over data sets, and which of them are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .style import ACCENT, GREY, INK, canvas

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["critical_difference_figure"]


class AverageRanks(Protocol):
    """What a diagram shows, such as the result of ``featrank.statistics.nemenyi``."""

    @property
    def methods(self) -> Sequence[str]:
        """Names of the methods."""

    @property
    def average_ranks(self) -> Any:
        """Average rank of each method; 1 is best."""

    @property
    def critical_difference(self) -> float:
        """Ranks that differ by less are alike."""

    @property
    def groups(self) -> Sequence[Sequence[str]]:
        """The largest runs of methods that are alike, best first."""


def critical_difference_figure(test: AverageRanks) -> Figure:
    """Return a critical-difference diagram: average ranks on a line, bars over what is alike."""
    figure, axes = canvas(7.2, 1.5 + 0.22 * len(test.methods))
    order = sorted(range(len(test.methods)), key=lambda j: float(test.average_ranks[j]))
    count = len(order)
    top = -0.5 - 0.16 * len(test.groups)
    axes.set(xlim=(count + 0.2, 0.8), ylim=(top - (count + 1) // 2, 1.6))
    axes.hlines(0, 1, count, color=INK, linewidth=1)
    for rank in range(1, count + 1):
        axes.vlines(rank, 0, 0.12, color=INK, linewidth=1)
        axes.text(rank, 0.18, str(rank), ha="center", va="bottom", fontsize=8, color=INK)
    for place, j in enumerate(order):
        good = place < (count + 1) // 2
        depth = top - (place if good else count - 1 - place)
        _name(axes, test.methods[j], float(test.average_ranks[j]), depth, None if good else count)
    ranks = dict(zip(test.methods, test.average_ranks.tolist(), strict=True))
    for level, group in enumerate(test.groups):
        ends = ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03
        axes.hlines(-0.22 - 0.16 * level, *ends, color=ACCENT, linewidth=3)
    axes.hlines(1.2, 1, 1 + test.critical_difference, color=INK, linewidth=1.5)
    axes.text(
        1 + test.critical_difference / 2,
        1.27,
        f"critical difference {test.critical_difference:.2f}",
        ha="center",
        va="bottom",
        fontsize=8,
        color=INK,
    )
    axes.axis("off")
    return figure


def _name(axes: Axes, name: str, rank: float, depth: float, worst: int | None) -> None:
    """Write a name at the side of the best rank, or of the worst, with a line to its own."""
    end = 0.95 if worst is None else worst + 0.05
    axes.plot([rank, rank, end], [0, depth, depth], color=GREY, linewidth=0.8)
    label = f" {name}  {rank:.2f}" if worst is None else f"{rank:.2f}  {name} "
    side = "left" if worst is None else "right"
    axes.text(end, depth, label, ha=side, va="center", fontsize=9, color=INK, parse_math=False)
