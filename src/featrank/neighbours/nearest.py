"""Nearest samples: blocks of rows over threads, with the memory of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank._utils.probe import PROBED
from featrank._utils.progress import tracked
from featrank.kernels import Groups
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import Links, Missing, Samples, Sketch
from featrank.neighbours.columns import Floats, Matrix

Integers = NDArray[np.int64]
Result = TypeVar("Result")

# Maximum number of pairs of samples, and of values of pairs, per kernel call.
PAIRS, VALUES = 2**22, 2**32
# Blocks of rows between two progress reports, and rows per block with known distances.
BLOCKS, LOOKED_UP = 16, 256
# Rows whose distances to all samples a thread stores, and distance matrices for wide data.
HELD, TABLES = 32, 6
# Sketch rows are padded to a multiple of this many columns.
ALIGNED = 64
# Beyond this many columns, the time of a search is proportional to them.
MOST_COLUMNS = 2048


@dataclass(frozen=True)
class NearestSamples:
    """The ``n_neighbors`` nearest samples of each sample in each class, by an exact distance.

    Ties go to the lower row. ``sketch`` holds the samples in short, which rules most pairs
    out. ``table`` computes each pair once and keeps its distance, which may be rough where that
    suffices: to find the nearest, and with ``ordered`` to sort them.
    ``only`` holds the rows whose nearest are wanted, None for all.
    """

    samples: Samples
    n_neighbors: int
    sketch: Sketch = field(default_factory=Sketch.none)
    table: bool = False
    n_jobs: int | None = None
    only: Integers | None = None
    ordered: bool = False

    @property
    def slots(self) -> Integers:
        """Class c has the places slots[c] … slots[c + 1] - 1 among a sample's neighbours."""
        sizes = np.minimum(np.diff(self.samples.offsets), self.n_neighbors)
        return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)

    def chunks(self) -> Iterator[tuple[Integers, Integers, Floats]]:
        """Yield rows, their neighbours and the distances, chunk by chunk, with progress."""
        slots, known = self.slots, self._table()
        chunks = self._chunks(LOOKED_UP if self.table else self._width())
        for blocks in chunks if self.table else tracked(chunks):

            def work(positions: slice) -> tuple[Integers, Floats]:
                return kernels.nearest(self.samples, slots, positions, self.sketch, known)

            parts = self._map(work, blocks)
            neighbour, distance = (np.concatenate(part) for part in zip(*parts, strict=True))
            yield np.concatenate([self.samples.order[own] for own in blocks]), neighbour, distance

    def _table(self) -> Floats:
        if not self.table:
            return np.zeros((0, 0))
        if not len(self.samples.missing.column):
            from featrank.neighbours.gram import near_distances

            k, ordered = self.n_neighbors, self.ordered
            return near_distances(self.samples, k, self.n_jobs, ordered=ordered)
        table = np.zeros((len(self.samples.X), len(self.samples.X)))
        for span in tracked(self._spans()):
            work = partial(kernels.all_distances, self.samples, table=table)
            self._map(work, _cut(span, self._width()))
        return table

    def _spans(self) -> list[slice]:
        return threads.blocks(len(self.samples.X), BLOCKS * self._width())

    def _chunks(self, width: int) -> list[list[slice]]:
        """Return blocks of positions of at most this width. Those of a chunk are processed "
        "together."""
        order, only = self.samples.order, self.only
        wanted = np.arange(len(order)) if only is None else np.flatnonzero(np.isin(order, only))
        shares = threads.blocks(len(wanted), BLOCKS * self._width())
        return [_runs(wanted[share], width) for share in shares]

    def _width(self) -> int:
        n_samples, n_features = self.samples.X.shape
        most = min(PAIRS // n_samples, VALUES // (n_samples * n_features), n_samples // 8)
        return min(max(most, 8), 256)

    def _map(self, work: Callable[[slice], Result], blocks: list[slice]) -> list[Result]:
        def numbered(one: slice) -> Result:
            return work(blocks[one.start])

        return threads.map_blocks(numbered, len(blocks), 1, self.n_jobs)


def _cut(span: slice, width: int) -> list[slice]:
    starts = range(span.start, span.stop, width)
    return [slice(start, min(start + width, span.stop)) for start in starts]


def _runs(positions: Integers, width: int) -> list[slice]:
    """Split ascending positions into blocks of consecutive ones."""
    runs = np.split(positions, np.flatnonzero(np.diff(positions) > 1) + 1)
    spans = [slice(int(run[0]), int(run[-1]) + 1) for run in runs]
    return [block for span in spans for block in _cut(span, width)]


def is_wide(n_samples: int, n_features: int) -> bool:
    """Whether a distance matrix is faster: in many dimensions a sketch rules out few pairs."""
    return n_samples <= 2048 and n_features >= 16 * n_samples


def probe_shape(n_samples: int, n_features: int) -> tuple[int, int]:
    """Return a small shape with the same kind of search as the given one."""
    if is_wide(n_samples, n_features):
        rows = min(n_samples, int((PROBED / 16) ** (1 / 3)))
        return rows, 16 * rows
    columns = min(n_features, MOST_COLUMNS)
    return min(n_samples, int((PROBED / max(columns, ALIGNED)) ** 0.5)), columns


def search_bytes(n_samples: int, n_features: int, width: int, n_jobs: int | None) -> int:
    """Return the bytes of a search whose sketch has ``width`` bytes per value."""
    if is_wide(n_samples, n_features):
        return TABLES * 8 * n_samples**2
    sketch = width * -(-n_features // ALIGNED) * ALIGNED
    return n_samples * (sketch + 8 * HELD * threads.workers(n_jobs))


def by_class(
    X: Matrix,
    codes: Integers,
    scale: Floats,
    *,
    square: bool = False,
    missing: Missing | None = None,
) -> Samples:
    """Group the samples by class, rows in order."""
    groups = Groups.of(codes, int(codes.max()) + 1)
    return Samples(X, groups.order, groups.offsets, codes, scale, square, missing or Missing.none())


def links_of(rows: Integers, neighbour: Integers, weight: Floats) -> Links:
    """Return links of the rows to their neighbours, each with its weight."""
    there = neighbour >= 0
    offsets = np.concatenate([[0], np.cumsum(there.sum(axis=1))]).astype(np.int64)
    return Links(np.ascontiguousarray(rows), offsets, neighbour[there], weight[there])


def joined(links: Links, n_samples: int) -> Links:
    """Return each pair of samples once, with the sum of the weights of both directions."""
    from featrank.neighbours.pairs import pair_links

    table = np.zeros((n_samples, n_samples))
    table[np.repeat(links.rows, np.diff(links.offsets)), links.neighbour] = links.weight
    table = np.triu(table + table.T)
    lower, higher = np.divmod(np.flatnonzero(table), n_samples)
    return pair_links(lower, higher, table[lower, higher], n_samples)
