"""Products of kernel matrices of features, with a limit on the matrices in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank.kernels import Floats

if TYPE_CHECKING:
    from featrank.solvers.hsic_factors import FactorPanel, Factors
    from featrank.solvers.hsic_pairs import PairPanel, Pairs
#: Centred Gram matrices of features, with unit norm.
Panel: TypeAlias = "FactorPanel | PairPanel"
#: How Gram matrices are computed and stored.
Space: TypeAlias = "Factors | Pairs"

# Numbers per panel, and minimum number of features per panel.
AT_ONCE, FEWEST = 2**18, 4
# A centred matrix below this fraction of the squared number of samples is rounding error.
NOTHING = 1e-12


class Panels:
    """Features in a given order, in panels that are computed on demand. The first are cached."""

    def __init__(
        self,
        X: Floats,
        order: NDArray[np.integer],
        space: Space,
        *,
        most_bytes: int,
        n_jobs: int | None,
    ):
        self._X, self._order, self._n_jobs = X, order, n_jobs
        self.space, self.count = space, -(-len(order) // space.width)
        self._kept: dict[int, Panel] = {}
        self._left = most_bytes

    def whole(self, size: int) -> int:
        """Return the smallest number of features of at least ``size`` that fills its panels."""
        return min(len(self._order), -(-size // self.space.width) * self.space.width)

    def panel(self, number: int) -> Panel:
        """Return a panel by its index."""
        if number in self._kept:
            return self._kept[number]
        start = number * self.space.width
        panel: Panel = self.space.panel(self._X[:, self._order[start : start + self.space.width]])
        if panel.nbytes <= self._left:
            self._left -= panel.nbytes
            self._kept[number] = panel
        return panel

    def matrix(self, place: int) -> Any:
        """Return the matrix of a feature."""
        number, own = divmod(place, self.space.width)
        return self.panel(number).matrix(own)

    def products(self, matrix: Any, start: int, stop: int) -> Floats:
        """Return inner products of a matrix with the features of whole panels."""
        numbers = range(start // self.space.width, -(-stop // self.space.width))

        def work(span: slice) -> Floats:
            return self.panel(numbers[span.start]).products(matrix)

        return np.concatenate(threads.map_blocks(work, len(numbers), 1, self._n_jobs))


def inverse_root(square: Any, sizes: Any) -> Floats:
    """Return 1/√ of squared norms of matrices of the given sizes, or 0 for rounding errors."""
    found = square > NOTHING * np.asarray(sizes, dtype=np.float64) ** 2
    return np.where(found, 1 / np.sqrt(np.where(found, square, 1.0)), 0.0)
