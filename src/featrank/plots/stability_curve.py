"""Stability against the number of features, with its interval and the level of chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from featrank.exceptions import DataError
from featrank.plots.description import Axis, Chart, feature_count_axis, lines_by_method
from featrank.plots.display import DescribedDisplay, Rows, results_title
from featrank.statistics import MEASURES, stability_curves

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["StabilityCurveDisplay"]


class StabilityCurveDisplay(DescribedDisplay):
    """Stability of the first k features over the trials, a line per method.

    Where the measure has intervals they are bands, and where it says what random choice scores
    that is a dashed line.

    Parameters
    ----------
    points : sequence of mapping
        ``method``, ``k``, ``stability`` and, where there are intervals, their ends ``low`` and
        ``high``: what ``featrank.statistics.stability_curves`` returns.
    measure : str
        Name of the measure.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import StabilityCurveDisplay
    >>> points = [{"method": "mi", "k": k, "stability": 0.1 * k} for k in (2, 5)]
    >>> StabilityCurveDisplay(points, "kuncheva").plot().frame().rows()
    [('mi', 2, 0.2), ('mi', 5, 0.5)]
    """

    def __init__(self, points: Rows, measure: str, *, title: str = ""):
        self.points, self.measure, self.title = list(points), measure, title

    @classmethod
    def from_results(
        cls,
        results: Any,
        *,
        n_features: Sequence[int] | None = None,
        measure: str = "nogueira",
        ax: Axes | None = None,
    ) -> Self:
        """Draw the stability of a comparison's rankings.

        Parameters
        ----------
        results : Comparison
            A comparison with at least two trials, from ``compare`` or ``read_comparison``.
        n_features : sequence of int or None, default=None
            Numbers of features; None is those of the results.
        measure : str, default="nogueira"
            As for :func:`featrank.statistics.ranking_stability`.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        counts = sorted(set(results.n_features if n_features is None else n_features))
        points = stability_curves(results, counts, measure)
        if not points:
            raise DataError(
                "No method has the rankings of two trials, which stability needs. Run more trials."
            )
        return cls(points, measure, title=results_title(results)).plot(ax)

    def _rows(self) -> Rows:
        return self.points

    def describe(self) -> Chart:
        """Return the curves as plain data, with the level of chance if the measure has one."""
        chance = MEASURES[self.measure].chance if self.measure in MEASURES else None
        return Chart(
            feature_count_axis([point["k"] for point in self.points]),
            Axis(f"stability ({self.measure})", high=1.02),
            lines_by_method(self.points, "k", "stability"),
            levels={} if chance is None else {"chance": chance},
        )
