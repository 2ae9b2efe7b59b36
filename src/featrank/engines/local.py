"""The local engine: column blocks mapped over threads."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def map_blocks(
    work: Callable[[slice], Result], n_columns: int, width: int, n_jobs: int | None = None
) -> list[Result]:
    """Call ``work`` on each slice of at most ``width`` columns; results in the columns' order.

    ``n_jobs`` has scikit-learn's meaning: None is 1 (or what the surrounding joblib context
    says), -1 is every core. The results do not depend on it.

    Examples
    --------
    >>> map_blocks(lambda block: block.stop - block.start, n_columns=5, width=2, n_jobs=2)
    [2, 2, 1]
    """
    from joblib import effective_n_jobs

    blocks = [slice(a, min(a + width, n_columns)) for a in range(0, n_columns, width)]
    workers = min(effective_n_jobs(n_jobs), len(blocks))
    if workers <= 1:
        return [work(block) for block in blocks]
    pool = ThreadPoolExecutor(workers, thread_name_prefix="featrank")
    try:
        return list(pool.map(work, blocks))
    finally:
        pool.shutdown(cancel_futures=True)
