"""Parquet and Arrow files, in which polars reads any range of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError
from featrank.sources.chunking import most_items, ranges_of_groups
from featrank.sources.frames import FrameSource, add_ids, layout_of, without_ids
from featrank.sources.labels import label_file
from featrank.sources.source import Chunk, Source, span_of
from featrank.tables.columns import PANDAS_INDEX, check_unique
from featrank.tables.options import ReadOptions
from featrank.tables.rust_panics import hide_panics

if TYPE_CHECKING:
    import polars as pl

#: Above this number of columns, their metadata, which every part reads again, takes long to read.
MANY_COLUMNS = 50_000


# Columns of a part are read in batches: small in comparison with the block, but not so small that
# the metadata is read over and over.
_LEAST_COLUMNS = 32
_MOST_READS = 8


@dataclass(frozen=True)
class ColumnarFile:
    """A Parquet file, or an Arrow file that is not a stream."""

    path: Path

    def scan(self) -> pl.LazyFrame:
        """Return the file as a lazy frame."""
        import polars as pl

        if self.path.suffix.lower() == ".parquet":
            return pl.scan_parquet(self.path, glob=False, hive_partitioning=False)
        return pl.scan_ipc(self.path, glob=False, hive_partitioning=False)

    def frames(self, rows: slice, positions: Sequence[int]) -> Iterator[pl.DataFrame]:
        """Give some rows of some columns; row groups and pages without them are skipped.

        A few columns at a time, since polars holds all of a row group's bytes of what it reads.
        """
        import polars as pl

        width = max(_LEAST_COLUMNS, -(-len(positions) // _MOST_READS))
        for start in range(0, len(positions), width):
            some = self.scan().slice(rows.start, rows.stop - rows.start)
            # By position: polars takes a name such as "^a.*$" for a pattern.
            with hide_panics():
                found = some.select(pl.nth(*positions[start : start + width])).collect()
            yield found


class ColumnarSource(FrameSource):
    """A Parquet or Arrow file."""

    def __init__(self, file: ColumnarFile, groups: Sequence[int], *about: Any):
        super().__init__(file.path.name, *about)
        self._file = file
        self._groups = groups or [self.shape[0] or 0]

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut it into ranges of rows, at the ends of row groups where they fit."""
        columns = span_of(columns, self.shape[1])
        width = columns.stop - columns.start
        if not width:
            return
        most = most_items(most_bytes, width * self._itemsize)
        for rows in ranges_of_groups(self._groups, most):
            yield self._part(partial(self._file.frames, rows), rows, columns)


def columnar_source(path: Path, options: ReadOptions) -> Source:
    """Return the source of a Parquet or Arrow file."""
    import polars as pl

    file = ColumnarFile(path.absolute())
    scanned = file.scan()
    schema = scanned.collect_schema()
    names, types = schema.names(), schema.dtypes()
    check_unique(names)
    _warn_of_many(path, len(names))
    hidden = [place for place, name in enumerate(names) if name == PANDAS_INDEX]
    layout, _ = layout_of(names, options, hidden)
    n_rows = int(scanned.select(pl.len()).collect().item())
    if not n_rows:
        raise DataError("The table has no rows. At least one sample was expected.")
    labels = None if options.labels is None else label_file(options.labels, n_rows, path)

    def column(place: int) -> pl.Series:
        return next(file.frames(slice(0, n_rows), [place])).to_series(0)

    layout, ids = without_ids(names, types, layout, column)
    features = layout.features(len(names))
    kept, kinds = [names[place] for place in features], [types[place] for place in features]
    source = ColumnarSource(file, _groups(path), n_rows, kept, kinds, layout, labels)
    add_ids(source, names, column, hidden[0] if hidden else None, ids)
    return source


def _groups(path: Path) -> list[int]:
    """Return the rows of each row group or record batch; none if pyarrow is not there to tell.

    Parts that end where groups end read no group twice; other parts give the same result.
    """
    try:
        import pyarrow.ipc
        import pyarrow.parquet
    except ImportError:
        return []
    if path.suffix.lower() == ".parquet":
        metadata = pyarrow.parquet.read_metadata(path)
        return [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]
    first = pyarrow.ipc.IpcReadOptions(included_fields=[0])
    with pyarrow.memory_map(str(path)) as file:
        reader = pyarrow.ipc.open_file(file, options=first)
        # polars leaves out columns whose names it has seen.
        check_unique(pyarrow.ipc.open_file(file).schema.names)
        return [reader.get_batch(one).num_rows for one in range(reader.num_record_batches)]


def _warn_of_many(path: Path, n_columns: int) -> None:
    if n_columns > MANY_COLUMNS:
        warn_user(
            f"{path.name!r} has {n_columns:,} columns. Every chunk reads their positions again, "
            "which is slow. Use Zarr with one array X and chunks of columns instead.",
            "info",
        )
