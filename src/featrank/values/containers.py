"""What users pass in as samples: containers made into matrices of numbers."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.values.numbers import EXACT, require_numbers, require_plain_objects

# Types of a frame's columns whose values say nothing, or not enough, of float64.
_OBJECTS = ("Object", "Unknown", "Int128", "UInt128")
_INTEGERS = ("Int64", "UInt64")
# Columns of a frame that are copied together.
_COLUMNS = 1024


@dataclass(frozen=True, eq=False)
class NamedMatrix:
    """A matrix of an AnnData or of an out-of-core dataset, with the names of its columns.

    Attributes
    ----------
    X : matrix
        Dense or sparse.
    names : ndarray of str or None
        The feature names.
    notes : tuple of str
        Sentences on where the matrix comes from.
    value_scale : str
        The scale of the values for fold changes, "auto" if it is unknown.
    """

    X: Any
    names: NDArray[np.object_] | None
    notes: tuple[str, ...] = ()
    value_scale: str = "auto"

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and features."""
        n_samples, n_features = self.X.shape
        return n_samples, n_features


def without_names(X: Any) -> tuple[Any, NDArray[np.object_] | None]:
    """Return matrix and names of a ``NamedMatrix``; other data without names."""
    return (X.X, X.names) if isinstance(X, NamedMatrix) else (X, None)


def sample_ids(X: Any) -> Any:
    """Return the names of the samples of an AnnData or a pandas frame, None if it has none."""
    if is_anndata(X):
        return X.obs_names.tolist()
    index = getattr(X, "index", None)
    if not hasattr(X, "iloc") or type(index).__name__ == "RangeIndex":
        return None
    return getattr(index, "tolist", lambda: None)()  # Dask does not know its index


def is_anndata(X: Any) -> bool:
    """Whether X is an AnnData; there is none before anndata is imported."""
    package = sys.modules.get("anndata")
    return package is not None and isinstance(X, getattr(package, "AnnData", ()))


def refuse_anndata(X: Any) -> None:
    """Raise an error for an AnnData where its matrix is expected; NumPy would try for minutes."""
    if is_anndata(X):
        raise DataError(
            "X is an AnnData object, and its matrix is expected here. Pass adata.X (or "
            "adata.layers[...], adata.raw.X), with labels such as adata.obs['cell_type']. Only "
            "fit, featrank.rank and featrank.evaluation.compare accept the object itself."
        )


def as_matrix(X: Any) -> Any:
    """Return X as something that scikit-learn validates, with its column names.

    Columns that are not numeric raise an error with their names. Pyarrow tables become
    polars frames, whose names scikit-learn knows.
    """
    if isinstance(X, np.ma.MaskedArray):
        raise DataError(
            "X is a masked array, and masked values are missing. Use `X.filled(numpy.nan)` and "
            "fill in the missing values, e.g. with sklearn.impute.SimpleImputer."
        )
    if isinstance(X, np.ndarray):
        return X
    refuse_anndata(X)
    import narwhals as nw

    if nw.dependencies.is_into_dataframe(X):
        return _checked_frame(X)
    if type(X).__name__ == "LazyFrame":
        raise DataError("X is a lazy frame. Pass X.collect(), which computes its values.")
    return X


def as_numbers(X: Any) -> Any:
    """Return X as ``as_matrix`` does; raise an error for numbers that float64 would change."""
    X = as_matrix(X)
    if hasattr(X, "toarray"):
        require_numbers(X if hasattr(X, "indices") else X.tocoo())
        return X
    if not isinstance(X, np.ndarray):
        import narwhals as nw

        if nw.dependencies.is_into_dataframe(X):
            require_exact(X)
            return X
        X = _array_of(X)
    require_numbers(X)
    return X


def _array_of(X: Any) -> NDArray[Any]:
    array = np.asarray(X)
    if isinstance(X, list | tuple) and array.ndim == 2 and array.dtype.kind == "f":
        # Integers in a list with floats are floats by now: check the original rows.
        large = np.flatnonzero(np.any(np.abs(array) >= EXACT, axis=0))
        require_plain_objects((f"column {j}", (row[j] for row in X)) for j in large)
    return array


def require_exact(X: Any) -> None:
    """Raise an error for dates among objects, and for integers beyond float64, in a frame."""
    import narwhals as nw

    frame = nw.from_native(X, eager_only=True)
    kinds = [str(dtype) for dtype in frame.schema.values()]
    objects = [j for j, kind in enumerate(kinds) if kind in _OBJECTS]
    integers = [j for j, kind in enumerate(kinds) if kind in _INTEGERS]
    require_plain_objects(_columns(frame, [*objects, *_large(frame, integers)]))


def _large(frame: Any, columns: list[int]) -> list[int]:
    """Return those of the columns of integers that have some beyond 2**53."""
    found = []
    for start in range(0, len(columns), _COLUMNS):
        some = columns[start : start + _COLUMNS]
        block = frame[:, some].to_numpy()
        if block.dtype.kind not in "iuf":  # with missing values
            found += some
            continue
        # As a float, what is just beyond has become 2**53 itself.
        far = ((block >= EXACT) | (block <= -EXACT)).any(axis=0)
        found += [some[place] for place in np.flatnonzero(far)]
    return found


def _columns(frame: Any, columns: list[int]) -> Iterator[tuple[str, list[Any]]]:
    names = frame.columns
    for j in columns:
        yield repr(str(names[j])), frame[:, j].to_list()


def column_names(X: Any) -> list[str]:
    """Return the names of the columns of a data frame, which must be unique."""
    # The columns of pyarrow are values, which may be equal.
    names = [str(name) for name in getattr(X, "column_names", getattr(X, "columns", []))]
    repeated = sorted(repr(name) for name, count in Counter(names).items() if count > 1)[:5]
    if repeated:
        raise DataError(
            f"X has several columns with the same name: {', '.join(repeated)}. Rename or drop them."
        )
    return names


def _checked_frame(X: Any) -> Any:
    import narwhals as nw

    column_names(X)
    frame = nw.from_native(X, eager_only=True)
    _require_numeric(frame)
    return frame.to_polars() if frame.implementation.is_pyarrow() else X


def _require_numeric(frame: Any) -> None:
    bad = [
        (name, dtype)
        for name, dtype in frame.schema.items()
        if not (dtype.is_numeric() or str(dtype) in ("Boolean", *_OBJECTS))
    ]
    if bad:
        shown = ", ".join(f"{name!r} ({dtype})" for name, dtype in bad[:5])
        more = f" and {len(bad) - 5} more" if len(bad) > 5 else ""
        are = "1 column of X is" if len(bad) == 1 else f"{len(bad)} columns of X are"
        raise DataError(
            f"{are} not numeric: {shown}{more}. Drop or encode such columns, e.g. with "
            "sklearn.preprocessing.OneHotEncoder."
        )


def dense_columns(X: Any, columns: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return some columns of X, of any type, as floats; missing values are NaN.

    Examples
    --------
    >>> dense_columns([[1, 2, 3], [4, 5, 6]], np.array([2, 0]))
    array([[3., 1.],
           [6., 4.]])
    """
    import narwhals as nw
    from sklearn.utils import check_array

    if nw.dependencies.is_into_dataframe(X):
        part = as_matrix(nw.from_native(X, eager_only=True)[:, columns.tolist()].to_native())
    elif hasattr(X, "tocsc"):
        part = X.tocsc()[:, columns].toarray()
    else:
        part = np.asarray(X)[:, columns]
    return check_array(part, dtype=np.float64, ensure_all_finite="allow-nan")


def require_size(X: Any, least: int, method: str) -> None:
    """Raise scikit-learn's error for too few samples or no features."""
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if len(shape) != 2 or (shape[0] >= least and shape[1] > 0):
        return
    if shape[0] < least:
        found, wanted, fix = f"{shape[0]} sample(s)", least, "Add rows."
    else:
        found, wanted, fix = "0 feature(s)", 1, "Add columns."
    raise DataError(
        f"Found array with {found} (shape={tuple(shape)}) while a minimum of {wanted} is required "
        f"by {method}. {fix}"
    )


def refuse_sparse(X: Any, method: str) -> None:
    """Raise an error for a sparse matrix, with its size as a dense array."""
    if not hasattr(X, "toarray"):
        return
    gigabytes = X.shape[0] * X.shape[1] * 8 / 1e9
    raise DataError(
        f"{method} needs dense data, but X is sparse. Use `X.toarray()`, which has "
        f"{X.shape[0]} × {X.shape[1]} values and takes {gigabytes:.2g} GB as float64."
    )
