"""Critical-difference diagrams: average ranks over data sets, and which of them are alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from featrank._utils.plain_text import shortened
from featrank.plots.display import Display, Rows
from featrank.plots.style import ACCENT, GREY, INK
from featrank.statistics import nemenyi, stack_comparisons

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CriticalDifferenceDisplay"]

# Room above the first name for each bar, in rows of names.
LEVEL = 0.3


class CriticalDifferenceDisplay(Display):
    """A critical-difference diagram: average ranks on a line, bars over what is alike [1]_.

    Parameters
    ----------
    average_ranks : mapping of str to float
        By method; 1 is best.
    critical_difference : float
        How far apart ranks differ by more than chance.
    groups : sequence of sequence of str
        Methods that are not told apart, each group best first.
    title : str, default=""
        Title of a figure of its own.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal
       of Machine Learning Research 7 (2006).

    Examples
    --------
    >>> from featrank.plots import CriticalDifferenceDisplay
    >>> display = CriticalDifferenceDisplay({"mi": 1.8, "ec-fs": 1.2}, 1.4, [["ec-fs", "mi"]])
    >>> display.plot().frame().rows()
    [('ec-fs', 1.2, [1]), ('mi', 1.8, [1])]
    """

    several: ClassVar[bool] = True

    def __init__(
        self,
        average_ranks: Mapping[str, float],
        critical_difference: float,
        groups: Sequence[Sequence[str]] = (),
        *,
        title: str = "",
    ):
        self.average_ranks = dict(sorted(average_ranks.items(), key=lambda item: item[1]))
        self.critical_difference, self.title = critical_difference, title
        self.groups = [list(group) for group in groups]

    @classmethod
    def from_results(
        cls,
        results: Sequence[Any],
        *,
        ks: Sequence[int] | None = None,
        names: Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw average ranks over the data sets of several comparisons, by Nemenyi's test.

        Parameters
        ----------
        results : sequence of Comparison
            Each on a data set of its own.
        ks : sequence of int or None, default=None
            The numbers of features to take mean scores over; None is all that they share.
        names : sequence of str or None, default=None
            What to call the comparisons in messages, as for
            :func:`featrank.statistics.stack_comparisons`.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure.
        """
        scores = stack_comparisons(results, ks, names)
        test = nemenyi(scores.table, scores.methods)
        ranks = dict(zip(test.methods, test.average_ranks.tolist(), strict=True))
        title = f"Average ranks over {len(scores.datasets)} data sets"
        return cls(ranks, test.critical_difference, test.groups, title=title).plot(ax)

    def _rows(self) -> Rows:
        return [
            {
                "method": name,
                "average_rank": rank,
                "groups": [n for n, group in enumerate(self.groups, 1) if name in group],
            }
            for name, rank in self.average_ranks.items()
        ]

    def _size(self) -> tuple[float, float]:
        return 7.2, 1.3 + 0.22 * ((len(self.average_ranks) + 1) // 2) + 0.07 * len(self.groups)

    def _title(self) -> str:
        return self.title

    def _draw(self, axes: Axes) -> None:
        ranks, count = self.average_ranks, len(self.average_ranks)
        half = (count + 1) // 2
        top = -0.9 - LEVEL * len(self.groups)
        # The line of the critical difference may be longer than the ruler.
        end = max(count, 1 + self.critical_difference, 2)
        axes.set(xlim=(end + 0.02 * end, 1 - 0.02 * end), ylim=(top - half + 0.5, 2.9))
        _ruler(axes, count)
        for place, (name, rank) in enumerate(ranks.items()):
            depth = top - (place if place < half else count - 1 - place)
            _name(axes, name, rank, depth, best=place < half)
        for level, group in enumerate(self.groups):
            margin = 0.004 * end
            ends = ranks[group[0]] - margin, ranks[group[-1]] + margin
            axes.hlines(-0.4 - LEVEL * level, *ends, color=ACCENT, linewidth=3)
        _distance(axes, self.critical_difference)
        axes.axis("off")


def _ruler(axes: Axes, count: int) -> None:
    axes.hlines(0, 1, count, color=INK, linewidth=1)
    for rank in range(1, count + 1):
        axes.vlines(rank, 0, 0.2, color=INK, linewidth=1)
        axes.text(rank, 0.3, str(rank), ha="center", va="bottom", fontsize=8, color=INK)


def _distance(axes: Axes, critical: float) -> None:
    """Draw how far apart ranks differ."""
    axes.hlines(1.8, 1, 1 + critical, color=INK, linewidth=1.5)
    text = f"critical difference {critical:.2f}"
    axes.text(1 + critical / 2, 1.95, text, ha="center", va="bottom", fontsize=8, color=INK)


def _name(axes: Axes, name: str, rank: float, depth: float, *, best: bool) -> None:
    """Write a name at the side of the best rank, or of the worst, with a line to its own."""
    worst, first = axes.get_xlim()
    end = first if best else worst
    axes.plot([rank, rank, end], [0, depth, depth], color=GREY, linewidth=0.8)
    name = shortened(name, 24)
    label = f" {name}  {rank:.2f}" if best else f"{rank:.2f}  {name} "
    side = "left" if best else "right"
    axes.text(end, depth, label, ha=side, va="center", fontsize=9, color=INK, parse_math=False)
