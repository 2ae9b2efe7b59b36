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
from featrank.tables.format import Format, formats, module_of, require_options, suffixes
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

#: File extensions that :func:`read_table` knows.
READABLE = suffixes("read")

#: File extensions that :func:`write_table` knows.
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
    use_raw: bool | None = None,
    sep: str | None = None,
    decimal: str | None = None,
    na_values: str | Sequence[str] = (),
    sheet: str | None = None,
) -> Table:
    """Read a table from a file. The file extension determines the format.

    Parameters
    ----------
    path : str or path
        The file. ``READABLE`` lists the file extensions, in upper or lower case.
    target : str, optional
        Where the labels are. Its meaning depends on the format, see below. A column is given by
        its name, or by a position such as ``"-1"`` if no column has that name. A label file is
        ``.npy``, ``.cls`` of GenePattern, or ``.csv`` or ``.txt`` with one label per line.
    drop : sequence of str
        Names of columns to leave out. A string may hold several names separated by commas,
        unless a column has that very name.
    missing : {"error", "mean", "median", "knn", "keep"}
        How to handle missing values. "knn" fills them in from the five most similar samples,
        "keep" leaves them as NaN. A missing category cannot be averaged: with "mean" and
        "median" it becomes the most frequent category. Ties go to the first in sorted order.
    categorical : {"error", "ordinal", "onehot", "drop"}
        How to handle feature columns with strings, categories or dates: "ordinal" numbers
        the sorted values from 0, "onehot" makes a 0/1 column ``name=value`` of each value. A
        text column in which at least half of the cells are numbers always raises an error.
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
        How to handle several features with the same name, such as the probes of a gene: raise an
        error, or use the mean, the largest or the first of their values in each sample.
    names : str, optional
        If features are in rows (and in h5ad's var): the column with their names, instead of the
        first one. Features without a name there keep the one in the first column.
    symbols : str, optional
        The column of second names (``Table.symbols``). By default the first string column.
    labels : path, optional
        A sample sheet (delimited text, Excel or Parquet) with the columns ``target``, ``groups``
        and ``keep``, matched by the IDs of the samples. featrank warns about IDs that do not
        match, and leaves out samples without a label. Without a target or an ID column: a label
        file.
    id_column : str, optional
        The ID column of the sample sheet. By default the one that holds IDs, or the first. It is
        matched with the column of the same name in the table, or else with the IDs of the samples.
    max_missing : float
        Features with a larger share of missing values are left out.
    layer : str, optional
        For h5ad: the layer to read instead of X.
    use_raw : bool or None, default=None
        For h5ad: whether to read raw instead of X. By default raw is read if there is one and it
        does not hold counts.
    sep : str, optional
        For delimited files: the separator, such as ``";"``, ``"|"``, ``"tab"`` or ``"space"``. By
        default detected from the header and the first rows.
    decimal : {".", ","}, optional
        For delimited files: the decimal mark. By default detected. Thousands separators raise an
        error.
    na_values : str or sequence of str
        For delimited files and workbooks: more cells that mean a missing value, such as ``"-"``. A
        string may hold several, separated by commas. Sample sheets use them, too.
    sheet : str, optional
        For workbooks: the sheet to read. By default the first one with data.

    Returns
    -------
    Table
        Samples × features, all finite numbers. Arrays without names get ``x0``, ``x1``, ….
        IDs of the samples are not features. They are in ``Table.ids``. Row names are IDs, and so
        are strings that are all different, in a first column or under a name such as ``sample``.
        Integers are IDs under a name such as ``patient_id``.

    Raises
    ------
    UsageError
        The file, its extension, the target or a column to drop is unknown.
    DataError
        The file is damaged, or its data needs an option.

    Notes
    -----
    The formats, by file extension:

    .. reading: begin (make docs)

    - ``.arff``: the target is a column.
    - ``.csv``, ``.csv.gz``, ``.tsv``, ``.tsv.gz``: the target is a column.
    - ``.gct``, ``.gct.gz``: the target is an annotation of the samples (GCT 1.3).
    - ``.h5ad``: the target is a column of obs.
    - ``.mat``: the target is an array, a column or a label file (by default the array y, Y or
      labels).
    - ``.mtx``, ``.mtx.gz``: the target is a column of the barcodes next to it or a label file.
    - ``.npy``: the target is a column or a label file.
    - ``.npz``: the target is an array, a column or a label file (by default the array y, Y or
      labels).
    - ``.parquet``, ``.arrow``, ``.feather``, ``.ipc``: the target is a column.
    - ``.svmlight``, ``.svmlight.gz``, ``.libsvm``, ``.libsvm.gz``, ``.svm``: the labels are the
      first number of each line.
    - ``.xlsx``, ``.ods``: the target is a column.
    - ``series_matrix.txt``, ``series_matrix.txt.gz``, ``.txt``, ``.txt.gz``: the target is a
      characteristic of the samples or a column.

    .. reading: end

    In delimited files an empty cell and ``?``, ``NA``, ``N/A``, ``NaN``, ``null``, ``None`` and
    the like are missing values, in string columns too. Lines above the header that begin with
    ``#`` are comments. A first column whose header is empty holds row names, which are IDs and not
    a feature. So does the ``__index_level_0__`` that pandas writes into Parquet files.
    """
    options = dict(locals())
    return read_file(Path(options.pop("path")), ReadOptions(**options))


def read_file(path: Path, options: ReadOptions) -> Table:
    """Read a table from a file: :func:`read_table` with its options as an object."""
    _check_options(options)
    module = _module(path, "read")
    if options.labels is None and options.id_column is not None:
        raise UsageError("The ID column needs a sample sheet. Add `labels=...`.")
    _check_file(path)
    require_options(module.FORMAT, options, path.name)
    _check_transpose(path, module.FORMAT, options.transpose)
    table: Table = module.read(path, replace(options, file_name=path.name))
    return table


def write_table(path: str | os.PathLike[str], table: Table, *, safe_csv: bool = False) -> None:
    """Write a table to a file. The file extension determines the format.

    An existing file is replaced when the new one is complete, and keeps its permissions. A named
    pipe or a device is written to, not replaced.

    Parameters
    ----------
    path : str or path
        The file to write. ``WRITABLE`` lists the file extensions.
    table : Table
        The table to write. Formats without sparse storage get a dense ``X``.
    safe_csv : bool, default=False
        Whether to make names and strings in CSV and TSV files harmless for spreadsheets and
        terminals, like :func:`featrank.report.write`. Reading the file back does not undo this.

    Notes
    -----
    What a file holds besides ``X`` and the feature names, by file extension:

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
    """Raise an error if :func:`write_table` could not write this file."""
    path = Path(path)
    _module(path, "write")
    if not path.parent.is_dir():
        raise UsageError(f"The folder {str(path.parent)!r} does not exist. Create it first.")


def _check_options(options: ReadOptions) -> None:
    """Reject unknown values of options."""
    for name, kind, known in (
        ("missing", "missing values", MISSING),
        ("categorical", "categorical columns", CATEGORICAL),
        ("duplicates", "repeated names", DUPLICATES),
    ):
        value = getattr(options, name)
        if value not in known:
            raise UsageError(unknown_name(f"way to handle {kind}", value, known))
    if not 0 <= options.max_missing <= 1:
        raise UsageError(
            f"max_missing={options.max_missing} is not a fraction. Use `max_missing=0.2`, for "
            "example."
        )


def _check_transpose(path: Path, known: Format, transpose: bool) -> None:
    if transpose and not known.transposable:
        able = [suffix for each in formats("read") if each.transposable for suffix in each.suffixes]
        raise UsageError(
            f"{path.name!r} cannot be transposed, as the {known.names[0]} format says where "
            f"samples are. Leave out `transpose=True`, which is for {', '.join(able)}."
        )


def _module(path: Path, action: str) -> ModuleType:
    module = module_of(path, action)
    if module is not None:
        return module
    only = "read" if action == "write" else "read in chunks"
    why = f"its format can only be {only}" if module_of(path) else "its file extension is unknown"
    raise UsageError(
        f"Cannot {action} {str(path)!r}: {why}. Known extensions: {', '.join(suffixes(action))}."
    )


def _check_file(path: Path) -> None:
    if not path.exists():
        raise UsageError(f"The file {str(path)!r} does not exist. Check the path.")
    if path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder. Give a file.")
    if not path.is_file():
        raise UsageError(
            f"{str(path)!r} is a pipe or a device, but featrank reads tables more than once. Save "
            "the data to a file first."
        )
    if not os.access(path, os.R_OK):
        raise UsageError(f"{str(path)!r} cannot be read. Check its permissions.")
    if path.stat().st_size == 0:
        raise DataError(f"{str(path)!r} is empty. Give a file with a table.")
