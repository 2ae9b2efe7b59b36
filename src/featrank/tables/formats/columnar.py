"""Parquet, Arrow and Feather files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..columns import PANDAS_INDEX
from ..format import Format
from ..table import Options, Table, parsing

if TYPE_CHECKING:
    import polars as pl

FORMAT = Format(
    names=("Parquet", "Arrow", "Feather"),
    suffixes=(".parquet", ".arrow", ".feather", ".ipc"),
    writes="the labels as the last column",
)


def read(path: Path, options: Options) -> Table:
    """Read a columnar file; the index that pandas may have added is left out."""
    from ..prepare import from_frame

    if path.suffix.lower() == ".parquet":
        with parsing(path, "Parquet"):
            frame = _parquet(path)
    else:
        with parsing(path, "Arrow or Feather"):
            frame = _arrow(path)
    if PANDAS_INDEX in frame.columns:
        frame = frame.drop(PANDAS_INDEX)
    return from_frame(frame, options)


def write(path: Path, table: Table) -> None:
    """Write a columnar file."""
    from ..prepare import to_frame

    frame = to_frame(table)
    if path.suffix.lower() == ".parquet":
        frame.write_parquet(path)
    else:
        # Old Arrow readers know plain strings, but not string views.
        frame.write_ipc(path, compat_level=_oldest())


def _parquet(path: Path) -> pl.DataFrame:
    import polars as pl

    return pl.read_parquet(path, glob=False, hive_partitioning=False)


def _arrow(path: Path) -> pl.DataFrame:
    import polars as pl

    with open(path, "rb") as file:
        is_file_format = file.read(6) == b"ARROW1"
    # Opened again, since polars starts where the system's buffer ended, not where Python stands.
    with open(path, "rb") as file:
        return pl.read_ipc(file) if is_file_format else pl.read_ipc_stream(file)


def _oldest() -> pl.CompatLevel:
    import polars as pl

    return pl.CompatLevel.oldest()
