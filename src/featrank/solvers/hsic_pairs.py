"""Gram matrices of single features within blocks of samples, as entries of pairs of samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.kernels import Floats
from featrank.solvers.hsic_panels import AT_ONCE, FEWEST, inverse_root

Places = NDArray[np.intp]


class Pairs:
    """Samples in blocks: the sample of each slot, and the pairs of slots within a block.

    The slots of a block are contiguous, and so are its pairs. A kernel matrix is symmetric, so
    its pairs and its diagonal determine it.
    """

    def __init__(self, blocks: list[Places]):
        self.sizes = np.array([len(block) for block in blocks])
        self.sample = np.concatenate(blocks)
        self.slot_starts = np.cumsum(self.sizes) - self.sizes
        counts = self.sizes * (self.sizes - 1) // 2
        self.pair_starts = np.cumsum(counts) - counts
        self.block_of_slot = np.repeat(np.arange(len(blocks)), self.sizes)
        self.block_of_pair = np.repeat(np.arange(len(blocks)), counts)
        ends = [np.triu_indices(size, 1) for size in self.sizes.tolist()]
        start = self.slot_starts[self.block_of_pair]
        self.first = np.concatenate([first for first, _ in ends]) + start
        self.second = np.concatenate([second for _, second in ends]) + start
        self.numbers = len(self.first)
        self.width = max(FEWEST, min(256, AT_ONCE // self.numbers))
        self._incidence = self._table()

    def _table(self) -> NDArray[np.float64]:
        from scipy.sparse import csr_array

        ends = np.concatenate([self.first, self.second])
        pair = np.tile(np.arange(self.numbers), 2)
        return csr_array((np.ones(len(ends)), (ends, pair)), shape=(len(self.sample), self.numbers))

    def panel(self, values: Floats) -> PairPanel:
        """Return the matrices of features with unit variance."""
        return PairPanel.of(self, values)

    def of_regression_target(self, values: Floats) -> Centred:
        """Return the centred matrix of a target with unit variance."""
        pairs = self.gaussian(values[:, np.newaxis])[:, 0]
        return Centred.of(self, pairs, np.ones(len(self.sample)))

    def of_classes(self, y: NDArray[np.integer]) -> Centred:
        """Return the matrix of classes: 1/size within a class and block."""
        own, block = y[self.sample], self.block_of_slot
        sizes = np.zeros((len(self.sizes), int(y.max()) + 1))
        np.add.at(sizes, (block, own), 1)
        share = 1 / sizes[block, own]
        same = own[self.first] == own[self.second]
        return Centred.of(self, np.where(same, share[self.first], 0.0), share)

    def gaussian(self, values: Floats) -> Floats:
        """Return exp(-d²/2) of each pair of slots, for values of samples by feature."""
        values = values[self.sample]
        pairs = values[self.first]
        pairs -= values[self.second]
        np.square(pairs, out=pairs)
        pairs *= -0.5
        return np.exp(pairs, out=pairs)

    def row_sums(self, pairs: Floats, diagonal: Floats | float) -> Floats:
        """Return the sum of each row of the matrices, given entries of pairs and the diagonal."""
        return np.asarray(self._incidence @ pairs + diagonal)

    def over_slots(self, values: Floats) -> Floats:
        """Return sums over the slots of each block."""
        return np.add.reduceat(values, self.slot_starts, axis=0)

    def over_pairs(self, values: Floats) -> Floats:
        """Return sums over the pairs of each block."""
        return np.add.reduceat(values, self.pair_starts, axis=0)


class Centred(NamedTuple):
    """A centred matrix with unit norm in each block: its pairs, and the trace of each block."""

    pairs: Floats
    trace: Floats

    @classmethod
    def of(cls, space: Pairs, pairs: Floats, diagonal: Floats) -> Centred:
        """Centre a matrix of pairs and of diagonal entries by slot."""
        sums = space.row_sums(pairs, diagonal)
        row = sums / space.sizes[space.block_of_slot]
        mean = space.over_slots(sums) / space.sizes**2
        centred = pairs - row[space.first] - row[space.second] + mean[space.block_of_pair]
        own = diagonal - 2 * row + mean[space.block_of_slot]
        square = space.over_slots(own**2) + 2 * space.over_pairs(centred**2)
        scale = inverse_root(square, space.sizes)
        return cls(centred * scale[space.block_of_pair], space.over_slots(own) * scale)


class PairPanel(NamedTuple):
    """Matrices of features: pairs by feature, not centred, scaled to unit norm after centring.

    ``diagonal`` holds their diagonal entries, one per block and feature.
    """

    space: Pairs
    pairs: Floats
    diagonal: Floats

    @classmethod
    def of(cls, space: Pairs, values: Floats) -> PairPanel:
        """Return the Gaussian kernel of the samples for each feature."""
        pairs = space.gaussian(values)
        sums = space.row_sums(pairs, 1.0)
        sizes = space.sizes[:, np.newaxis]
        square = sizes + 2 * space.over_pairs(pairs**2)
        square -= 2 / sizes * space.over_slots(sums**2) - (space.over_slots(sums) / sizes) ** 2
        diagonal = inverse_root(square, sizes)
        pairs *= diagonal[space.block_of_pair] if len(sizes) > 1 else diagonal
        return cls(space, pairs, diagonal)

    @property
    def nbytes(self) -> int:
        """Return its size in bytes."""
        return self.pairs.nbytes + self.diagonal.nbytes

    def matrix(self, place: int) -> Centred:
        """Return the centred matrix of one of the features."""
        diagonal = self.diagonal[self.space.block_of_slot, place]
        return Centred.of(self.space, self.pairs[:, place], diagonal)

    def products(self, matrix: Centred) -> Floats:
        """Return the inner product of each feature with a centred matrix, which centres both."""
        of_pairs = 2 * (matrix.pairs @ self.pairs)
        return np.asarray((of_pairs + matrix.trace @ self.diagonal) / len(matrix.trace))


def blocks_of(
    n_samples: int, count: int, n_permutations: int, random: np.random.RandomState
) -> list[Places]:
    """Cut the samples into ``count`` blocks of about the same size, for each permutation.

    Examples
    --------
    >>> [block.tolist() for block in blocks_of(5, 1, 1, np.random.RandomState(0))]
    [[0, 1, 2, 3, 4]]
    >>> [len(block) for block in blocks_of(5, 2, 2, np.random.RandomState(0))]
    [3, 2, 3, 2]
    """
    orders = [random.permutation(n_samples) for _ in range(n_permutations)]
    return [np.sort(block) for order in orders for block in np.array_split(order, count)]
