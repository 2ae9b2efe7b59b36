"""Tables in files, read and written in the format that the file extension names.

``read_table`` returns a :class:`Table` (numeric ``X``, feature names, labels), ``write_table``
saves one. Each format is a module of ``formats/``, whose heavy packages are imported when a file
of that format is read or written.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from featrank._utils.atomic_files import replacing
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.columns import check_unique
from featrank.tables.format import Format, formats, module_of, suffixes
from featrank.tables.options import (
    CATEGORICAL,
    DUPLICATES,
    MISSING,
    Categorical,
    Duplicates,
    Missing,
    ReadOptions,
)
from featrank.tables.table import Table

__all__ = [
    "READABLE",
    "WRITABLE",
    "Format",
    "Table",
    "read_table",
    "require_writable",
    "write_table",
]

#: Suffixes that :func:`read_table` knows.
READABLE = suffixes("read")

#: Suffixes that :func:`write_table` knows.
WRITABLE = suffixes("write")


def read_table(
    path: str | os.PathLike[str],
    *,
    target: str | None = None,
    drop: Sequence[str] = (),
    missing: Missing = "error",
    categorical: Categorical = "error",
    transpose: bool = False,
    keep: str | Sequence[str] = (),
    groups: str | None = None,
    duplicates: Duplicates = "error",
    names: str | None = None,
    symbols: str | None = None,
    labels: str | os.PathLike[str] | None = None,
    id_column: str | None = None,
    max_missing: float = 1.0,
    layer: str | None = None,
    use_raw: bool = False,
) -> Table:
    """Read a table from a file. The file extension determines the format.

    Parameters
    ----------
    path : str or path
        The file; see ``READABLE`` for the suffixes (upper or lower case).
    target : str, optional
        Where the labels are. Its meaning depends on the format, see below. A column is given by
        its name, or by a position such as ``"-1"`` if no column has that name. A file of labels
        is ``.npy``, or ``.csv`` or ``.txt`` with one label per line.
    drop : sequence of str
        Names of columns to leave out. A string may hold several names separated by commas,
        unless a column has that very name.
    missing : {"error", "mean", "median", "knn", "keep"}
        What to do about missing values; "knn" fills them from the five most similar samples,
        "keep" leaves them as NaN. A missing category cannot be averaged: with "mean" and
        "median" it becomes the most frequent category (the first in order, if several are).
    categorical : {"error", "ordinal", "onehot", "drop"}
        What to do about feature columns with strings, categories or dates: "ordinal" numbers
        the sorted values from 0, "onehot" makes a 0/1 column ``name=value`` of each value.
    transpose : bool
        Whether the file has its features in rows and its samples in columns. The first column
        then names the features, and other string columns describe them. A row of strings, such
        as the classes, can be the target. Formats that always have features in rows do not need
        this option.
    keep : str or sequence of str
        Non-feature columns to keep (``Table.kept``).
    groups : str, optional
        Column that says which samples belong together (``Table.groups``). It is not a feature.
    duplicates : {"error", "mean", "max", "first"}
        How to handle several features of one name, such as the probes of a gene: raise an error,
        or use the mean of their values in each sample, the largest, or that of the first.
    names : str, optional
        If features are in rows (and in h5ad's var): the column with their names, instead of the
        first one. Features without a name there keep the one in the first column.
    symbols : str, optional
        The column of second names (``Table.symbols``). By default the first string column.
    labels : path, optional
        A sample sheet, CSV or Parquet, from which ``target``, ``groups`` and ``keep`` are taken
        by the ids of the samples. featrank warns about ids that do not match, and leaves out
        samples without a label. Without a target or an id column: a file with one label per line.
    id_column : str, optional
        The id column of that sheet. By default the one that holds ids, or the first. It is
        matched with the column of the same name in the table, or else with the ids of the samples.
    max_missing : float
        Features with a larger share of missing values are left out.
    layer : str, optional
        For h5ad: the layer to read instead of X.
    use_raw : bool
        For h5ad: whether to read raw instead of X.

    Returns
    -------
    Table
        Samples × features, all finite numbers. Arrays without names get ``x0``, ``x1``, ….
        Ids of the samples are not features, but in ``Table.ids``. Row names are ids, and so are
        strings that are all different, in a first column or under a name such as ``sample``.
        Integers are ids under a name such as ``patient_id``.

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
    - ``.gct``, ``.gct.gz``: the target is an annotation of the samples (GCT 1.3).
    - ``.h5ad``: the target is a column of obs.
    - ``.mat``: the target is an array, a column or a file of labels; without one, the labels are
      the array y, Y or labels.
    - ``.mtx``, ``.mtx.gz``: the target is a column of the barcodes beside it or a file of labels.
    - ``.npy``: the target is a column or a file of labels.
    - ``.npz``: the target is an array, a column or a file of labels; without one, the labels are
      the array y, Y or labels.
    - ``.parquet``, ``.arrow``, ``.feather``, ``.ipc``: the target is a column.
    - ``.svmlight``, ``.svmlight.gz``, ``.libsvm``, ``.libsvm.gz``, ``.svm``: the labels are the
      first number of each line.
    - ``series_matrix.txt``, ``series_matrix.txt.gz``, ``.txt``, ``.txt.gz``: the target is a
      characteristic of the samples or a column.

    .. reading: end

    In CSV and TSV files an empty cell and ``?``, ``NA``, ``N/A``, ``NaN``, ``null``, ``None`` and
    the like are missing values, in string columns too. A first column whose header is empty
    holds row names, which are ids and no feature; so does the ``__index_level_0__`` that pandas
    writes into Parquet files.
    """
    options = dict(locals())
    return read_file(Path(options.pop("path")), ReadOptions(**options))


def read_file(path: Path, options: ReadOptions) -> Table:
    """Read a table from a file: :func:`read_table` with its options as an object."""
    _check_options(options)
    module = _module(path, "read")
    if options.labels is None and options.id_column is not None:
        raise UsageError(
            "The key of labels needs the sheet that they are in: --labels FILE (labels=)."
        )
    _check_file(path)
    _check_transpose(path, module.FORMAT, options.transpose)
    table: Table = module.read(path, replace(options, file_name=path.name))
    return table


def write_table(path: str | os.PathLike[str], table: Table, *, safe_csv: bool = False) -> None:
    """Write a table in the format that the suffix of ``path`` names.

    The file appears whole or not at all: an existing one is kept until the new one is complete,
    which has the same permissions. A named pipe or a device is written to, not replaced.

    Parameters
    ----------
    path : str or path
        Where to; see ``WRITABLE`` for the suffixes.
    table : Table
        What to write. Formats without sparse storage get a dense ``X``.
    safe_csv : bool, default=False
        Whether names and strings in CSV and TSV files are made harmless for spreadsheets and
        terminals, as by :func:`featrank.report.write`. Reading the file back does not undo this.

    Notes
    -----
    What a file holds besides ``X`` and the names of the features, by its suffix:

    .. writing: begin (make docs)

    - ``.arff``: the labels as the last column; no ids.
    - ``.csv``, ``.csv.gz``, ``.tsv``, ``.tsv.gz``: ids first, the labels as the last column.
    - ``.gct``, ``.gct.gz``: GCT 1.2; no labels.
    - ``.h5ad``: ids as names of obs, the labels as a column of it.
    - ``.mat``: the labels as the array y, ids as sample_ids.
    - ``.npy``: X alone; no labels and no names and no ids.
    - ``.npz``: the labels as the array y, ids as sample_ids.
    - ``.parquet``, ``.arrow``, ``.feather``, ``.ipc``: ids first, the labels as the last column.
    - ``.svmlight``, ``.svmlight.gz``, ``.libsvm``, ``.libsvm.gz``, ``.svm``: the labels, which must
      be numbers, first on each line; no names and no ids.

    .. writing: end
    """
    path = Path(path)
    module = _module(path, "write")
    if safe_csv and hasattr(module, "safe"):
        table = module.safe(table)
    labels = [table.label] if table.y is not None else []
    check_unique([*table.sample_columns, *table.feature_names, *labels])
    try:
        with replacing(path) as temporary:
            module.write(temporary, table)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UsageError(f"Cannot write {str(path)!r}: {error.strerror or error}.") from error


def require_writable(path: str | os.PathLike[str]) -> None:
    """Refuse, before work begins, a file that :func:`write_table` could not write here."""
    path = Path(path)
    _module(path, "write")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r} to write to. Create it first.")


def _check_options(options: ReadOptions) -> None:
    """Refuse unknown ways to handle missing values, categorical columns and repeated names."""
    for name, kind, known in (
        ("missing", "missing values", MISSING),
        ("categorical", "categorical columns", CATEGORICAL),
        ("duplicates", "repeated names", DUPLICATES),
    ):
        value = getattr(options, name)
        if value not in known:
            raise UsageError(unknown_name(f"way to treat {kind}", value, known))
    if not 0 <= options.max_missing <= 1:
        raise UsageError(
            f"max_missing={options.max_missing} is no share. Give a number from 0 to 1."
        )


def _check_transpose(path: Path, known: Format, transpose: bool) -> None:
    if transpose and not known.transposable:
        able = [suffix for each in formats("read") if each.transposable for suffix in each.suffixes]
        raise UsageError(
            f"{path.name!r} cannot be turned (--transpose): a {known.names[0]} file has its "
            f"samples where its format says. Only these are turned: {', '.join(able)}."
        )


def _module(path: Path, action: str) -> ModuleType:
    module = module_of(path, action)
    if module is not None:
        return module
    only = "read" if action == "write" else "read in chunks"
    why = f"is of a format that is only {only}" if module_of(path) else "names no known format"
    raise UsageError(
        f"Cannot {action} {str(path)!r}: its suffix {why}. Known suffixes: "
        f"{', '.join(suffixes(action))}."
    )


def _check_file(path: Path) -> None:
    if not path.exists():
        raise UsageError(f"There is no file {str(path)!r}. Check the path.")
    if path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder. Give a file.")
    if not path.is_file():
        raise UsageError(
            f"{str(path)!r} is a pipe or a device, and tables are read more than once. Store the "
            "data in a file first."
        )
    if not os.access(path, os.R_OK):
        raise UsageError(f"{str(path)!r} may not be read. Check its permissions.")
    if path.stat().st_size == 0:
        raise DataError(f"{str(path)!r} is empty. A table was expected.")
