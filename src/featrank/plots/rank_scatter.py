"""The ranks of features by two methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from featrank._utils.plain_text import shortened
from featrank.exceptions import UsageError, unknown_name
from featrank.plots.agreement import two_ranked
from featrank.plots.display import Display, Rows
from featrank.plots.style import COLOURS, PALE
from featrank.statistics import best_method

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RankScatterDisplay"]

TOP = 500


class RankScatterDisplay(Display):
    """Ranks by one method against those by another, both on logarithmic scales; 1 is best.

    Parameters
    ----------
    points : sequence of (str, int, int)
        Features with their rank by the one method and by the other.
    method, other : str
        The two methods.
    n_features : int or None, default=None
        How many features there are, if some are left out.

    Examples
    --------
    >>> from featrank.plots import RankScatterDisplay
    >>> display = RankScatterDisplay([("a", 1, 3), ("b", 2, 1)], "mi", "fisher").plot()
    >>> display.frame().rows()
    [('a', 1, 3), ('b', 2, 1)]
    """

    def __init__(
        self,
        points: Sequence[tuple[str, int, int]],
        method: str,
        other: str,
        *,
        n_features: int | None = None,
    ):
        self.points, self.method, self.other = list(points), method, other
        self.n_features = len(self.points) if n_features is None else n_features

    @classmethod
    def from_results(
        cls,
        results: Any,
        *,
        method: str | None = None,
        other: str | None = None,
        top: int = TOP,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the ranks by two methods of a comparison, on all rows.

        Parameters
        ----------
        results : Comparison
            What ``compare`` or ``read_comparison`` returns, of two methods or more.
        method : str or None, default=None
            One method; None is the one with the best average score.
        other : str or None, default=None
            The other; None is the one that agrees most with the first.
        top : int, default=500
            How many features are drawn, those with the best rank by either method.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure.
        """
        found = two_ranked(results)
        for name in (method, other):
            if name is not None and name not in found.methods:
                raise UsageError(
                    unknown_name("method that ranks features of all rows", name, found.methods)
                )
        best = best_method(results)
        first = method or (best if best in found.methods else found.methods[0])
        second = other or found.closest(first)
        points = found.points(first, second, top)
        return cls(points, first, second, n_features=found.n_features).plot(ax)

    def _rows(self) -> Rows:
        return [
            {"feature": name, "rank": own, "other_rank": other} for name, own, other in self.points
        ]

    def _size(self) -> tuple[float, float]:
        return 5.0, 5.0

    def _title(self) -> str:
        shown = len(self.points)
        return f"{shown:,} of {self.n_features:,} features" if shown < self.n_features else ""

    def _draw(self, axes: Axes) -> None:
        largest = max((max(own, other) for _, own, other in self.points), default=2)
        span = (0.8, 1.3 * max(largest, 2))
        axes.set(xscale="log", yscale="log", xlim=span, ylim=span, aspect="equal")
        axes.plot(span, span, color=PALE, linewidth=1, zorder=1)
        owns, others = ([point[place] for point in self.points] for place in (1, 2))
        axes.scatter(owns, others, s=14, color=COLOURS[1], alpha=0.6, linewidths=0, zorder=2)
        axes.set_xlabel(f"rank by {shortened(self.method, 40)}", parse_math=False)
        axes.set_ylabel(f"rank by {shortened(self.other, 40)}", parse_math=False)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:g}")
            axis.set_minor_formatter(lambda *_: "")
