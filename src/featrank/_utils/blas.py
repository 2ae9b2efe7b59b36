"""How many threads products of matrices have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

# Values of a matrix up to which many products with it are faster on one thread than on several,
# which wait for each other, and on a busy machine for long.
SMALL = 2**21


def one_thread() -> AbstractContextManager[Any]:
    """Have NumPy and SciPy work on one thread: of many small products two are slower.

    Examples
    --------
    >>> with one_thread():
    ...     {found["num_threads"] for found in _controller().info()}
    {1}
    """
    limit: AbstractContextManager[Any] = _controller().limit(limits=1)
    return limit


@contextmanager
def one_thread_if_small(values: int) -> Iterator[None]:
    """Have NumPy and SciPy work on one thread, where a matrix of so many values is small."""
    if values > SMALL:
        yield
        return
    with one_thread():
        yield


@cache
def _controller() -> Any:
    """Return what knows the libraries, which takes longer to find out than many a fit."""
    import scipy.linalg  # noqa: F401  has a library of its own
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()
