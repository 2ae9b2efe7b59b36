"""Critical-difference diagrams: average ranks over data sets, and which ranks do not differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from featrank._utils.plain_text import shortened
from featrank.plots.description import Label, Sketch, Stroke
from featrank.plots.display import DescribedDisplay, Rows
from featrank.statistics import nemenyi, stack_comparisons

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CriticalDifferenceDisplay"]

# Height of a bar, in rows of names.
LEVEL = 0.3


class CriticalDifferenceDisplay(DescribedDisplay):
    """A critical-difference diagram: average ranks, with bars over groups that do not differ [1]_.

    Parameters
    ----------
    average_ranks : mapping of str to float
        Average rank by method; 1 is best.
    critical_difference : float
        Ranks further apart than this differ significantly.
    groups : sequence of sequence of str
        Methods that do not differ significantly, each group best first.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

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
        n_features: Sequence[int] | None = None,
        names: Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw average ranks over the data sets of several comparisons, by Nemenyi's test.

        Parameters
        ----------
        results : sequence of Comparison
            Each on a different data set.
        n_features : sequence of int or None, default=None
            Numbers of features over which scores are averaged; None is all that they share.
        names : sequence of str or None, default=None
            Names of the comparisons in messages, as for
            :func:`featrank.statistics.stack_comparisons`.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        scores = stack_comparisons(results, n_features, names)
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

    def describe(self) -> Sketch:
        """Return the diagram as plain data: the best rank is at the right, as in [1]_."""
        ranks, count, critical = (
            self.average_ranks,
            len(self.average_ranks),
            self.critical_difference,
        )
        # The line of the critical difference may be longer than the ruler.
        end = max(count, 1 + critical, 2)
        x = (1.02 * end, 1 - 0.02 * end)
        top, rows = -0.9 - LEVEL * len(self.groups), (count + 1) // 2
        strokes = [
            Stroke("axis", [(1, 0), (count, 0)]),
            Stroke("axis", [(1, 1.8), (1 + critical, 1.8)]),
            *(Stroke("axis", [(rank, 0), (rank, 0.2)]) for rank in range(1, count + 1)),
        ]
        labels = [
            Label(1 + critical / 2, 2.3, f"critical difference {critical:.2f}", "middle"),
            *(Label(rank, 0.7, str(rank), "middle") for rank in range(1, count + 1)),
        ]
        for place, (name, rank) in enumerate(ranks.items()):
            better = place < rows
            side, y = x[better], top - (place if better else count - 1 - place)
            strokes.append(Stroke("edge", [(rank, 0), (rank, y), (side, y)]))
            parts = [shortened(name, 24), f"{rank:.2f}"]
            label = "  ".join(parts if better else reversed(parts))
            labels.append(Label(side, y, label, "start" if better else "end"))
        for level, group in enumerate(self.groups):
            y, margin = -0.4 - LEVEL * level, 0.004 * end
            ends = ranks[group[0]] - margin, ranks[group[-1]] + margin
            strokes.append(Stroke("group", [(each, y) for each in ends]))
        y_limits = top - rows + 0.5, 2.9
        return Sketch(x, y_limits, 21 * (y_limits[1] - y_limits[0]), strokes, labels)
