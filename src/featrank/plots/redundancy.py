"""Correlations of the best features, ordered by clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.plots.description import Tiles
from featrank.plots.display import DescribedDisplay, Rows, method_of
from featrank.statistics import correlation_clusters

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["RedundancyDisplay"]

TOP = 50


class RedundancyDisplay(DescribedDisplay):
    """A heat map of correlations, ordered by clusters. Groups of correlated features are framed.

    Parameters
    ----------
    features : sequence of str
        Names of the features, ordered by clusters.
    correlations : ndarray of shape (n_features, n_features)
        Pearson's r, in the same order.
    groups : sequence of sequence of str
        Groups of correlated features, which are adjacent in ``features``.
    title : str, default=""
        Title, unless axes are passed to ``plot``.

    Examples
    --------
    >>> from featrank.plots import RedundancyDisplay
    >>> display = RedundancyDisplay(["a", "b"], [[1, 0.9], [0.9, 1]], [["a", "b"]]).plot()
    >>> display.frame().rows()
    [('a', 'b', 0.9, 1)]
    """

    layout: ClassVar[str] = "compressed"

    def __init__(
        self,
        features: Sequence[str],
        correlations: NDArray[np.float64] | Sequence[Sequence[float]],
        groups: Sequence[Sequence[str]] = (),
        *,
        title: str = "",
    ):
        self.features, self.correlations = list(features), np.asarray(correlations)
        self.groups, self.title = [list(group) for group in groups], title

    @classmethod
    def from_results(
        cls, results: Any, *, method: str | None = None, top: int = TOP, ax: Axes | None = None
    ) -> Self:
        """Draw the correlations of a method's best features, on all rows.

        Parameters
        ----------
        results : Comparison
            Returned by ``compare`` or ``read_comparison``.
        method : str or None, default=None
            The method to show; None is the one with the best average score.
        top : int, default=50
            Number of features; results contain the correlations of the best 50.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        name = method_of(results, method)
        rows = [row for row in results.correlations().to_dicts() if row["method"] == name]
        if not rows:
            raise DataError(f"These results have no correlations between features of {name!r}.")
        # Pairs are ordered by the better rank of the two, so names are ordered best first.
        names = dict.fromkeys(name for row in rows for name in (row["feature"], row["other"]))
        best = set(list(names)[:top])
        clusters = correlation_clusters(
            row for row in rows if row["feature"] in best and row["other"] in best
        )
        title = f"Correlations of the best {len(clusters.features)} features by {name}"
        return cls(clusters.features, clusters.correlations, clusters.groups, title=title).plot(ax)

    def _rows(self) -> Rows:
        number = {name: n for n, group in enumerate(self.groups, 1) for name in group}
        first, second = np.triu_indices(len(self.features), 1)
        return [
            {
                "feature": self.features[i],
                "other": self.features[j],
                "r": float(self.correlations[i, j]),
                "group": _shared(number, self.features[i], self.features[j]),
            }
            for i, j in zip(first.tolist(), second.tolist(), strict=True)
        ]

    def _size(self) -> tuple[float, float]:
        side = max(2.0, 0.15 * len(self.features))
        return 3.2 + side, 0.9 + side

    def describe(self) -> Tiles:
        """Return the heat map as plain data."""
        frames = [(self.features.index(group[0]), len(group)) for group in self.groups]
        return Tiles(self.features, self.correlations.tolist(), frames=frames)


def _shared(number: dict[str, int], first: str, second: str) -> int | None:
    """Return the group that both features are in, if any."""
    own = number.get(first)
    return own if own is not None and own == number.get(second) else None
