"""What the best features of each two methods have in common."""

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
    """The share of the best k features that each two methods have in common, in %.

    Parameters
    ----------
    methods : sequence of str
        Their names.
    overlaps : sequence of sequence of float
        Methods × methods, shares from 0 to 1.
    k : int
        How many features counted.
    chance : float
        The share that two random choices have in common, on average.

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
        """Draw how much the methods of a comparison agree, ranked on all rows.

        Parameters
        ----------
        results : Comparison
            What ``compare`` or ``read_comparison`` returns, of two methods or more.
        k : int or None, default=None
            How many features count; None is the most that the results ask for, and at most half
            of the features.
        ax : matplotlib.axes.Axes or None, default=None
            Where to draw; None makes a figure.
        """
        found = two_ranked(results, k)
        return cls(found.methods, found.overlaps, found.k, found.chance).plot(ax)

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
    """Return how much methods agree; there must be two that rank features."""
    found = ranking_overlap(results, k)
    if len(found.methods) < 2:
        raise DataError(
            f"{len(found.methods)} of the methods of these results ranked the features of all "
            "rows, and two are needed to compare them."
        )
    return found
