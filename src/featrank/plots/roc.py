"""ROC curves of the evaluation model on the best features of each method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from featrank.exceptions import UsageError
from featrank.plots.description import Axis, Chart, lines_by_method
from featrank.plots.display import DescribedDisplay, Rows, enough_of, method_of, results_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RocDisplay"]


class RocDisplay(DescribedDisplay):
    """Mean ROC curves over the trials, a line per method, for one number of features.

    Parameters
    ----------
    points : sequence of mapping
        ``method``, ``fpr`` and ``tpr``, along each curve; rows of ``Comparison.roc()`` for one k.
    k : int
        Number of features that the evaluation model was given.
    baseline : str or None, default=None
        Name of the random ranking, which is drawn dashed.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import RocDisplay
    >>> points = [{"method": "mi", "fpr": x, "tpr": x**0.5} for x in (0.0, 0.25, 1.0)]
    >>> RocDisplay(points, 10).plot().frame().rows()[1]
    ('mi', 0.25, 0.5)
    """

    layout: ClassVar[str] = "compressed"

    def __init__(self, points: Rows, k: int, *, baseline: str | None = None, title: str = ""):
        self.points, self.k, self.baseline, self.title = list(points), k, baseline, title

    @classmethod
    def from_results(cls, results: Any, *, k: int | None = None, ax: Axes | None = None) -> Self:
        """Draw the ROC curves of a comparison.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``; the evaluation model must have a
            decision function.
        k : int or None, default=None
            Number of features; None is the smallest number within 0.01 of the best
            score of the best method.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        rows = results.roc().to_dicts()
        count = enough_of(results, method_of(results, None)) if k is None else k
        points = [row for row in rows if row["k"] == count]
        if not points:
            known = ", ".join(map(str, results.n_features))
            raise UsageError(
                f"These results have no ROC curve for {count} features. Use one of {known}."
            )
        about = {"baseline": results.baseline, "title": results_title(results)}
        return cls(points, count, **about).plot(ax)

    def _rows(self) -> Rows:
        return self.points

    def _size(self) -> tuple[float, float]:
        return 7.6, 4.6

    def _title(self) -> str:
        return f"{self.title}{', ' if self.title else ''}k = {self.k}"

    def describe(self) -> Chart:
        """Return the curves as plain data."""
        lines = lines_by_method(self.points, "fpr", "tpr", baseline=self.baseline)
        x, y = (Axis(f"{kind} positive rate", low=-0.01, high=1.01) for kind in ("false", "true"))
        return Chart(x, y, lines, square=True)
