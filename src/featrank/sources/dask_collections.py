"""Dask arrays and data frames, whose blocks are computed on the worker that uses them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.sources.dask_blocks import (
    as_labels,
    as_matrix,
    feature_types,
    hstack_blocks,
    matched_labels,
)
from featrank.sources.names import NumberedNames
from featrank.sources.source import Block, Chunk, Source, place_of, span_of
from featrank.tables.columns import check_unique

#: Makes of what Dask made what reading a part gives. Picklable.
Join = Callable[[Sequence[Any]], Any]


def _block(place: str, inside: slice, labelled: bool, values: Sequence[Any]) -> Block:
    """Return the block of what Dask made: pieces of X side by side, and perhaps labels.

    Parameters
    ----------
    place : str
        What messages call the part.
    inside : slice
        The wanted columns, as places in the pieces.
    labelled : bool
        Whether the last value holds labels.
    values : sequence
        What Dask made.
    """
    pieces = values[:-1] if labelled else values
    X = hstack_blocks([as_matrix(piece) for piece in pieces])
    if inside != slice(0, X.shape[1]):
        X = X[:, inside]
    if not labelled:
        return Block(X)
    labels = as_labels(values[-1])
    if labels.shape != (X.shape[0],):
        raise DataError(
            f"X and y are cut differently: in {place} X has {X.shape[0]:,} rows and y has shape "
            f"{labels.shape}. Call compute_chunk_sizes() on both, so that y can be cut as X is."
        )
    return Block(X, labels)


@dataclass(frozen=True, eq=False)
class Plan:
    """How Dask makes the blocks of a collection.

    Attributes
    ----------
    tasks : mapping
        Its tasks by their keys.
    X, y : list
        The keys of the blocks: rows of columns, and rows.
    collections : tuple
        The collections, since what Dask holds already it holds only as long as they exist.
    """

    tasks: Mapping[Any, Any] = field(repr=False)
    X: list[list[Any]]
    y: list[Any] | None
    collections: tuple[Any, ...] = field(repr=False)

    @classmethod
    def of(cls, X: Any, y: Any) -> Plan:
        """Return the plan of collections."""
        collections = (X,) if y is None else (X, y)
        best = [_optimised(collection) for collection in collections]
        tasks = {**_held(collections)}
        for collection in best:
            tasks.update(collection.__dask_graph__())
        rows = [row if isinstance(row, list) else [row] for row in best[0].__dask_keys__()]
        labels = None if y is None else list(best[1].__dask_keys__())
        return cls(tasks, rows, labels, (*collections, *best))

    def chunk(
        self, rows: slice | None, columns: slice, place: str, join: Join, keys: tuple[Any, ...]
    ) -> DaskChunk:
        """Return the part that ``join`` makes of the values of some keys."""
        read = partial(self._joined, join, list(keys))
        return DaskChunk(rows, columns, place, read, join, keys, self)

    def _joined(self, join: Join, keys: list[Any]) -> Any:
        """Make blocks here, on this thread."""
        import dask
        from dask.optimization import cull

        tasks, _ = cull(self.tasks, keys)
        # What workers hold already is brought from there.
        held = {key: task.result() for key, task in tasks.items() if hasattr(task, "result")}
        return join(dask.get({**tasks, **held}, keys))


def _optimised(collection: Any) -> Any:
    import dask

    # dask.optimize leaves keys of data frames that refer to other columns.
    if hasattr(collection, "divisions"):
        return collection.optimize()
    return dask.optimize(collection)[0]


def _held(collections: Iterable[Any]) -> dict[Any, Any]:
    """Return the blocks that workers hold already: optimising drops them from the tasks."""
    if "distributed" not in sys.modules:
        return {}
    from distributed import Future

    return {
        key: task
        for collection in collections
        for key, task in collection.__dask_graph__().items()
        if isinstance(task, Future)
    }


@dataclass(frozen=True, eq=False)
class DaskChunk(Chunk):
    """A part of a collection; an engine that is Dask's lets Dask make its blocks where it works.

    Attributes
    ----------
    join : callable
        Makes of the values that Dask made what reading the part gives.
    keys : tuple
        Their keys.
    plan : Plan
        How Dask makes them.
    """

    join: Join
    keys: tuple[Any, ...]
    plan: Plan = field(repr=False)


class DaskSource(Source):
    """A Dask array, or the columns of a Dask data frame, and its labels.

    Its parts are the blocks as Dask has them, whatever size is asked for: a block is in memory as
    a whole in any case. Blocks of one row of columns are put side by side; a collection that is
    cut along its columns only is read by columns. Blocks may be sparse.

    Parameters
    ----------
    X : dask.array.Array or dask.dataframe.DataFrame
        Samples × features. Blocks may have unknown numbers of rows.
    y : Dask array or series, or array-like, optional
        Labels. If their chunks differ from those of X, they are rechunked.

    Examples
    --------
    >>> import dask.array as da
    >>> source = DaskSource(da.ones((10, 3), chunks=(6, 2)), da.zeros(10, chunks=5))
    >>> [part.place for part in source.chunks(2**20)]
    ["rows 0 to 5 of 'dask array'", "rows 6 to 9 of 'dask array'"]
    >>> next(iter(source.chunks(2**20))).read().X.shape
    (6, 3)
    """

    def __init__(self, X: Any, y: Any = None):
        if getattr(X, "ndim", None) != 2:
            raise DataError(f"X must have two dimensions, samples × features; got {X}.")
        self._X = X
        self._row_sizes, self._column_sizes = _sizes(X)
        self._y = None if y is None else matched_labels(y, X, self._row_sizes)
        in_memory = y is not None and not hasattr(y, "__dask_graph__")
        self._apart = as_labels(y) if in_memory else None
        self._framed = hasattr(X, "dtypes")
        self.dtype = feature_types(X)
        self.name = "dask data frame" if self._framed else "dask array"
        rows = None if None in self._row_sizes else sum(self._row_sizes)  # type: ignore[arg-type]
        self.shape = (rows, X.shape[1])
        self.names = _names(X) if self._framed else NumberedNames(X.shape[1])
        self.target = None if y is None else str(getattr(y, "name", None) or "y")
        alone = len(self._row_sizes) == 1 < len(self._column_sizes)
        self.axis = "columns" if alone else "rows"

    def labels_apart(self) -> NDArray[Any] | None:
        """Return the labels if they are in memory."""
        return self._apart

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> list[Chunk]:
        """Return one part per block of rows, or of columns; ``most_bytes`` is ignored."""
        wanted = span_of(columns, self.shape[1])
        plan, parts = Plan.of(self._X, self._y), list[Chunk]()
        for number, rows in enumerate(self._row_spans()):
            labels = [] if plan.y is None else [plan.y[number]]
            for blocks, part, inside in self._column_groups(wanted):
                if rows is None or rows.start < rows.stop:
                    place = self._place(number, rows, part)
                    join = partial(_block, place, inside, bool(labels))
                    keys = (*plan.X[number][blocks], *labels)
                    parts.append(plan.chunk(rows, part, place, join, keys))
        return parts

    def _place(self, number: int, rows: slice | None, columns: slice) -> str:
        if self.axis == "columns":
            return place_of("columns", columns, self.name)
        if rows is None:
            return f"block {number:,} of {self.name!r}"
        return place_of("rows", rows, self.name)

    def _row_spans(self) -> Iterator[slice | None]:
        if self.shape[0] is None:
            return iter([None] * len(self._row_sizes))
        return _spans(self._row_sizes)  # type: ignore[arg-type]

    def _column_groups(self, wanted: slice) -> Iterator[tuple[slice, slice, slice]]:
        """Yield blocks that are read together, the features they hold, and their place in them."""
        spans = list(_spans(self._column_sizes))
        touched = [
            place
            for place, span in enumerate(spans)
            if span.start < wanted.stop and wanted.start < span.stop
        ]
        if self.axis == "rows" and touched:
            groups = [slice(touched[0], touched[-1] + 1)]
        else:
            groups = [slice(place, place + 1) for place in touched]
        for group in groups:
            first, last = spans[group][0].start, spans[group][-1].stop
            start, stop = max(first, wanted.start), min(last, wanted.stop)
            yield group, slice(start, stop), slice(start - first, stop - first)


def _names(frame: Any) -> list[str]:
    names = [str(name) for name in frame.columns]
    check_unique(names)
    return names


def _sizes(X: Any) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
    """Return the rows of each block, None where Dask does not know, and the columns of each."""
    if not hasattr(X, "chunks"):
        return (None,) * X.npartitions, (X.shape[1],)
    if np.isnan(sum(X.chunks[0])):
        return (None,) * X.numblocks[0], X.chunks[1]
    return X.chunks


def _spans(sizes: Sequence[int]) -> Iterator[slice]:
    return (slice(*ends) for ends in pairwise(accumulate(sizes, initial=0)))
