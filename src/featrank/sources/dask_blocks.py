"""What blocks of Dask collections hold: numbers of features, and labels cut as the features are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError


def as_matrix(block: Any) -> Any:
    """Return a block of X as a NumPy array, or as sparse rows or columns."""
    if hasattr(block, "tocsr"):
        return block if block.format in ("csr", "csc") else block.tocsr()
    if hasattr(block, "dtypes"):
        return _numbers(block)
    return np.asarray(block)


def _numbers(frame: Any) -> NDArray[Any]:
    """Return the values of a frame; types that know of missing values become floats."""
    dtype = common_type(frame)
    if all(isinstance(one, np.dtype) for one in frame.dtypes):
        return np.asarray(frame.to_numpy(dtype))
    return np.asarray(frame.to_numpy(dtype, na_value=np.nan))


def as_labels(block: Any) -> NDArray[Any]:
    """Return a block of labels as a vector."""
    labels = np.asarray(block)
    return labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels


def hstack_blocks(blocks: Sequence[Any]) -> Any:
    """Put blocks of the same rows side by side, sparse ones as sparse."""
    if len(blocks) == 1:
        return blocks[0]
    if any(isinstance(block, np.ndarray) for block in blocks):
        return np.hstack(
            [block if isinstance(block, np.ndarray) else block.toarray() for block in blocks]
        )
    from scipy import sparse

    return sparse.hstack(blocks, format=blocks[0].format)


def feature_types(X: Any) -> np.dtype[Any]:
    """Return the common type of all values of a collection; raise an error unless numeric."""
    dtype = common_type(X) if hasattr(X, "dtypes") else np.dtype(X.dtype)
    if dtype.kind not in "biuf":
        raise DataError(f"X must hold real numbers; its type is {dtype}. Convert it with astype.")
    return dtype


def common_type(frame: Any) -> np.dtype[Any]:
    """Return the type that holds every column of a frame."""
    types = [_number_type(name, one) for name, one in frame.dtypes.items()]
    return np.result_type(*types)


def _number_type(name: Any, dtype: Any) -> np.dtype[Any]:
    plain = dtype if isinstance(dtype, np.dtype) else getattr(dtype, "numpy_dtype", None)
    if plain is None or plain.kind not in "biuf":
        raise DataError(
            f"Column {str(name)!r} holds {dtype}, not numbers. Leave it out of X, or encode it."
        )
    return plain if isinstance(dtype, np.dtype) else np.result_type(plain, np.float64)


def matched_labels(y: Any, X: Any, row_sizes: Sequence[int | None]) -> Any:
    """Return labels as a Dask collection that is cut as X is."""
    if not hasattr(y, "__dask_graph__"):
        return _of_memory(np.asarray(y), row_sizes)
    if hasattr(y, "divisions") and hasattr(X, "divisions"):
        if X.known_divisions and y.known_divisions and X.divisions != y.divisions:
            y = y.repartition(divisions=X.divisions)
        return _paired(y, y.npartitions, row_sizes)
    if hasattr(y, "npartitions") and not hasattr(y, "chunks"):
        return _paired(y, y.npartitions, row_sizes)
    y = y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y
    if y.ndim != 1:
        raise DataError(f"y has shape {y.shape}. Pass one label per sample.")
    if None in row_sizes or np.isnan(y.shape[0]):
        return _paired(y, y.numblocks[0], row_sizes)
    _require_length(y.shape[0], row_sizes)
    return y if y.chunks[0] == tuple(row_sizes) else y.rechunk((tuple(row_sizes),))


def _of_memory(labels: NDArray[Any], row_sizes: Sequence[int | None]) -> Any:
    import dask.array as da

    labels = as_labels(labels)
    if len(row_sizes) == 1 and row_sizes[0] is None:
        row_sizes = (len(labels),)
    if None in row_sizes:
        raise DataError(
            "y is in memory, and Dask does not know how many rows each block of X has. Call "
            "X.compute_chunk_sizes(), or give y as a Dask collection cut as X is."
        )
    _require_length(len(labels), row_sizes)
    return da.from_array(labels, chunks=(tuple(row_sizes),))


def _require_length(length: int, row_sizes: Sequence[int | None]) -> None:
    rows = sum(size or 0 for size in row_sizes)
    if length != rows:
        raise DataError(f"X has {rows:,} rows and y has {length:,} labels. One a row was expected.")


def _paired(y: Any, n_blocks: int, row_sizes: Sequence[int | None]) -> Any:
    """Return labels of unknown sizes, whose blocks must be as many as those of X."""
    if n_blocks != len(row_sizes):
        raise DataError(
            f"X has {len(row_sizes)} blocks of rows and y has {n_blocks}, and Dask does not know "
            "how many rows they have. Call compute_chunk_sizes() on both, so that y can be cut as "
            "X is."
        )
    return y
