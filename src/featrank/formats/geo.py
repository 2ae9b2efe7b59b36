"""GEO series matrix files, plain or gzipped; other .txt files are tab-separated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.exceptions import UsageError
from featrank.formats import delimited
from featrank.tables.format import Format
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

if TYPE_CHECKING:
    import polars as pl

FORMAT = Format(
    names=("GEO series matrix", "text with tabs"),
    suffixes=("series_matrix.txt", "series_matrix.txt.gz", ".txt", ".txt.gz"),
    target="a characteristic of the samples or a column",
    transposable=True,
    options=("sep", "decimal", "na_values"),
)

_KIND = "a GEO series matrix"


def read(path: Path, options: ReadOptions) -> Table:
    """Read a series as samples × features. Files that are not from GEO are read as ``.tsv``."""
    from featrank.tables.geo_text import ACCESSION, read_series
    from featrank.tables.prepare import from_matrix
    from featrank.tables.samples import Samples
    from featrank.tables.symbols import names_and_symbols

    if not _is_geo(path):
        return delimited.read(path, options)
    if options.transpose:
        raise UsageError(
            f"{path.name!r} is a GEO series matrix, which is always transposed. Leave out "
            "`transpose=True`."
        )
    with parsing(path, _KIND):
        series = read_series(path)
    names, symbols = names_and_symbols({"ID_REF": series.features}, options)
    samples = Samples.of(series.annotations, series.ids, id_name=ACCESSION)
    return from_matrix(series.X, names, None, None, options, samples=samples, symbols=symbols)


def read_frame(path: Path, options: ReadOptions) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the annotations of the samples, to be joined to another table by IDs, and notes."""
    import polars as pl

    from featrank.tables.geo_text import read_annotations

    if not _is_geo(path):
        return delimited.read_frame(path, options)
    with parsing(path, _KIND):
        found = read_annotations(path)
    return pl.DataFrame([pl.Series(name, list(values)) for name, values in found.items()]), ()


def _is_geo(path: Path) -> bool:
    from featrank.tables.geo_text import is_geo

    with parsing(path, _KIND):
        return is_geo(path)
