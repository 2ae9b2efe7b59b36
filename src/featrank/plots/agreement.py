"""How many of their best features two methods share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from featrank.exceptions import DataError
from featrank.plots.description import Tiles
from featrank.plots.display import DescribedDisplay, Rows
from featrank.statistics import Agreement, ranking_overlap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["AgreementDisplay"]


class AgreementDisplay(DescribedDisplay):
    """The share of the best k features that two methods have in common, in %, for each pair.

    Parameters
    ----------
    methods : sequence of str
        Names of the methods.
    overlaps : sequence of sequence of float
        Methods × methods, shares from 0 to 1.
    k : int
        Number of best features.
    chance : float
        The average share that two random selections have in common.

    Examples
    --------
    >>> from featrank.plots import AgreementDisplay
    >>> display = AgreementDisplay(["mi", "fisher"], [[1, 0.6], [0.6, 1]], 10, 0.1).plot()
    >>> display.frame().rows()[1]
    ('mi', 'fisher', 10, 0.6, 0.1)
    """

    layout: ClassVar[str] = "compressed"

    def __init__(
        self, methods: Sequence[str], overlaps: Sequence[Sequence[float]], k: int, chance: float
    ):
        self.methods, self.overlaps, self.k, self.chance = list(methods), overlaps, k, chance

    @classmethod
    def from_results(cls, results: Any, *, k: int | None = None, ax: Axes | None = None) -> Self:
        """Draw how much the methods of a comparison agree when they rank all rows.

        Parameters
        ----------
        results : Comparison
            A comparison of at least two methods, from ``compare`` or ``read_comparison``.
        k : int or None, default=None
            Number of best features; None is the largest number of the results, but at most half
            of the features.
        ax : matplotlib.axes.Axes or None, default=None
            Axes to draw into; None creates new ones.
        """
        overlap = two_ranked(results, k)
        return cls(overlap.methods, overlap.overlaps, overlap.k, overlap.chance).plot(ax)

    def _rows(self) -> Rows:
        return [
            {"method": one, "other": other, "k": self.k, "overlap": share, "chance": self.chance}
            for one, shares in zip(self.methods, self.overlaps, strict=True)
            for other, share in zip(self.methods, shares, strict=True)
        ]

    def _size(self) -> tuple[float, float]:
        side = 0.55 * len(self.methods)
        return 2.6 + side, 1.8 + side

    def describe(self) -> Tiles:
        """Return the table as plain data."""
        return Tiles(self.methods, self.overlaps, percent=True)

    def _draw(self, axes: Axes) -> None:
        super()._draw(axes)
        axes.set_xlabel(
            f"in common of the best {self.k}, in %;\nby chance {100 * self.chance:.0f} %"
        )


def two_ranked(results: Any, k: int | None = None) -> Agreement:
    """Return how much methods agree; at least two must rank features."""
    overlap = ranking_overlap(results, k)
    if len(overlap.methods) < 2:
        raise DataError(
            f"{len(overlap.methods)} of the methods ranked the features on all rows, and agreement "
            "needs two. Compare at least two methods."
        )
    return overlap
