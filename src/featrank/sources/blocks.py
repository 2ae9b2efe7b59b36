"""Blocks that a program makes: a sequence, a function that returns an iterator, or a generator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from featrank.exceptions import DataError, UsageError
from featrank.sources.chunking import most_items, ranges, ranges_by_cost
from featrank.sources.names import NumberedNames
from featrank.sources.source import Block, Chunk, Source, place_of, span_of
from featrank.sources.streams import require_another
from featrank.tables.columns import check_unique
from featrank.tables.labels import checked_labels
from featrank.tables.prepare import numeric_matrix
from featrank.values.containers import as_matrix
from featrank.values.numbers import require_numbers


class Blocks(Source):
    """Rows that a program gives block by block.

    Parameters
    ----------
    blocks : sequence, callable or iterable
        Pairs ``(X, y)``, or only ``X`` without labels. ``X`` is dense, CSR or CSC. Sequences and
        the results of a callable can be read again; a generator only once.
    n_features : int, optional
        Number of columns; by default, that of the first block.
    names : sequence of str, optional
        Names of the columns.
    name : str
        What messages call it.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.sources import Blocks
    >>> source = Blocks([(np.eye(2), ["a", "b"]), (np.ones((1, 2)), ["a"])], names=["u", "v"])
    >>> source.shape, source.labelled, source.again
    ((None, 2), True, True)
    >>> [part.place for part in source.chunks(most_bytes=1000)]
    ["rows 0 to 1 of 'blocks'", "rows 2 to 2 of 'blocks'"]
    """

    held = True

    def __init__(
        self,
        blocks: Sequence[Any] | Callable[[], Iterable[Any]] | Iterable[Any],
        n_features: int | None = None,
        names: Sequence[str] | None = None,
        *,
        name: str = "blocks",
    ):
        self.again = callable(blocks) or isinstance(blocks, Sequence)
        self.name = name
        self._fresh = blocks if callable(blocks) else lambda: blocks
        self._begun = False
        first = self._first()
        width = first.X.shape[1] if n_features is None else n_features
        self.names = NumberedNames(width) if names is None else [str(one) for one in names]
        self._check_names(width)
        self.shape = (None, width)
        self.dtype = first.X.dtype
        self.target = None if first.y is None else "y"

    def _first(self) -> Block:
        """Return the first block, without taking it from a generator."""
        given = iter(self._fresh())
        first = next(given, None)
        if first is None:
            raise DataError(f"{self.name!r} has no blocks. At least one sample was expected.")
        if not self.again:
            rest = chain([first], given)
            self._fresh = lambda: rest
        return _checked(first, f"block 0 of {self.name!r}")

    def _check_names(self, width: int) -> None:
        if len(self.names) != width:
            raise UsageError(f"{len(self.names)} names were given for {width} features.")
        if not isinstance(self.names, NumberedNames):
            check_unique(self.names)

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut each block into ranges of rows, as they come."""
        require_another(self, self._begun)
        self._begun = True
        return self._parts(most_bytes, span_of(columns, self.shape[1]))

    def _parts(self, most_bytes: int, columns: slice) -> Iterator[Chunk]:
        done = 0
        for number, given in enumerate(self._fresh()):
            block = self._fitting(given, f"block {number} of {self.name!r}")
            X = block.X[:, columns]
            for some in _fitting_rows(X, most_bytes):
                y = None if block.y is None else block.y[some]
                rows = slice(done + some.start, done + some.stop)
                place = place_of("rows", rows, self.name)
                yield Chunk(rows, columns, place, partial(Block, X[some], y))
            done += X.shape[0]

    def _fitting(self, given: Any, place: str) -> Block:
        block = _checked(given, place)
        if block.X.shape[1] != self.shape[1]:
            raise DataError(
                f"{place.capitalize()} has {block.X.shape[1]} columns; {self.shape[1]} were "
                "expected. All blocks need the same columns."
            )
        if (block.y is None) == self.labelled:
            got, others = ("labels", "none") if self.target is None else ("no labels", "labels")
            raise DataError(f"{place.capitalize()} has {got}; the blocks before have {others}.")
        return block


def _fitting_rows(X: Any, most_bytes: int) -> Iterator[slice]:
    if isinstance(X, np.ndarray):
        return ranges(0, X.shape[0], most_items(most_bytes, X.shape[1] * X.itemsize))
    entries = (
        X.indptr
        if X.format == "csr"
        else np.append(0, np.cumsum(np.bincount(X.indices, minlength=X.shape[0])))
    )
    index = X.indices.itemsize
    ends = X.shape[1] + 1 if X.format == "csc" else 1
    costs = entries.astype(np.int64) * (X.dtype.itemsize + index)
    if X.format == "csr":
        costs += np.arange(len(costs)) * index
    return ranges_by_cost(costs, most_bytes - ends * index)


def _checked(given: Any, place: str) -> Block:
    X, y = given if isinstance(given, tuple) else (given, None)
    if not hasattr(X, "indptr"):
        X = np.asarray(as_matrix(X))
    if X.ndim == 2 and not X.shape[0]:
        return Block(X, None if y is None else np.asarray(y))
    try:
        X = numeric_matrix(X)
        require_numbers(X)
        labels = None if y is None else checked_labels(np.asarray(y), X.shape[0], "y", place)
    except DataError as error:
        raise DataError(f"In {place}: {error}") from error
    return Block(X, labels)
