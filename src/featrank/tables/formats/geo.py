"""GEO series matrix files, plain or gzipped; other text files are tables with tabs."""

from pathlib import Path

from ..format import Format
from ..table import Options, Table, parsing

FORMAT = Format(
    names=("GEO series matrix", "text with tabs"),
    suffixes=("series_matrix.txt", "series_matrix.txt.gz", ".txt", ".txt.gz"),
    target="a characteristic or another line about the samples; in text with tabs a column",
)

_KIND = "a GEO series matrix"


def read(path: Path, options: Options) -> Table:
    """Read a series as samples × features; a file that is not GEO's is read like a ``.tsv``."""
    from ..geo_text import ACCESSION, is_geo, read_series
    from ..prepare import from_matrix
    from ..samples import Samples
    from ..second_names import names_and_symbols

    with parsing(path, _KIND):
        geo = is_geo(path)
    if not geo:
        from . import delimited

        return delimited.read(path, options)
    with parsing(path, _KIND):
        series = read_series(path)
    names, symbols = names_and_symbols({"ID_REF": series.features}, options)
    samples = Samples.of(series.annotations, series.ids, id_name=ACCESSION, lenient=True)
    return from_matrix(series.X, names, None, None, options, samples=samples, symbols=symbols)
