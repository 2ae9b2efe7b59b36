"""Tables from files: one reader and one writer a format, chosen by the suffix of the name.

``read`` gives a :class:`Table` (numeric ``X``, feature names, labels); ``write`` saves one.
A format is a module of ``formats/``, which declares what it is; what reads and writes is imported
when a file comes along, not before.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ..exceptions import DataError, UsageError, unknown_name
from ..files import replacing
from . import formats
from .columns import check_unique
from .format import Format
from .table import CATEGORICAL, MISSING, Categorical, Missing, Options, Table

__all__ = ["READABLE", "WRITABLE", "Format", "Table", "read", "require_writable", "write"]

#: Suffixes that :func:`read` knows.
READABLE = tuple(suffix for known in formats.known() for suffix in known.suffixes)

#: Suffixes that :func:`write` knows.
WRITABLE = tuple(
    suffix for known in formats.known() if known.writes is not None for suffix in known.suffixes
)


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
        Where the labels are; what it names depends on the format, see below. A column goes by its
        name, or by a position such as ``"-1"`` if no column has that very name. A file of labels
        is ``.npy``, or ``.csv`` or ``.txt`` with one label a line.
    drop : sequence of str
        Names of columns to leave out; a text may hold several, with commas between them, if no
        column has that very name.
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
    The formats, by their suffixes:

    .. reading: begin (make docs)

    - ``.arff``: the target is a column.
    - ``.csv``, ``.csv.gz``, ``.tsv``, ``.tsv.gz``: the target is a column.
    - ``.h5ad``: the target is a column of obs.
    - ``.mat``: the target is an array, a column or a file of labels; without one, the labels are
      the array y, Y or labels.
    - ``.npy``: the target is a column or a file of labels.
    - ``.npz``: the target is an array, a column or a file of labels; without one, the labels are
      the array y, Y or labels.
    - ``.parquet``, ``.arrow``, ``.feather``, ``.ipc``: the target is a column.
    - ``.svmlight``, ``.svmlight.gz``, ``.libsvm``, ``.libsvm.gz``, ``.svm``: the labels are the
      first number of each line.

    .. reading: end

    In CSV and TSV files an empty cell and ``?``, ``NA``, ``N/A``, ``NaN``, ``null``, ``None`` and
    the like are missing values, in text columns too. A first column whose header is empty
    holds row names, and is left out; so is the ``__index_level_0__`` that pandas writes into
    Parquet files.
    """
    path = Path(path)
    options = _options(target, drop, missing, categorical)
    module = _module(path, "read", READABLE)
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
        What to write. Formats without sparse storage get a dense ``X``.

    Notes
    -----
    What a file holds besides ``X`` and the names of the features, by its suffix:

    .. writing: begin (make docs)

    - ``.arff``: the labels as the last column.
    - ``.csv``, ``.csv.gz``, ``.tsv``, ``.tsv.gz``: the labels as the last column.
    - ``.h5ad``: the labels as a column of obs.
    - ``.mat``: the labels as the array y.
    - ``.npy``: X alone; no labels and no names.
    - ``.npz``: the labels as the array y.
    - ``.parquet``, ``.arrow``, ``.feather``, ``.ipc``: the labels as the last column.
    - ``.svmlight``, ``.svmlight.gz``, ``.libsvm``, ``.libsvm.gz``, ``.svm``: the labels, which must
      be numbers, first on each line; no names.

    .. writing: end
    """
    path = Path(path)
    module = _module(path, "write", WRITABLE)
    check_unique([*table.feature_names, *([table.label] if table.y is not None else [])])
    try:
        with replacing(path) as temporary:
            module.write(temporary, table)
    except OSError as error:
        raise UsageError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error


def require_writable(path: str | os.PathLike[str]) -> None:
    """Refuse, before work begins, a file that :func:`write` could not write here."""
    path = Path(path)
    _module(path, "write", WRITABLE)
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r} to write to. Create it first.")


def _options(target: object, drop: Sequence[str], missing: str, categorical: str) -> Options:
    for kind, value, known in (
        ("way to treat missing values", missing, MISSING),
        ("way to treat categorical columns", categorical, CATEGORICAL),
    ):
        if value not in known:
            raise UsageError(unknown_name(kind, value, known))
    names = (drop,) if isinstance(drop, str) else tuple(drop)
    return Options(None if target is None else str(target), names, missing, categorical)


def _module(path: Path, action: str, suffixes: tuple[str, ...]) -> ModuleType:
    module = formats.module_of(path)
    if module is not None and path.name.lower().endswith(suffixes):
        return module
    why = "names no known format" if module is None else "is of a format that is only read"
    raise UsageError(
        f"Cannot {action} {str(path)!r}: its suffix {why}. Known suffixes: {', '.join(suffixes)}."
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
