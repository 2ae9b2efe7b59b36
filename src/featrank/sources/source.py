"""Sources of data larger than memory, cut into chunks that are read by path."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, FeatrankError, UsageError
from featrank.sources.labels import Labels, labels_of
from featrank.tables.table import is_panic, reason_of

Axis = Literal["rows", "columns"]


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows and columns of a source, in memory.

    Attributes
    ----------
    X : ndarray, sparse CSR or CSC, or what a format has instead (2-bit genotypes)
        Rows × columns of the chunk, of any real type. NaN is a missing value; infinite values come
        as they are.
    y : ndarray or None
        The labels of the rows as they are stored; None if the source has none.
    """

    X: Any
    y: NDArray[Any] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes that X takes."""
        if hasattr(self.X, "indptr"):
            return int(self.X.data.nbytes + self.X.indices.nbytes + self.X.indptr.nbytes)
        return int(self.X.nbytes)


@dataclass(frozen=True, eq=False)
class Chunk:
    """A place in a source: small, picklable, and read wherever the path leads to the same file.

    Attributes
    ----------
    rows : slice or None
        Place among the rows of the source; None where it is unknown before reading.
    columns : slice
        Place among the features, with both ends as integers.
    place : str
        What to call it in messages: ``rows 0 to 4,095 of 'big.zarr'``.
    read : callable
        Opens the file, reads this chunk and closes it; damage is a DataError with the place. It has
        to be picklable.
    """

    rows: slice | None
    columns: slice
    place: str
    read: Callable[..., Any]


class Source(ABC):
    """Data that is read in chunks.

    Attributes
    ----------
    name : str
        What messages call it, in most cases the name of the file.
    shape : tuple of (int or None, int)
        Samples and features; the number of samples may be unknown.
    dtype : numpy.dtype
        Type of the values.
    axis : {"rows", "columns"}
        Along which it is read fast, and thus cut.
    again : bool
        Whether it can be read a second time.
    names : sequence of str
        Names of the features; where the file has none, ``x0``, ``x1``, … made on demand.
    target : str or None
        What the labels are called.
    labelled : bool
        Whether the blocks have labels.
    held : bool
        Whether chunks hold their data, so that only few may exist at a time.
    files : tuple of Path
        What it was opened from.
    ids : Labels or None
        The ids of the samples, if the source has any. They are not a feature.
    id_name : str or None
        What the ids are called.
    id_column : bool
        Whether they are a column that could have been a feature.
    matrix : str or None
        For an AnnData file: which of its matrices is read.
    value_scale : str
        The scale of the values for fold changes, "auto" if it is unknown.
    notes : tuple of str
        Sentences on how the file is read.
    """

    name: str
    shape: tuple[int | None, int]
    dtype: np.dtype
    axis: Axis = "rows"
    again: bool = True
    names: Sequence[str]
    target: str | None = None
    held: bool = False
    files: tuple[Path, ...] = ()
    ids: Labels | None = None
    id_name: str | None = None
    id_column: bool = False
    matrix: str | None = None
    value_scale: str = "auto"
    notes: tuple[str, ...] = ()

    @property
    def n_bytes(self) -> int | None:
        """About how many bytes all blocks take; None where the rows are not counted."""
        n_rows, n_features = self.shape
        return None if n_rows is None else n_rows * n_features * self.dtype.itemsize

    @property
    def labelled(self) -> bool:
        """Whether the blocks have labels."""
        return self.target is not None

    def labels_apart(self) -> NDArray[Any] | None:
        """Return the labels of all rows where they lie apart from the values, else None."""
        labels = getattr(self, "_labels", None)
        if self.shape[0] is None or not isinstance(labels, Labels):
            return None
        with reading(f"the labels of {self.name!r}"):
            return labels_of(labels, slice(0, self.shape[0]), self.name)

    @abstractmethod
    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterable[Chunk]:
        """Cut the source into chunks that take at most about ``most_bytes`` each when read.

        Parameters
        ----------
        most_bytes : int
            How large a block may be. One row, or one column, is the least that is read.
        columns : slice
            The wanted features. If the axis is "rows", each chunk is a range of rows with these
            features. If it is "columns", each chunk is a range of features with all rows.
        """


def span_of(columns: slice, n_features: int) -> slice:
    """Return a slice of features with both ends as integers.

    Examples
    --------
    >>> span_of(slice(None), 5), span_of(slice(-2, None), 5)
    (slice(0, 5, None), slice(3, 5, None))
    """
    start, stop, step = columns.indices(n_features)
    if step != 1:
        raise UsageError(f"Columns are read in steps of 1, not {step}.")
    return slice(start, max(start, stop))


def shape_of(rows: slice, columns: slice) -> tuple[int, int]:
    """Return the shape of a chunk."""
    return rows.stop - rows.start, columns.stop - columns.start


def place_of(kind: str, span: slice, name: str) -> str:
    """Return what to call a range in messages.

    Examples
    --------
    >>> place_of("rows", slice(0, 4096), "big.zarr")
    "rows 0 to 4,095 of 'big.zarr'"
    """
    return f"{kind} {span.start:,} to {span.stop - 1:,} of {name!r}"


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Turn whatever a reader raises into a DataError that names the place."""
    try:
        yield
    except DataError as error:
        if place in str(error):
            raise
        raise DataError(f"In {place}: {error}") from error
    except (FeatrankError, MemoryError):
        raise
    # Readers of damaged files raise nearly anything; Rust raises things that are not Exceptions.
    except BaseException as error:
        if not isinstance(error, Exception) and not is_panic(error):
            raise
        reason = reason_of(error)
        if "memory allocation" in str(error):  # as polars says it
            raise MemoryError(f"There was too little of it to read {place}.") from error
        raise DataError(
            f"Cannot read {place}: {reason.rstrip('.')}. The file may be cut short, damaged or "
            "changed since it was opened."
        ) from error
