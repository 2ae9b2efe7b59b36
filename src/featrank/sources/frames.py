"""Sources of named and typed columns: find the features, and make blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from featrank.sources.dropped_columns import Skipped, all_but
from featrank.sources.labels import Labels, labels_of
from featrank.sources.source import Block, Chunk, Source, place_of, reading, shape_of
from featrank.tables.columns import check_any_left, kept_columns, target_column
from featrank.tables.frames import (
    column_labels,
    dense_numbers,
    is_number,
    number_type,
    refuse_categorical,
    series_values,
)
from featrank.tables.ids import is_id, may_be_id
from featrank.tables.options import ReadOptions

if TYPE_CHECKING:
    import polars as pl

    #: Returns frames of the columns at some positions of a file, side by side. Picklable.
    ReadFrames = Callable[[Sequence[int]], Iterable[pl.DataFrame]]

_WAY_OUT = "Leave the columns out with `drop=...`, or write them as numbers."


@dataclass(frozen=True)
class Layout:
    """Which columns of a file are features, and which one the labels.

    Attributes
    ----------
    skipped : Skipped
        Columns that are not features.
    target : int or None
        Position of the labels.
    target_name : str or None
        What they are called.
    """

    skipped: Skipped
    target: int | None
    target_name: str | None

    def positions(self, columns: slice) -> list[int]:
        """Return the columns to read for some features: theirs and, as the last, the labels'."""
        span, others = self.skipped.span(columns)
        features = np.delete(np.arange(span.start, span.stop), others).tolist()
        return features if self.target is None else [*features, self.target]

    def features(self, n_columns: int) -> list[int]:
        """Return the columns of all features."""
        absent = set(self.skipped.positions)
        return [column for column in range(n_columns) if column not in absent]


def layout_of(
    names: Sequence[str], options: ReadOptions, hidden: Sequence[int] = ()
) -> tuple[Layout, list[str]]:
    """Return which columns are what, and the names of the features.

    ``hidden`` are the positions of columns that nobody asks for: names of rows.
    """
    seen = all_but(hidden, len(names)).positions if hidden else range(len(names))
    visible = [names[place] for place in seen]
    target = target_column(visible, options.target)
    kept = [seen[place] for place in kept_columns(visible, options, target)]
    skipped = all_but(kept, len(names))
    if target is None:
        return Layout(skipped, None, None), [names[place] for place in kept]
    layout = Layout(skipped, seen[target], names[seen[target]])
    return layout, [names[place] for place in kept]


def without_ids(
    names: Sequence[str],
    types: Sequence[pl.DataType],
    layout: Layout,
    read: Callable[[int], pl.Series],
) -> tuple[Layout, int | None]:
    """Return the layout without id columns, and the position of the first id column.

    Parameters
    ----------
    names, types : sequences
        Of all columns of the file.
    layout : Layout
        Which columns are features.
    read : callable
        Returns a column as a whole.
    """
    ids = [
        place
        for place in layout.features(len(names))
        if may_be_id(types[place], names[place], first=place == 0)
        and is_id(read(place), names[place], first=place == 0)
    ]
    if not ids:
        return layout, None
    kept = [place for place in layout.features(len(names)) if place not in ids]
    check_any_left(kept)
    return replace(layout, skipped=all_but(kept, len(names))), ids[0]


def _ids(column: Callable[[int], pl.Series], place: int, rows: slice) -> NDArray[Any]:
    return series_values(column(place))[rows]


def require_features(names: Sequence[str], types: Sequence[pl.DataType]) -> None:
    """Raise an error for features that are strings, categories or dates."""
    not_numeric = [name for name, dtype in zip(names, types, strict=True) if not is_number(dtype)]
    if not_numeric:
        refuse_categorical(not_numeric, _WAY_OUT)


def common_type(types: Sequence[pl.DataType], has_missing: bool = False) -> np.dtype:
    """Return the type of a matrix with columns of such types."""
    return np.result_type(*{number_type(dtype, has_missing) for dtype in types})


def block_of(
    frames: Iterable[pl.DataFrame],
    shape: tuple[int, int],
    layout: Layout,
    dtype: np.dtype,
    place: str,
) -> Block:
    """Return the block of frames of features side by side.

    If the layout has labels, they are the last column of the last frame. Where ``dtype`` is of
    integers, a block with missing values is of floats anyway.
    """
    X, y, done = np.empty(shape, dtype, order="F"), None, 0
    for frame in frames:
        if frame.height != shape[0]:
            raise EOFError(f"{frame.height} rows were found where {shape[0]} were expected")
        columns = frame.get_columns()
        if layout.target_name is not None and done + len(columns) > shape[1]:
            y = column_labels(columns.pop().alias(layout.target_name), place)
        if columns:
            some = dense_numbers(columns)
            if some.dtype.kind == "f" and X.dtype.kind != "f":
                X = X.astype(np.float32 if dtype.itemsize < 4 else np.float64)
            X[:, done : done + len(columns)] = some
        done += len(columns)
    return Block(X, y)


class FrameSource(Source):
    """Named columns in delimited files, columnar files and streams."""

    def __init__(
        self,
        name: str,
        n_rows: int | None,
        names: Sequence[str],
        types: Sequence[pl.DataType],
        layout: Layout,
        labels: Labels | None = None,
    ):
        require_features(names, types)
        self.name = name
        self.names = names
        self.shape = (n_rows, len(names))
        self.dtype = common_type(types)
        self.target = layout.target_name if labels is None else labels.name
        self._layout = layout
        self._labels = labels
        # Integers with missing values become floats, in whichever block they are.
        self._itemsize = max(self.dtype.itemsize, common_type(types, has_missing=True).itemsize)

    def _part(self, frames: ReadFrames, rows: slice, columns: slice) -> Chunk:
        place = place_of("rows", rows, self.name)
        layout, labels, dtype = self._layout, self._labels, self.dtype
        read = partial(read_frames, frames, layout, labels, dtype, rows, columns, place)
        return Chunk(rows, columns, place, read)


def read_frames(
    frames: ReadFrames,
    layout: Layout,
    labels: Labels | None,
    dtype: np.dtype,
    rows: slice,
    columns: slice,
    place: str,
) -> Block:
    """Return the block of some rows and columns."""
    with reading(place):
        shape = shape_of(rows, columns)
        block = block_of(frames(layout.positions(columns)), shape, layout, dtype, place)
        if labels is None:
            return block
        return Block(block.X, labels_of(labels, rows, place))


def add_ids(
    source: Source,
    names: Sequence[str],
    read: Callable[[int], pl.Series],
    hidden: int | None,
    ids: int | None,
) -> None:
    """Set the ids of a source: a hidden column of row names, or else a column of ids."""
    place = ids if hidden is None else hidden
    if place is None:
        return
    source.id_name, source.id_column = "" if place == hidden else names[place], hidden is None
    source.ids = Labels(source.id_name, partial(_ids, read, place))
