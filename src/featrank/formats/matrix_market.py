"""Matrix Market files, plain or gzipped, with the lists of cells and genes that 10x adds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.exceptions import UsageError, unknown_name
from featrank.tables.columns import default_names, find_column
from featrank.tables.format import Format
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

if TYPE_CHECKING:
    from featrank.tables.matrix_lists import Listed
    from featrank.tables.samples import Samples

FORMAT = Format(
    names=("Matrix Market",),
    suffixes=(".mtx", ".mtx.gz"),
    target="a column of the barcodes next to it or a label file",
)

_KIND = "Matrix Market"
_ID = "barcode"
_ABOUT = ("id", "symbol", "type")


def read(path: Path, options: ReadOptions) -> Table:
    """Read a sparse matrix as samples × features. Its lists decide whether it is transposed."""
    from featrank.tables.matrix_lists import find_list, orientation
    from featrank.tables.matrix_text import read_matrix, shape_of

    with parsing(path, _KIND):
        shape = shape_of(path)
    barcodes, genes = find_list(path, ["barcodes"]), find_list(path, ["features", "genes"])
    transposed = orientation(shape, barcodes, genes, path)
    with parsing(path, _KIND):
        X = read_matrix(path, transposed)
    samples = _samples(barcodes, X.shape[0])
    about = {_ABOUT[0]: default_names(X.shape[1])}
    if genes is not None:
        about = genes.columns(X.shape[1], _ABOUT)
    table = _table(X, about, samples, path, options)
    return replace(table, notes=(*_types(about), *table.notes))


def _samples(barcodes: Listed | None, n_samples: int) -> Samples:
    from featrank.tables.feature_rows import annotation
    from featrank.tables.samples import Samples

    if barcodes is None:
        return Samples()
    columns = barcodes.columns(n_samples, [_ID])
    ids = columns.pop(next(iter(columns)))
    annotations = {name: annotation(cells) for name, cells in columns.items()}
    return Samples.of(annotations, ids, id_name=_ID)


def _table(
    X: Any, about: dict[str, list[str]], samples: Samples, path: Path, options: ReadOptions
) -> Table:
    from featrank.tables.labels import find_label_file, read_label_file
    from featrank.tables.prepare import from_matrix
    from featrank.tables.symbols import names_and_symbols

    names, symbols = names_and_symbols(about, options, next(iter([*about][1:]), None))
    target = options.file_target
    if target is None or find_column(samples.names, target) is not None:
        return from_matrix(X, names, None, None, options, samples=samples, symbols=symbols)
    file = find_label_file(target, data_file=path)
    if file is None:
        raise UsageError(
            f"{unknown_name('target', target, samples.names)} No file has that name either."
        )
    y = read_label_file(file, X.shape[0])
    return from_matrix(X, names, y, file.stem, options, samples=samples, symbols=symbols)


def _types(about: dict[str, list[str]]) -> tuple[str, ...]:
    """Return a note on features of several types, such as genes and antibodies."""
    counts = Counter(about.get(_ABOUT[2], ()))
    if len(counts) < 2:
        return ()
    parts = ", ".join(f"{count} of {kind!r}" for kind, count in counts.most_common())
    return (f"The features are of {len(counts)} types ({parts}) and are ranked together.",)
