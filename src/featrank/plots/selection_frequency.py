"""How often features were selected over the trials, as dots."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self

from featrank.exceptions import DataError
from featrank.plots.bars import FONT, feature_axis, inches_of
from featrank.plots.display import Display, Rows, enough_of, method_of, results_title
from featrank.plots.style import COLOURS, PALE
from featrank.statistics import selection_frequency

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["SelectionFrequencyDisplay"]

TOP = 30


class SelectionFrequencyDisplay(Display):
    """The share of the trials in which features were among the best k, as dots.

    Lines are Wilson's 95 % intervals, which are only a rough guide because trials share rows. A
    dashed line shows the frequency of a random selection of k features.

    Parameters
    ----------
    points : sequence of mapping
        ``feature``, ``share``, ``low`` and ``high``, most frequent first: rows of
        ``featrank.statistics.selection_frequency`` for one method and k.
    k : int
        Number of best features.
    chance : float or None, default=None
        The share of the trials in which a random selection contains a feature.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import SelectionFrequencyDisplay
    >>> points = [{"feature": "a", "share": 0.9, "low": 0.6, "high": 0.98}]
    >>> SelectionFrequencyDisplay(points, 10).plot().frame().rows()
    [('a', 0.9, 0.6, 0.98)]
    """

    def __init__(self, points: Rows, k: int, *, chance: float | None = None, title: str = ""):
        self.points, self.k, self.chance, self.title = list(points), k, chance, title

    @classmethod
    def from_results(
        cls,
        results: Any,
        *,
        method: str | None = None,
        k: int | None = None,
        top: int = TOP,
        ax: Axes | None = None,
    ) -> Self:
        """Draw how often a method of a comparison selected features.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``.
        method : str or None, default=None
            The method to show; None is the one with the best average score.
        k : int or None, default=None
            Number of best features; None is the smallest number within 0.01 of the method's
            best score.
        top : int, default=30
            Number of features to draw, those selected most often.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        name = method_of(results, method)
        rankings = results.rankings[name]
        if not len(rankings):
            raise DataError(f"{name!r} has no ranking in these results: it failed in every trial.")
        count = enough_of(results, name) if k is None else k
        own = SimpleNamespace(
            rankings={name: rankings},
            n_features=results.n_features,
            feature_names=results.feature_names,
        )
        frame = selection_frequency(own, count)
        n_features = rankings.shape[1]
        title = f"{results_title(results)}: chosen by {name}"
        points = frame.head(top).to_dicts()
        return cls(points, count, chance=count / n_features, title=title).plot(ax)

    def _rows(self) -> Rows:
        return self.points

    def _size(self) -> tuple[float, float]:
        return 6.4, 0.9 + inches_of([point["feature"] for point in self.points])

    def _draw(self, axes: Axes) -> None:
        places, _ = feature_axis(axes, [point["feature"] for point in self.points])
        share, low, high = (
            [100 * point[key] for point in self.points] for key in ("share", "low", "high")
        )
        axes.hlines(places, 0, 100, color=PALE, linewidth=0.4, alpha=0.6, zorder=0)
        if self.chance is not None:
            axes.axvline(100 * self.chance, color=PALE, linewidth=1, linestyle="--", zorder=1)
        axes.hlines(places, low, high, color=COLOURS[1], linewidth=1.2, alpha=0.5)
        axes.scatter(share, places, s=28, color=COLOURS[1], zorder=3, clip_on=False)
        axes.set_xlim(0, 102)
        axes.set_xlabel(f"among the best {self.k} in % of the trials")
        axes.tick_params(axis="x", labelsize=FONT)
