"""Number of threads for matrix products."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

# Matrices with at most this many values: many products with them are faster on one thread than on
# several, which wait for each other, especially on a busy computer.
SMALL = 2**21


def one_thread() -> AbstractContextManager[Any]:
    """Limit NumPy and SciPy to one thread, which is faster for many small products.

    Examples
    --------
    >>> with one_thread():
    ...     {found["num_threads"] for found in _controller().info()}
    {1}
    """
    return _controller().limit(limits=1)


@contextmanager
def one_thread_if_small(values: int) -> Iterator[None]:
    """Have NumPy and SciPy use one thread if a matrix of this many values is small."""
    if values > SMALL:
        yield
        return
    with one_thread():
        yield


@cache
def _controller() -> Any:
    """Return the controller of the BLAS libraries; finding them takes longer than a small fit."""
    import scipy.linalg  # noqa: F401  has a library of its own
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
