"""Some rows of an out-of-core dataset: those whose samples take part in a ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.opening import open_reader
from featrank.data.whole_table import stored_labels
from featrank.sources import Block, Chunk, Source
from featrank.sources.dask_collections import DaskChunk
from featrank.sources.labels import Labels
from featrank.tables.options import ReadOptions
from featrank.values.usable_labels import LabelRule

# What a dataset and some of its rows have in common.
_SAME = (
    "name", "dtype", "axis", "again", "names", "target", "held", "files", "id_name", "id_column",
    "matrix", "value_scale", "notes",
)  # fmt: skip


class UsedRows(Source):
    """A dataset without the rows that are left out; its labels are passed separately.

    Parameters
    ----------
    whole : Source
        All rows.
    rows : ndarray of int
        The rows that stay, ascending.
    n_rows : int
        Number of all rows.
    starts : mapping of str to int
        First row of the parts whose rows are unknown before they are read, by place.
    """

    def __init__(
        self, whole: Source, rows: NDArray[np.intp], n_rows: int, starts: Mapping[str, int]
    ):
        self.whole = whole
        self.rows = rows
        self._starts = starts
        self._used = np.zeros(n_rows, dtype=bool)
        self._used[rows] = True
        for name in _SAME:
            setattr(self, name, getattr(whole, name))
        self.shape = (len(rows), whole.shape[1])
        if whole.ids is not None:
            self.ids = Labels(whole.ids.name, partial(_read_some, whole.ids.read, rows, n_rows))

    @property
    def labelled(self) -> bool:
        """Whether the blocks have labels: never, since those that take part are known."""
        return False

    @property
    def n_bytes(self) -> int | None:
        """Bytes of the whole dataset, since all rows are read."""
        return self.whole.n_bytes

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut the whole dataset, and take the used rows of each part."""
        before = 0
        for part in self.whole.chunks(most_bytes, columns):
            used = self._used_in(part)
            count = int(used.sum())
            first = 0 if self.axis == "columns" else before
            if count:
                yield _with_rows(part, used, slice(first, first + count))
            before += count

    def _used_in(self, part: Chunk) -> NDArray[np.bool_]:
        if part.rows is not None:
            return self._used[part.rows]
        start = self._starts[part.place]
        later = [other for other in self._starts.values() if other > start]
        return self._used[start : min(later, default=len(self._used))]


def use_labelled_rows(
    source: Source, y: Any, rule: LabelRule, options: ReadOptions
) -> tuple[Source, Any, NDArray[np.intp] | None]:
    """Return a dataset with the samples that take part, their labels, and their rows.

    Labels that the dataset contains itself are read first. Data that can be read only once stays
    as it is.
    """
    starts: dict[str, int] = {}
    labels = y
    if y is None:
        if not source.labelled or not (source.again or source.labels_apart() is not None):
            return source, None, None
        plain = ReadOptions(memory=options.memory, engine=options.engine, client=options.client)
        with open_reader(plain, source, None, "") as reader:
            labels = stored_labels(source, reader, starts)
    n_rows = source.shape[0] or np.size(labels)
    if np.size(labels) != n_rows:  # an error of the check of labels
        return source, y, None
    ids = None if source.ids is None else source.ids.read(slice(0, n_rows))
    found, rows = replace(rule, name=rule.name or source.target).apply(labels, ids)
    if rows is None and (y is not None or source.shape[0] is not None):
        return source, found, None
    used = np.arange(n_rows) if rows is None else rows
    return UsedRows(source, used, n_rows, starts), found, rows


def _with_rows(part: Chunk, used: NDArray[np.bool_], rows: slice) -> Chunk:
    """Return a part that reads only the used rows."""
    read = partial(_read_used, part.read, used)
    if isinstance(part, DaskChunk):
        return replace(part, rows=rows, read=read, join=partial(_read_used, part.join, used))
    return replace(part, rows=rows, read=read)


def _read_used(read: Callable[..., Block], used: NDArray[np.bool_], *blocks: Any) -> Block:
    X = read(*blocks).X
    return Block(X if used.all() else X[np.flatnonzero(used)])


def _read_some(
    read: Callable[[slice], NDArray[Any]], rows: NDArray[np.intp], n_rows: int, some: slice
) -> NDArray[Any]:
    return np.asarray(read(slice(0, n_rows)))[rows][some]
