"""Blocks of X for the kernels: dense, in single or double precision."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def dense_block(X: Any, columns: slice) -> NDArray[np.floating]:
    """Return columns of X as floats: a view if X has floats, otherwise a small copy."""
    block = X[:, columns]
    if not isinstance(block, np.ndarray):
        block = block.toarray()
    with np.errstate(over="ignore"):  # values beyond float64 become infinite, which is an error
        return block.astype(float_type(block.dtype), copy=False)


def float_type(dtype: np.dtype[Any]) -> np.dtype[np.floating]:
    """Return the float type for blocks of numbers of some type: single or double precision.

    Examples
    --------
    >>> float_type(np.dtype(np.float16)), float_type(np.dtype(np.int8))
    (dtype('float32'), dtype('float64'))
    """
    return np.dtype(np.float32 if dtype.kind == "f" and dtype.itemsize <= 4 else np.float64)
