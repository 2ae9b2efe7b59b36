"""Ranks of features by two methods."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from featrank._utils.plain_text import shortened
from featrank.exceptions import UsageError, unknown_name
from featrank.plots.agreement import two_ranked
from featrank.plots.description import Axis, Chart, Dot
from featrank.plots.display import DescribedDisplay, Rows
from featrank.statistics import best_method

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RankScatterDisplay"]

TOP = 500


class RankScatterDisplay(DescribedDisplay):
    """Ranks by one method against those by another, both on logarithmic scales; 1 is best.

    Parameters
    ----------
    points : sequence of (str, int, int)
        Features with their ranks by the two methods.
    method, other : str
        The two methods.
    n_features : int or None, default=None
        Total number of features, if not all are drawn.

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
            A comparison of at least two methods, from ``compare`` or ``read_comparison``.
        method : str or None, default=None
            The first method; None is the one with the best average score.
        other : str or None, default=None
            The second method; None is the one that agrees most with the first.
        top : int, default=500
            Number of features, those with the best rank by either method.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
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

    def describe(self) -> Chart:
        """Return the dots as plain data."""
        largest = max((max(own, other) for _, own, other in self.points), default=2)
        x, y = (
            Axis(f"rank by {shortened(name, 40)}", low=0.8, high=1.2 * max(largest, 2), log=True)
            for name in (self.method, self.other)
        )
        dots = [
            Dot(own, other, f"{name}: {own} by {self.method}, {other} by {self.other}")
            for name, own, other in self.points
        ]
        return Chart(x, y, dots=dots, square=True)
