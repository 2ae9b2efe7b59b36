"""How a source is cut: ranges that fit into memory and end where chunks of the file end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from featrank.sources.source import Axis


def most_items(most_bytes: int, bytes_each: int) -> int:
    """Return how many rows or columns fit, one at least.

    Examples
    --------
    >>> most_items(1000, 300), most_items(10, 300)
    (3, 1)
    """
    return max(1, most_bytes // max(1, bytes_each))


def ranges(start: int, stop: int, most: int, chunk: int = 1) -> Iterator[slice]:
    """Cut a range into ranges of at most ``most`` items, at the ends of chunks where they fit.

    A chunk that is too large is cut by itself, so that no range needs two of its kind.

    Examples
    --------
    >>> [(one.start, one.stop) for one in ranges(0, 10, most=7, chunk=3)]
    [(0, 6), (6, 10)]
    >>> [(one.start, one.stop) for one in ranges(0, 10, most=4, chunk=6)]
    [(0, 4), (4, 6), (6, 10)]
    """
    width = most // chunk * chunk
    while start < stop:
        if width:
            end = (start // width + 1) * width
        else:
            end = min(start + most, (start // chunk + 1) * chunk)
        yield slice(start, min(end, stop))
        start = end


def ranges_of_groups(heights: Iterable[int], most: int) -> Iterator[slice]:
    """Join groups of rows that have at most ``most`` rows together; cut those that have more.

    Examples
    --------
    >>> [(one.start, one.stop) for one in ranges_of_groups([4, 4, 10, 1], most=8)]
    [(0, 8), (8, 13), (13, 18), (18, 19)]
    """
    start = stop = 0
    for height in heights:
        if stop - start + height > most:
            yield from _even(start, stop, most)
            start = stop
        stop += height
    yield from _even(start, stop, most)


def _even(start: int, stop: int, most: int) -> Iterator[slice]:
    """Cut a range into as few as can be, of about the same size."""
    pieces = -(-(stop - start) // most)
    ends = [start + (stop - start) * piece // max(1, pieces) for piece in range(pieces + 1)]
    return (slice(first, last) for first, last in pairwise(ends))


def ranges_by_cost(costs: NDArray[np.int64], most: int) -> Iterator[slice]:
    """Cut items into ranges that cost at most ``most``, one item at least.

    ``costs`` are those of all items before each one and, as the last, of all.

    Examples
    --------
    >>> [(one.start, one.stop) for one in ranges_by_cost(np.array([0, 4, 5, 6, 20, 21]), 6)]
    [(0, 3), (3, 4), (4, 5)]
    """
    start, size = 0, len(costs) - 1
    while start < size:
        fitting = int(np.searchsorted(costs, costs[start] + most, side="right")) - 1
        yield slice(start, max(fitting, start + 1))
        start = max(fitting, start + 1)


def axis_of(shape: tuple[int, int], chunks: tuple[int, int] | None) -> Axis:
    """Return along which axis bands of whole chunks are smaller; rows where nothing is chunked.

    Examples
    --------
    >>> axis_of((1000, 50), (100, 50)), axis_of((100, 5000), (100, 64)), axis_of((9, 9), None)
    ('rows', 'columns', 'rows')
    """
    if chunks is None:
        return "rows"
    rows, columns = (min(pair) for pair in zip(shape, chunks, strict=True))
    return "rows" if rows * shape[1] <= columns * shape[0] else "columns"
