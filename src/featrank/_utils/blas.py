"""Number of threads for matrix products."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

# Up to this many values, many matrix products are faster on one thread. Several threads would wait
# for each other, especially on a busy computer.
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
    """Limit NumPy and SciPy to one thread if a matrix of this many values is small."""
    if values > SMALL:
        yield
        return
    with one_thread():
        yield


@cache
def _controller() -> Any:
    """Return the controller of the BLAS libraries. Finding them takes longer than a small fit."""
    import scipy.linalg  # noqa: F401  loads its own BLAS library
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
