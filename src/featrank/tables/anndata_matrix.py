"""Which matrix of an AnnData is ranked: X, a layer or raw. One rule for objects and for files.

A layer is ranked if one is named. Otherwise raw is ranked if there is one, as scanpy does it, but
not if raw holds counts, which have to be normalised first. In all other cases X is ranked.
``use_raw=True`` and ``use_raw=False`` overrule this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.tables.columns import listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The part of a matrix that shows what its values are: blocks of rows, and stored values if sparse.
_BLOCKS, _ROWS, _COLUMNS, _STORED = 4, 250, 500, 2**17
# Scaled columns have means near 0, in units of their standard deviation. Rows that come in order
# of their class move the means of single columns, so that half of the columns decide.
_CENTRED = 0.5
# Log-normalised counts of cells have zeros, and no logarithm of a count is this large.
_ZEROS, _LARGEST_LOG = 0.1, 30


@dataclass(frozen=True)
class Matrices:
    """The matrices of an AnnData, in memory or in a file.

    Attributes
    ----------
    name : str
        What messages call the AnnData.
    X, raw : matrix or None
        Dense or sparse, in memory or as the dataset or group of a file. None if there is none.
    layers : sequence of str
        The names of the layers.
    is_log1p : bool or None
        Whether scanpy recorded natural logarithms, ``log(1 + x)``. None without a record.
    """

    name: str
    X: Any
    raw: Any
    layers: Sequence[str]
    is_log1p: bool | None


@dataclass(frozen=True)
class MatrixChoice:
    """The matrix that is ranked.

    Attributes
    ----------
    layer : str or None
        The layer, if one is ranked.
    use_raw : bool
        Whether raw is ranked.
    values : str
        The scale of its values for fold changes: "log1p", "none" if it is scaled, or "auto".
    notes : tuple of str
        A sentence on the choice, if there was one.
    """

    layer: str | None
    use_raw: bool
    values: str = "auto"
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the matrix."""
        return "raw" if self.use_raw else "X" if self.layer is None else f"layer {self.layer!r}"


def choose_matrix(have: Matrices, layer: str | None, use_raw: bool | None) -> MatrixChoice:
    """Return the matrix to rank, by the rule of this module."""
    _check_request(have, layer, use_raw)
    if layer is not None:
        return MatrixChoice(layer, False)
    ranks_raw = _prefers_raw(have) if use_raw is None else use_raw
    is_scaled = have.X is not None and looks_scaled(have.X)
    notes = () if have.X is None or have.raw is None else (_note(have, ranks_raw, is_scaled),)
    if is_scaled and not ranks_raw:
        return MatrixChoice(None, False, "none", notes)
    values = _value_scale(have, have.raw if ranks_raw else have.X)
    return MatrixChoice(None, ranks_raw, values, notes)


def _prefers_raw(have: Matrices) -> bool:
    return have.raw is not None and (have.X is None or not holds_counts(have.raw))


def matrices_of(adata: Any, name: str = "the AnnData") -> Matrices:
    """Return the matrices of an AnnData in memory."""
    raw = None if adata.raw is None else adata.raw.X
    record = adata.uns.get("log1p")
    is_log1p = None if record is None else record.get("base") is None
    return Matrices(name, adata.X, raw, list(adata.layers), is_log1p)


def matrix_in(adata: Any, choice: MatrixChoice) -> Any:
    """Return the chosen matrix of an AnnData."""
    if choice.layer is not None:
        return adata.layers[choice.layer]
    return (adata.raw if choice.use_raw else adata).X


def _check_request(have: Matrices, layer: str | None, use_raw: bool | None) -> None:
    if layer is not None and use_raw:
        raise UsageError("`layer` and `use_raw=True` name two matrices. Use only one.")
    if layer is not None and layer not in have.layers:
        raise UsageError(unknown_name(f"layer of {have.name}", layer, list(have.layers)))
    if use_raw and have.raw is None:
        raise UsageError(f"{have.name} has no raw. Leave out `use_raw` to rank X.")
    if layer is None and have.X is None and (have.raw is None or use_raw is False):
        raise DataError(
            f"{have.name} has no X. Use `layer=...`. Its layers are: "
            f"{listed([repr(name) for name in have.layers]) or 'none'}."
        )


def _note(have: Matrices, use_raw: bool, is_scaled: bool) -> str:
    n_raw, n_main = (_n_genes(matrix) for matrix in (have.raw, have.X))
    scaled = ", which look scaled" if is_scaled else ""
    if use_raw:
        return f"Ranked the values in raw ({n_raw}), not those in X ({n_main}){scaled}."
    counts = ", which are counts" if holds_counts(have.raw) else ""
    return f"Ranked the values in X ({n_main}){scaled}, not those in raw ({n_raw}){counts}."


def _n_genes(matrix: Any) -> str:
    shape = getattr(matrix, "shape", None)
    if shape is None:  # a sparse matrix in a file
        shape = matrix.attrs.get("shape", matrix.attrs.get("h5sparse_shape", (0, 0)))
    return f"{int(shape[1]):,} genes"


def scaled_warning(values: str, use_raw: bool | None) -> str | None:
    """Return a warning for fold changes if scaled values are ranked, and nobody asked for them."""
    if values != "none" or use_raw is not None:
        return None
    return (
        "X looks scaled, with column means near 0, so fold changes cannot be computed. Store "
        "log-normalised counts as a layer and rank those: `layer=...`."
    )


def looks_scaled(matrix: Any) -> bool:
    """Whether the columns of a matrix look like z-scores: negative values, means near 0.

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[0.0, 3.0], [2.0, 1.0], [1.0, 5.0]])
    >>> looks_scaled(counts), looks_scaled(counts - counts.mean(axis=0))
    (False, True)
    """
    import numpy as np

    values = _sample(matrix)
    if values.ndim != 2 or not (values < 0).any():
        return False
    with np.errstate(invalid="ignore", divide="ignore"):
        shift = np.abs(values.mean(axis=0, dtype=np.float64)) / values.std(axis=0, dtype=np.float64)
    known = shift[np.isfinite(shift)]
    return bool(known.size) and float(np.median(known)) < _CENTRED


def _value_scale(have: Matrices, matrix: Any) -> str:
    """Return "log1p" if scanpy recorded it, or if values look like it without a record."""
    import numpy as np

    values = _sample(matrix)
    if have.is_log1p is not None or not values.size or holds_counts(matrix):
        return "log1p" if have.is_log1p else "auto"
    has_zeros = values.ndim == 1 or np.mean(values == 0) > _ZEROS  # sparse values leave zeros out
    return "log1p" if has_zeros and values.min() >= 0 and values.max() < _LARGEST_LOG else "auto"


def holds_counts(matrix: Any) -> bool:
    """Whether a matrix holds integers from 0 on, such as counts of molecules."""
    import numpy as np

    values = _sample(matrix)
    return bool(values.size) and bool(np.all((values >= 0) & (values == np.floor(values))))


def _sample(matrix: Any) -> NDArray[Any]:
    """Return some values of a matrix in memory or in a file; those of sparse ones are a vector."""
    import numpy as np

    if hasattr(matrix, "__dask_graph__"):
        matrix = matrix[:_ROWS, :_COLUMNS].compute()
    stored = matrix.data if hasattr(matrix, "indptr") else None
    if stored is None and not hasattr(matrix, "shape"):
        stored = matrix["data"] if "data" in matrix else np.empty(0)
    if stored is not None:
        return np.asarray(stored[:_STORED])
    if len(matrix.shape) != 2 or matrix.dtype.kind not in "biuf":
        return np.empty(0)
    starts = np.unique(np.linspace(0, max(matrix.shape[0] - _ROWS, 0), _BLOCKS).astype(int))
    blocks = [np.asarray(matrix[int(row) : int(row) + _ROWS, :_COLUMNS]) for row in starts]
    return np.concatenate(blocks)


def column_labels(column: Any) -> NDArray[Any]:
    """Return a column of obs as labels; missing ones are None."""
    import numpy as np

    is_missing = column.isna().to_numpy()
    labels = column.to_numpy(dtype=object if is_missing.any() else None)
    # pandas has several values for "missing"; the check of labels knows None.
    if is_missing.any():
        labels = labels.copy()
        labels[is_missing] = None
    return np.asarray(labels)
