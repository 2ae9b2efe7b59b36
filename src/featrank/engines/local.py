"""The local engine: blocks of columns or rows mapped over threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
    from joblib import effective_n_jobs

    spans = blocks(size, width)
    workers = min(effective_n_jobs(n_jobs), len(spans))
    if workers <= 1:
        return [work(span) for span in spans]
    pool = ThreadPoolExecutor(workers, thread_name_prefix="featrank")
    try:
        return list(pool.map(work, spans))
    finally:
        pool.shutdown(cancel_futures=True)
