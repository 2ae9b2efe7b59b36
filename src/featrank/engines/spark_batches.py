"""Batches that Spark hands to Python: blocks of bounded size, one cell of bytes per partition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, FeatrankError

if TYPE_CHECKING:
    import pyarrow as pa

# Bytes of a block; batches of Arrow are as large as Spark makes them.
BLOCK_BYTES = 32 * 2**20

CELL = "state binary, error string"


class State(Protocol):
    """What is known of some rows: it merges, and it travels as bytes."""

    def merge(self, other: Any) -> Any:
        """Return what is known of both."""

    def to_bytes(self) -> bytes:
        """Return it as bytes."""


@dataclass(frozen=True)
class Layout:
    """Where features are in a batch, whose last column holds the labels.

    Attributes
    ----------
    kind : {"columns", "array", "vector"}
        Whether each feature has a column, or all are in one of arrays or of ML vectors.
    n_features : int
        How many there are.
    dtype : str
        Type of the numbers.
    feature, label : str
        What messages call the column of the features, and that of the labels.
    """

    kind: Literal["columns", "array", "vector"]
    n_features: int
    dtype: str
    feature: str
    label: str


def partition_state(
    batches: Iterable[pa.RecordBatch], layout: Layout, of: Callable[[Any, NDArray[Any]], State]
) -> Iterator[pa.RecordBatch]:
    """Yield one cell: the state of a partition, or an error; none of an empty partition."""
    return _cell(of(X, y) for batch in batches for X, y in blocks(batch, layout))


def merged_state(
    batches: Iterable[pa.RecordBatch], from_bytes: Callable[[bytes], State]
) -> Iterator[pa.RecordBatch]:
    """Yield one cell of those in a partition."""
    return _cell(
        opened(state.as_py(), error.as_py(), from_bytes)
        for batch in batches
        for state, error in zip(*batch.columns, strict=True)
    )


def opened(state: bytes | None, error: str | None, from_bytes: Callable[[bytes], State]) -> State:
    """Return the state in a cell; an error in it is raised."""
    if state is None:
        raise DataError(error)
    return from_bytes(bytes(state))  # the driver gets it as a bytearray


def _cell(states: Iterator[State]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    merged: State | None = None
    error = None
    try:
        for state in states:
            merged = state if merged is None else merged.merge(state)
    # As an exception it would reach the driver as the string of a Java stack trace.
    except FeatrankError as failure:
        merged, error = None, str(failure)
    if merged is None and error is None:
        return
    blob = None if merged is None else merged.to_bytes()
    yield pa.record_batch(
        [pa.array([blob], pa.binary()), pa.array([error], pa.string())], ["state", "error"]
    )


def blocks(
    batch: pa.RecordBatch, layout: Layout, most_bytes: int = BLOCK_BYTES
) -> Iterator[tuple[Any, NDArray[Any]]]:
    """Yield the features and labels of a batch, as many rows at a time as the byte limit allows."""
    if batch.num_rows == 0:
        return
    row = batch.nbytes // batch.num_rows
    if layout.kind != "vector":
        row = max(row, layout.n_features * np.dtype(layout.dtype).itemsize)
    step = max(1, most_bytes // max(1, row))
    for start in range(0, batch.num_rows, step):
        rows = batch.slice(start, step)
        yield _features(rows, layout), _labels(rows.column(rows.num_columns - 1), layout)


def _labels(column: pa.Array, layout: Layout) -> NDArray[Any]:
    if column.null_count:
        raise DataError(
            f"The label {layout.label!r} is missing in some rows. Every row needs one: drop them "
            f"with df.dropna(subset=[{layout.label!r}])."
        )
    return np.asarray(column.to_numpy(zero_copy_only=False))


def _features(rows: pa.RecordBatch, layout: Layout) -> Any:
    if layout.kind == "columns":
        return _of_columns(rows, layout)
    column = rows.column(0)
    if column.null_count:
        raise DataError(
            f"The column {layout.feature!r} is missing in some rows. Every row needs its features: "
            f"drop them with df.dropna(subset=[{layout.feature!r}])."
        )
    return _of_lists(column, layout) if layout.kind == "array" else _of_vectors(column, layout)


def _of_columns(rows: pa.RecordBatch, layout: Layout) -> NDArray[Any]:
    X = np.empty((layout.n_features, rows.num_rows), layout.dtype)
    for place in range(layout.n_features):
        X[place] = rows.column(place).to_numpy(zero_copy_only=False)
    return X.T


def _of_lists(column: pa.Array, layout: Layout) -> NDArray[Any]:
    _require_lengths(_lengths(column), layout)
    values = column.flatten().to_numpy(zero_copy_only=False)
    return values.astype(layout.dtype, copy=False).reshape(len(column), layout.n_features)


def _of_vectors(column: pa.Array, layout: Layout) -> Any:
    """Return Spark ML vectors: dense if all are, else sparse rows."""
    from scipy import sparse

    kind, size, indices, values = column.flatten()
    dense = kind.to_numpy(zero_copy_only=False) == 1
    lengths = _lengths(values)
    numbers = values.flatten().to_numpy(zero_copy_only=False)
    _require_lengths(lengths[dense], layout)
    if dense.all():
        return numbers.reshape(len(column), layout.n_features)
    _require_lengths(size.filter(~dense).to_numpy(zero_copy_only=False), layout)
    places = np.empty(len(numbers), np.int32)
    of_dense = np.repeat(dense, lengths)
    places[of_dense] = np.tile(np.arange(layout.n_features), dense.sum())
    places[~of_dense] = indices.flatten().to_numpy(zero_copy_only=False)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_array((numbers, places, starts), (len(column), layout.n_features))


def _lengths(column: pa.Array) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    return pc.list_value_length(column).to_numpy(zero_copy_only=False).astype(np.int64)


def _require_lengths(lengths: NDArray[Any], layout: Layout) -> None:
    wrong = lengths[lengths != layout.n_features]
    if len(wrong):
        raise DataError(
            f"The column {layout.feature!r} holds {layout.n_features:,} features in the first row "
            f"and {wrong[0]:,} in another. Every row needs the same features."
        )
