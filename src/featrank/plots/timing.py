"""How long one ranking takes, by method."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import TYPE_CHECKING, Any, Self

from featrank.plots.bars import inches_of
from featrank.plots.description import Axis, Bars
from featrank.plots.display import DescribedDisplay, Rows, results_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["TimingDisplay"]


class TimingDisplay(DescribedDisplay):
    """Seconds that one ranking takes, as bars on a logarithmic scale.

    Parameters
    ----------
    seconds : mapping of str to float
        By method; NaN for one that never finished.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import TimingDisplay
    >>> TimingDisplay({"mi": 0.01, "svm-rfe": 2.5}).plot().frame().rows()
    [('mi', 0.01), ('svm-rfe', 2.5)]
    """

    def __init__(self, seconds: Mapping[str, float], *, title: str = ""):
        self.seconds, self.title = dict(seconds), title

    @classmethod
    def from_results(cls, results: Any, *, ax: Axes | None = None) -> Self:
        """Draw the mean seconds of a ranking in a comparison.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        seconds = {row["method"]: row["seconds"] for row in results.table()}
        return cls(seconds, title=results_title(results)).plot(ax)

    def _rows(self) -> Rows:
        return [{"method": name, "seconds": value} for name, value in self.seconds.items()]

    def _size(self) -> tuple[float, float]:
        return 6.4, 1.0 + inches_of(list(self.seconds))

    def describe(self) -> Bars:
        """Return the bars as plain data; times too short to measure have none."""
        positive = [value for value in self.seconds.values() if value > 0]
        low, high = min(positive, default=0.1) / 3, 4 * max(positive, default=1.0)
        values = list(self.seconds.values())
        labels = ["not finished" if isnan(value) else f"{value:.3g} s" for value in values]
        axis = Axis("seconds that one ranking takes", low=low, high=high, log=True)
        return Bars(axis, list(self.seconds), values, labels)
