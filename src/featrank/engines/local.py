"""The local engine: blocks of columns or rows mapped over threads."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

Result = TypeVar("Result")


def blocks(size: int, width: int) -> list[slice]:
    """Cut ``size`` items into slices of at most ``width``."""
    return [slice(start, min(start + width, size)) for start in range(0, size, width)]


def map_blocks(
    work: Callable[[slice], Result], size: int, width: int, n_jobs: int | None = None
) -> list[Result]:
    """Call ``work`` on each slice of at most ``width`` items; results in the items' order.

    ``n_jobs`` has scikit-learn's meaning: None is 1 (or what the surrounding joblib context
    says), -1 is every core. The results do not depend on it.

    Examples
    --------
    >>> map_blocks(lambda block: block.stop - block.start, size=5, width=2, n_jobs=2)
    [2, 2, 1]
    """
    spans = blocks(size, width)
    threads = min(workers(n_jobs), len(spans))
    if threads <= 1:
        return [work(span) for span in spans]
    futures = [_pool(threads).submit(work, span) for span in spans]
    try:
        return [future.result() for future in futures]
    finally:
        # After an error or Ctrl-C: what has not begun never does, what has begun is awaited.
        for future in futures:
            future.cancel()
        wait(futures)


def workers(n_jobs: int | None) -> int:
    """Return how many threads ``n_jobs`` means here and now."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return threads that are kept: starting them anew would cost more than many a small map."""
    return ThreadPoolExecutor(threads, thread_name_prefix="featrank")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
