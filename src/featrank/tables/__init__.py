"""Tables from files: one reader and one writer a format, chosen by the suffix of the name.

``read`` gives a :class:`Table` (numeric ``X``, feature names, labels); ``write`` saves one.
The module of a format is imported when a file of that format comes along, not before.
"""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ..exceptions import DataError, UsageError, unknown_name
from ..files import replacing
from .columns import check_unique
from .table import CATEGORICAL, MISSING, Categorical, Missing, Options, Table

__all__ = ["READABLE", "WRITABLE", "Table", "read", "write"]

_MODULES = {
    ".csv": "delimited",
    ".csv.gz": "delimited",
    ".tsv": "delimited",
    ".tsv.gz": "delimited",
    ".parquet": "columnar",
    ".arrow": "columnar",
    ".feather": "columnar",
    ".ipc": "columnar",
    ".npz": "numpy_arrays",
    ".npy": "numpy_arrays",
    ".mat": "matlab",
    ".arff": "arff",
    ".svmlight": "svmlight",
    ".svmlight.gz": "svmlight",
    ".libsvm": "svmlight",
    ".libsvm.gz": "svmlight",
    ".svm": "svmlight",
    ".h5ad": "h5ad",
}

#: Suffixes that :func:`read` knows.
READABLE = tuple(_MODULES)

#: Suffixes that :func:`write` knows.
WRITABLE = tuple(_MODULES)


def read(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    drop: Sequence[str] = (),
    missing: Missing = "error",
    categorical: Categorical = "error",
) -> Table:
    """Read a table from a file whose suffix names its format.

    Parameters
    ----------
    path : str or path
        The file; see ``READABLE`` for the suffixes (upper or lower case).
    target : str, optional
        Where the labels are. A column (CSV, TSV, Parquet, Arrow, ARFF), an ``obs`` column
        (h5ad), or an array (npz, mat; ``y``, ``Y`` or ``labels`` when left out). Where the data
        has columns, a position such as ``"-1"`` works too, if no column has that very name. For
        npy, npz and mat it may be a file of labels (``.npy``; ``.csv`` or ``.txt`` with one
        label a line). In svmlight files the label is part of each line.
    drop : sequence of str
        Names of columns to leave out.
    missing : {"error", "mean", "median", "keep"}
        What to do about missing values; "keep" leaves them as NaN. A missing category cannot
        be averaged: with "mean" and "median" it becomes the most frequent category (the first
        in order, if several are).
    categorical : {"error", "ordinal", "onehot", "drop"}
        What to do about feature columns that hold text, categories or dates: "ordinal" numbers
        the sorted values from 0, "onehot" makes a 0/1 column ``name=value`` of each value.

    Returns
    -------
    Table
        Samples × features, all finite numbers. Arrays without names get ``x0``, ``x1``, ….

    Raises
    ------
    UsageError
        The file, its suffix, the target or a column to drop is unknown.
    DataError
        The file is broken or its data cannot be used as it is.

    Notes
    -----
    In CSV and TSV files an empty cell and ``?``, ``NA``, ``N/A``, ``NaN``, ``null``, ``None`` and
    the like are missing values, in text columns too. A first column whose header is empty
    holds row names, and is left out; so is the ``__index_level_0__`` that pandas writes into
    Parquet files.
    """
    path = Path(path)
    options = _options(target, drop, missing, categorical)
    module = _module(path, "read")
    _check_file(path)
    table: Table = module.read(path, options)
    return table


def write(path: str | os.PathLike[str], table: Table) -> None:
    """Write a table in the format that the suffix of ``path`` names.

    The file appears whole or not at all: an existing one is kept until the new one is complete.

    Parameters
    ----------
    path : str or path
        Where to; see ``WRITABLE`` for the suffixes.
    table : Table
        What to write. The labels become the last column (CSV, TSV, Parquet, Arrow, ARFF), the
        array ``y`` (npz, mat), an ``obs`` column (h5ad) or the labels of the lines (svmlight).
        A ``.npy`` file holds ``X`` alone: neither labels nor names fit in it. Svmlight files
        have no names either. Formats without sparse storage get a dense ``X``.
    """
    path = Path(path)
    module = _module(path, "write")
    check_unique([*table.feature_names, *([table.label] if table.y is not None else [])])
    try:
        with replacing(path) as temporary:
            module.write(temporary, table)
    except OSError as error:
        raise UsageError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error


def _options(target: object, drop: Sequence[str], missing: str, categorical: str) -> Options:
    for kind, value, known in (
        ("way to treat missing values", missing, MISSING),
        ("way to treat categorical columns", categorical, CATEGORICAL),
    ):
        if value not in known:
            raise UsageError(unknown_name(kind, value, known))
    names = (drop,) if isinstance(drop, str) else tuple(drop)
    return Options(None if target is None else str(target), names, missing, categorical)


def _module(path: Path, action: str) -> ModuleType:
    name = path.name.lower()
    for suffix, module in _MODULES.items():
        if name.endswith(suffix):
            return import_module(f"{__name__}.{module}")
    raise UsageError(
        f"Cannot {action} {str(path)!r}: its suffix names no known format. "
        f"Known suffixes: {', '.join(_MODULES)}."
    )


def _check_file(path: Path) -> None:
    if not path.exists():
        raise UsageError(f"There is no file {str(path)!r}. Check the path.")
    if path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder. Give a file.")
    if not os.access(path, os.R_OK):
        raise UsageError(f"{str(path)!r} may not be read. Check its permissions.")
    if path.stat().st_size == 0:
        raise DataError(f"{str(path)!r} is empty. A table was expected.")
