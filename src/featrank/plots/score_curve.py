"""Scores against the number of features, next to those of a random ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from featrank._utils.plain_text import shortened
from featrank.exceptions import DataError
from featrank.plots.description import Axis, Chart, Mark, feature_count_axis, lines_by_method
from featrank.plots.display import Display, Rows, method_of, told_of
from featrank.plots.lines import draw_chart
from featrank.statistics import one_standard_error_k

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ScoreCurveDisplay"]


class ScoreCurveDisplay(Display):
    """Mean scores against the number of features, a line per method.

    The random ranking is dashed. One method has a band, the 95 % interval of its mean, and a mark
    at the smallest k within one standard error of its best.

    Parameters
    ----------
    points : sequence of mapping
        ``method``, ``k``, ``mean``, standard ``error``, ``low`` and ``high``: rows of
        ``Comparison.curves()``.
    method : str
        The one with the band and the mark.
    baseline : str or None, default=None
        The random ranking among the methods.
    scorer : str, default="score"
        What the scores are.
    title : str, default=""
        Title of a figure of its own.

    Examples
    --------
    >>> from featrank.plots import ScoreCurveDisplay
    >>> points = [{"method": "mi", "k": k, "mean": mean, "error": 0.02, "low": mean - 0.04,
    ...            "high": mean + 0.04} for k, mean in ((5, 0.8), (10, 0.89), (20, 0.9))]
    >>> display = ScoreCurveDisplay(points, "mi", scorer="ROC AUC").plot()
    >>> display.frame().filter(enough=True)["k"].to_list()
    [10]
    """

    def __init__(
        self,
        points: Rows,
        method: str,
        *,
        baseline: str | None = None,
        scorer: str = "score",
        title: str = "",
    ):
        self.points, self.method, self.baseline = list(points), method, baseline
        self.scorer, self.title = scorer, title

    @classmethod
    def from_results(
        cls, results: Any, *, method: str | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the scores of a comparison.

        Parameters
        ----------
        results : Comparison
            What ``compare`` or ``read_comparison`` returns.
        method : str or None, default=None
            The method with the band and the mark; None is the one with the best average score.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure.
        """
        points = results.curves().to_dicts()
        if all(point["mean"] != point["mean"] for point in points):
            raise DataError("No method of these results has a score.")
        about = {"baseline": results.baseline, "scorer": results.scorer, "title": told_of(results)}
        return cls(points, method_of(results, method), **about).plot(ax)

    @property
    def enough(self) -> int | None:
        """The smallest k within one standard error of the best of the method."""
        return one_standard_error_k([p for p in self.points if p["method"] == self.method])

    def _rows(self) -> Rows:
        methods = dict.fromkeys(point["method"] for point in self.points)
        enough = {
            name: one_standard_error_k([p for p in self.points if p["method"] == name])
            for name in methods
        }
        return [{**point, "enough": point["k"] == enough[point["method"]]} for point in self.points]

    def _title(self) -> str:
        about = f"band: 95 % interval of {shortened(self.method, 24)}"
        return f"{self.title}; {about}" if self.title else about

    def _draw(self, axes: Axes) -> None:
        draw_chart(axes, describe_scores(self.points, self.method, self.baseline, self.scorer))


def describe_scores(points: Rows, method: str | None, baseline: str | None, scorer: str) -> Chart:
    """Return the chart of mean scores; ``method`` has the band and the mark."""
    own = [point for point in points if point["method"] == method]
    enough = one_standard_error_k(own)
    mark = None
    if enough is not None:
        mean = next(point["mean"] for point in own if point["k"] == enough)
        mark = Mark(enough, mean, f"{enough} are enough for {shortened(str(method), 24)}")
    lines = lines_by_method(points, "k", "mean", baseline=baseline, banded=method or "")
    return Chart(
        feature_count_axis([point["k"] for point in points]), Axis(scorer), lines, mark=mark
    )
