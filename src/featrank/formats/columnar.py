"""Parquet, Arrow and Feather files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.columns import PANDAS_INDEX
from featrank.tables.format import Format
from featrank.tables.options import ReadOptions
from featrank.tables.rust_panics import hide_panics
from featrank.tables.table import Table, parsing

if TYPE_CHECKING:
    import polars as pl

    from featrank.sources.source import Source

FORMAT = Format(
    names=("Parquet", "Arrow", "Feather"),
    suffixes=(".parquet", ".arrow", ".feather", ".ipc"),
    writes="ids first, the labels as the last column",
    transposable=True,
)


def read(path: Path, options: ReadOptions) -> Table:
    """Read a columnar file. The index that pandas may have added holds the row names."""
    frame, _ = read_frame(path, options)
    if options.transpose:
        from featrank.tables.transposed import from_transposed

        # pandas writes its index last, but feature names are expected first.
        order = sorted(range(frame.width), key=lambda place: frame.columns[place] != PANDAS_INDEX)
        transposed = frame[:, order]
        return from_transposed(transposed, transposed.columns, options)
    from featrank.tables.frames import from_frame, series_values
    from featrank.tables.samples import Samples

    if PANDAS_INDEX not in frame.columns:
        return from_frame(frame, options)
    ids = series_values(frame[PANDAS_INDEX])
    return from_frame(frame.drop(PANDAS_INDEX), options, samples=Samples(ids=ids, id_name=""))


def read_frame(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return a columnar file as a frame, and notes on how it was read."""
    return _frame(path), ()


def _frame(path: Path) -> pl.DataFrame:
    import polars as pl

    with _parsing(path):
        if path.suffix.lower() == ".parquet":
            return pl.read_parquet(path, glob=False, hive_partitioning=False)
        is_stream = _is_stream(path)
        # Opened again, as polars starts at the end of the system's buffer.
        with path.open("rb") as file:
            return pl.read_ipc_stream(file) if is_stream else pl.read_ipc(file)


def open(path: Path, options: ReadOptions) -> Source:
    """Open a columnar file. An Arrow stream in a file is read in order."""
    from featrank.sources.columnar_files import columnar_source
    from featrank.sources.streams import stream_file

    with _parsing(path):
        in_order = path.suffix.lower() != ".parquet" and _is_stream(path)
        return (stream_file if in_order else columnar_source)(path, options)


def write(path: Path, table: Table) -> None:
    """Write a columnar file."""
    import polars as pl

    from featrank.tables.frames import to_frame

    frame = to_frame(table)
    if path.suffix.lower() == ".parquet":
        frame.write_parquet(path)
    else:
        # Old Arrow readers know plain strings, but not string views.
        frame.write_ipc(path, compat_level=pl.CompatLevel.oldest())


@contextmanager
def _parsing(path: Path) -> Iterator[None]:
    kind = "Parquet" if path.suffix.lower() == ".parquet" else "Arrow or Feather"
    with parsing(path, kind), hide_panics():
        yield


def _is_stream(path: Path) -> bool:
    """Whether an Arrow file is a stream, which can only be read in order."""
    with path.open("rb") as file:
        return file.read(6) != b"ARROW1"
