"""Several files as one table: the rows of the second follow those of the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from featrank.exceptions import DataError, UsageError
from featrank.sources.labels import Labels, labels_of
from featrank.sources.names import NumberedNames
from featrank.sources.source import Block, Chunk, Source, span_of
from featrank.tables.columns import listed


class ConcatenatedSource(Source):
    """Several sources as one, with the same features in the same order."""

    def __init__(self, sources: Sequence[Source], labels: Labels | None = None):
        first = sources[0]
        for other in sources[1:]:
            _require_same(first, other)
        self.name = f"{first.name} and {len(sources) - 1} more"
        self.names = first.names
        heights = [source.shape[0] for source in sources]
        n_rows = None if None in heights else sum(height or 0 for height in heights)
        self.shape = (n_rows, first.shape[1])
        self.dtype = np.result_type(*(source.dtype for source in sources))
        self.axis = first.axis
        self.again = all(source.again for source in sources)
        self.held = any(source.held for source in sources)
        self.notes = tuple(note for source in sources for note in source.notes)
        self.target = first.target if labels is None else labels.name
        self._sources = sources
        self._labels = labels

    @property
    def n_bytes(self) -> int | None:
        """Bytes of the blocks of all files."""
        sizes = [source.n_bytes for source in self._sources]
        return None if None in sizes else sum(size or 0 for size in sizes)

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut each file by itself; where they are read by columns, all at the same columns."""
        columns = span_of(columns, self.shape[1])
        if self.axis == "rows":
            return self._by_rows(most_bytes, columns)
        return self._by_columns(most_bytes, columns)

    def _by_rows(self, most_bytes: int, columns: slice) -> Iterator[Chunk]:
        done = 0
        for source in self._sources:
            last = done
            for part in source.chunks(most_bytes, columns):
                # The rows of a stream are counted as they are read.
                place = part.rows or slice(0, 0)
                last = done + place.stop
                yield self._moved(part, slice(done + place.start, last))
            done = last

    def _by_columns(self, most_bytes: int, columns: slice) -> Iterator[Chunk]:
        n_rows = self.shape[0] or 1
        first = self._sources[0]
        share = max(1, most_bytes * (first.shape[0] or 1) // n_rows)
        for part in first.chunks(share, columns):
            pieces = list(self._pieces(part.columns))
            place = f"{pieces[0].place} and {len(pieces) - 1} more"
            yield Chunk(
                slice(0, self.shape[0]), part.columns, place, partial(_read_stacked, pieces)
            )

    def _pieces(self, columns: slice) -> Iterator[Chunk]:
        done = 0
        for source in self._sources:
            height = source.shape[0] or 0
            for part in source.chunks(2**62, columns):
                yield self._moved(part, slice(done, done + height))
            done += height

    def _moved(self, part: Chunk, rows: slice) -> Chunk:
        """Return a part of one file at its place among the rows of all files."""
        read = partial(_read_moved, part, self._labels, rows)
        return Chunk(rows, part.columns, part.place, read)


def _read_moved(part: Chunk, labels: Labels | None, rows: slice) -> Block:
    block = part.read()
    return block if labels is None else Block(block.X, labels_of(labels, rows, part.place))


def _read_stacked(pieces: Sequence[Chunk]) -> Block:
    """Read the same columns of all files, with all their rows."""
    blocks = [piece.read() for piece in pieces]
    labels = [block.y for block in blocks if block.y is not None]
    X = _stacked([block.X for block in blocks])
    return Block(X, np.concatenate(labels) if labels else None)


def _stacked(blocks: list[Any]) -> Any:
    if isinstance(blocks[0], np.ndarray):
        return np.asfortranarray(np.concatenate(blocks))
    from scipy.sparse import vstack

    return vstack(blocks, format=blocks[0].format)


def _require_same(first: Source, other: Source) -> None:
    if first.axis != other.axis:
        raise UsageError(
            f"{first.name!r} is stored by {first.axis}, {other.name!r} by {other.axis}. Write all "
            "files of a table in the same format."
        )
    if first.target != other.target:
        raise DataError(
            f"The target of {first.name!r} is {first.target!r}, but that of {other.name!r} is "
            f"{other.target!r}. All files of a table need the same target."
        )
    if isinstance(first.names, NumberedNames) and first.names == other.names:
        return
    names, others = list(first.names), list(other.names)
    if names == others:
        return
    pairs = zip(names, others, strict=False)
    missing, added = set(names) - set(others), set(others) - set(names)
    if missing or added:
        only = [repr(name) for name in [*names, *others] if name in missing or name in added]
        raise DataError(
            f"{first.name!r} and {other.name!r} have different columns, {len(names)} and "
            f"{len(others)}. Only one file has {listed(only)}. All files of a table need the same "
            "columns in the same order."
        )
    place, (name, instead) = next((at, pair) for at, pair in enumerate(pairs) if len(set(pair)) > 1)
    raise DataError(
        f"{first.name!r} and {other.name!r} have the same columns in another order: column {place} "
        f"is {name!r} in one, {instead!r} in the other. Write them in the same order."
    )
