"""Scores against the number of features, next to those of a random ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from featrank._utils.plain_text import shortened
from featrank.exceptions import DataError
from featrank.plots.description import Axis, Chart, Dot, feature_count_axis, lines_by_method
from featrank.plots.display import DescribedDisplay, Rows, method_of, results_title
from featrank.statistics import recommended_k

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ScoreCurveDisplay"]


class ScoreCurveDisplay(DescribedDisplay):
    """Mean scores against the number of features, a line per method.

    The random ranking is dashed. One method has a band, the 95 % interval of its mean, and a mark
    at the smallest k within 0.01 of its best.

    Parameters
    ----------
    points : sequence of mapping
        ``method``, ``k``, ``mean``, standard ``error``, ``low`` and ``high``: rows of
        ``Comparison.curves()``.
    method : str
        The one with the band and the mark.
    baseline : str or None, default=None
        The random ranking among the methods.
    scoring : str, default="score"
        What the scores are.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import ScoreCurveDisplay
    >>> points = [{"method": "mi", "k": k, "mean": mean, "error": 0.02, "low": mean - 0.04,
    ...            "high": mean + 0.04} for k, mean in ((5, 0.8), (10, 0.892), (20, 0.9))]
    >>> display = ScoreCurveDisplay(points, "mi", scoring="ROC AUC").plot()
    >>> display.frame().filter(enough=True)["k"].to_list()
    [10]
    """

    def __init__(
        self,
        points: Rows,
        method: str,
        *,
        baseline: str | None = None,
        scoring: str = "score",
        title: str = "",
    ):
        self.points, self.method, self.baseline = list(points), method, baseline
        self.scoring, self.title = scoring, title

    @classmethod
    def from_results(
        cls, results: Any, *, method: str | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the scores of a comparison.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``.
        method : str or None, default=None
            The method with the band and the mark; None is the one with the best average score.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        points = results.curves().to_dicts()
        if all(point["mean"] != point["mean"] for point in points):
            raise DataError("No method has a score in these results: all trials failed.")
        about = {
            "baseline": results.baseline,
            "scoring": results.scoring,
            "title": results_title(results),
        }
        return cls(points, method_of(results, method), **about).plot(ax)

    @property
    def enough(self) -> int | None:
        """The smallest k within 0.01 of the best of the method."""
        return recommended_k([p for p in self.points if p["method"] == self.method])

    def _rows(self) -> Rows:
        methods = dict.fromkeys(point["method"] for point in self.points)
        enough = {
            name: recommended_k([p for p in self.points if p["method"] == name]) for name in methods
        }
        return [{**point, "enough": point["k"] == enough[point["method"]]} for point in self.points]

    def _title(self) -> str:
        about = f"band: 95 % interval of {shortened(self.method, 24)}"
        return f"{self.title}; {about}" if self.title else about

    def describe(self) -> Chart:
        """Return the curves as plain data."""
        own = {point["k"]: point["mean"] for point in self.points if point["method"] == self.method}
        k, name = self.enough, shortened(self.method, 24)
        return Chart(
            feature_count_axis([point["k"] for point in self.points]),
            Axis(self.scoring),
            lines_by_method(self.points, "k", "mean", baseline=self.baseline, banded=self.method),
            mark=None if k is None else Dot(k, own[k], f"{k} are enough for {name}"),
        )
