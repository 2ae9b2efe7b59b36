"""What users pass in: containers made into matrices, labels into codes, bad values refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError

WAY_OUT = (
    "Fill them in first, e.g. with sklearn.impute.SimpleImputer in a Pipeline, or on the "
    "command line with --missing mean (infinities must be replaced by hand)."
)


def as_matrix(X: Any) -> Any:
    """Return X as something that scikit-learn validates, with its column names.

    Data frames with columns that are not numbers are refused by name; pyarrow tables become
    polars frames, whose names scikit-learn knows.
    """
    if isinstance(X, np.ma.MaskedArray):
        raise DataError(
            "X is a masked array, whose masked values are missing. Use X.filled(numpy.nan) and "
            "fill them in, e.g. with sklearn.impute.SimpleImputer."
        )
    if isinstance(X, np.ndarray):
        return X
    import narwhals as nw

    if nw.dependencies.is_into_dataframe(X):
        return _checked_frame(X)
    if type(X).__name__ == "LazyFrame":
        raise DataError("X is a lazy frame. Pass X.collect(), which computes its values.")
    return X


def _checked_frame(X: Any) -> Any:
    import narwhals as nw

    names = [str(name) for name in getattr(X, "columns", [])]
    if len(set(names)) < len(names):
        repeated = sorted({repr(name) for name in names if names.count(name) > 1})[:5]
        raise DataError(
            f"X has several columns of the same name: {', '.join(repeated)}. "
            "Rename or drop them, so that the ranking can tell them apart."
        )
    frame = nw.from_native(X, eager_only=True)
    _require_numeric(frame)
    return frame.to_polars() if frame.implementation.is_pyarrow() else X


def _require_numeric(frame: Any) -> None:
    bad = [
        (name, dtype)
        for name, dtype in frame.schema.items()
        if not (dtype.is_numeric() or str(dtype) in ("Boolean", "Object", "Unknown"))
    ]
    if bad:
        shown = ", ".join(f"{name!r} ({dtype})" for name, dtype in bad[:5])
        more = f" and {len(bad) - 5} more" if len(bad) > 5 else ""
        raise DataError(
            f"{len(bad)} columns of X are not numeric: {shown}{more}. Encode them, e.g. with "
            "sklearn.preprocessing.OrdinalEncoder or OneHotEncoder, or drop them."
        )


def require_finite(X: Any, names: Any, *, allow_nan: bool = False) -> None:
    """Refuse NaN and infinity with the columns' names and how many values each has."""
    counts = _count_nonfinite(X, np.isinf if allow_nan else _not_finite)
    columns = np.flatnonzero(counts)
    if len(columns) == 0:
        return
    shown = ", ".join(f"{_label(j, names)} ({counts[j]})" for j in columns[:5])
    more = f" and {len(columns) - 5} more columns" if len(columns) > 5 else ""
    what = "infinity" if allow_nan else "NaN or infinity"
    raise DataError(
        f"Input X contains {what}: {counts.sum()} values in {len(columns)} of "
        f"{X.shape[1]} columns: {shown}{more}. {WAY_OUT}"
    )


def refuse_sparse(X: Any, method: str) -> None:
    """Refuse a sparse matrix, telling what it would take as a dense array."""
    if not hasattr(X, "toarray"):
        return
    gigabytes = X.shape[0] * X.shape[1] * 8 / 1e9
    raise DataError(
        f"{method} needs dense data, but X is sparse. X.toarray() makes it dense: "
        f"{X.shape[0]} × {X.shape[1]} values, {gigabytes:.2g} GB as float64. Methods that take "
        "sparse data are marked in featrank.methods()."
    )


def _not_finite(values: Any) -> NDArray[np.bool_]:
    return ~np.isfinite(values)


def _count_nonfinite(X: Any, is_bad: Callable[[Any], NDArray[np.bool_]]) -> NDArray[np.int64]:
    counts = np.zeros(X.shape[1], dtype=np.int64)
    if not isinstance(X, np.ndarray):
        stored = X.tocoo()
        bad = stored.col[is_bad(stored.data)]
        return counts + np.bincount(bad, minlength=X.shape[1])
    if X.dtype.kind != "f":
        return counts
    for start in range(0, X.shape[0], 256):
        counts += np.count_nonzero(is_bad(X[start : start + 256]), axis=0)
    return counts


def _label(column: int, names: Any) -> str:
    return f"column {column}" if names is None else repr(str(names[column]))


def encode_labels(y: Any, n_samples: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes in sorted order, and each sample's class as a code 0, 1, ...

    Examples
    --------
    >>> classes, codes = encode_labels(["sick", "well", "sick"], 3)
    >>> [str(label) for label in classes], codes.tolist()
    (['sick', 'well'], [0, 1, 0])
    """
    labels = _label_array(y)
    if len(labels) != n_samples:
        raise DataError(
            f"X and y have inconsistent numbers of samples: X has {n_samples} rows, y has "
            f"{len(labels)} labels. Pass one label a row."
        )
    _refuse_continuous(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise DataError(
            f"y holds one class only ({classes[0]!s}); a supervised ranking compares classes "
            "and needs samples of at least two. Check the target column."
        )
    return classes, codes.reshape(-1)


def _label_array(y: Any) -> NDArray[Any]:
    from sklearn.utils.validation import column_or_1d

    if isinstance(y, np.ma.MaskedArray):
        hidden = np.ma.getmaskarray(y)
        y = np.ma.getdata(y).astype(object)
        y[hidden] = None
    labels = column_or_1d(np.asarray(y), warn=True)
    if labels.dtype.kind != "O":
        return labels
    missing = np.array([_is_missing(label) for label in labels], dtype=bool)
    _refuse_missing(missing)
    plain = np.array(labels.tolist())
    # Numbers among texts would be compared with them; numbers alone stay numbers.
    return plain if plain.dtype.kind in "biuf" else labels.astype(str)


def _is_missing(label: Any) -> bool:
    # NaN and NaT are not equal to themselves; pandas' NA does not even say whether it is.
    same = label == label
    return label is None or not isinstance(same, bool | np.bool_) or not same


def _refuse_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise DataError(
            f"Input y contains NaN: {missing.sum()} of {len(missing)} labels are missing. "
            "Drop those rows, or give the missing label a name of its own."
        )


def _refuse_continuous(labels: NDArray[Any]) -> None:
    if labels.dtype.kind != "f":
        return
    _refuse_missing(np.isnan(labels))
    if np.isinf(labels).any():
        raise DataError("Input y contains infinity. Replace it by a class label.")
    if np.any(labels != np.floor(labels)):
        raise DataError(
            "Unknown label type: continuous. y holds numbers with fractions, but featrank ranks "
            "features for classification. Bin y into classes first, e.g. with numpy.digitize "
            "or sklearn.preprocessing.KBinsDiscretizer."
        )
