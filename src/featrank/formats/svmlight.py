"""Svmlight (libsvm) files, plain or gzipped: sparse, the label first on each line."""

from pathlib import Path
from typing import Any

from featrank.exceptions import DataError, UsageError
from featrank.tables.columns import default_names
from featrank.tables.format import Format
from featrank.tables.memory_check import require_shape
from featrank.tables.opening import NoText, opened, opened_text
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table, parsing

FORMAT = Format(
    names=("svmlight", "libsvm"),
    suffixes=(".svmlight", ".svmlight.gz", ".libsvm", ".libsvm.gz", ".svm"),
    target=None,
    labels="the first number of each line",
    writes="the labels, which must be numbers, first on each line",
    loses=("names", "ids"),
)

_LABEL = "label"


def read(path: Path, options: ReadOptions) -> Table:
    """Read sparse rows. Column numbers may start from 0 or from 1."""
    from sklearn.datasets import load_svmlight_file

    from featrank.tables.labels import whole_numbers
    from featrank.tables.prepare import from_matrix
    from featrank.tables.svmlight_lines import SvmlightLines

    target = options.file_target
    if target not in (None, _LABEL):
        raise UsageError(
            f"An svmlight file has no target {target!r}, as the label is first on each line. Leave "
            "out `target`."
        )
    with parsing(path, "svmlight"), opened_text(path) as file:
        lines = SvmlightLines(file)
        try:
            X, y = load_svmlight_file(lines)
        except (NoText, DataError):
            raise
        except (ValueError, OverflowError) as error:
            raise ValueError(lines.fault() or str(error)) from error
        lines.check_end(path)
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise DataError(f"{str(path)!r} has no samples. Write lines as 'label index:value …'.")
    require_shape(X.shape, path)
    return from_matrix(X, default_names(X.shape[1]), whole_numbers(y), _LABEL, options)


def write(path: Path, table: Table) -> None:
    """Write sparse rows with columns numbered from 1. The labels must be numbers."""
    from sklearn.datasets import dump_svmlight_file

    if table.y is None or table.y.dtype.kind not in "biuf":
        found = "no labels" if table.y is None else f"labels of type {table.y.dtype}"
        raise UsageError(
            f"An svmlight file needs numbers as labels, but the table has {found}. Choose another "
            "format, such as .npz."
        )
    with opened(path, "wb") as file:
        dump_svmlight_file(_with_last_column(table.X), table.y, file, zero_based=False)


def _with_last_column(X: Any) -> Any:
    """Return sparse X with its last cell stored even if 0, as readers count columns by it."""
    import numpy as np
    from scipy.sparse import coo_matrix, csr_matrix

    entries = coo_matrix(X)
    n_rows, n_columns = X.shape
    if (entries.col == n_columns - 1).any():
        return entries.tocsr()
    rows = np.append(entries.row, n_rows - 1)
    columns = np.append(entries.col, n_columns - 1)
    return csr_matrix((np.append(entries.data, 0), (rows, columns)), shape=X.shape)
