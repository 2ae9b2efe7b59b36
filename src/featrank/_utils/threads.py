"""The local engine: threads that work on blocks of columns or rows."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, reduce
from typing import TypeVar

from featrank.compiled._featrank import Stop

Result = TypeVar("Result")

# Reading this many values takes a thread longer than waking it.
WORTH_A_THREAD = 2**18
# Number of columns that kernels process at a time.
ALIGNED = 64


def blocks(size: int, width: int) -> list[slice]:
    """Cut ``size`` items into slices of at most ``width``."""
    return [slice(start, min(start + width, size)) for start in range(0, size, width)]


def shared_width(size: int, width: int, cost: int, n_jobs: int | None) -> int:
    """Return a block width, at most ``width``, that gives every thread a block.

    ``cost`` is the number of values read per item. Small work is not divided.

    Examples
    --------
    >>> shared_width(size=1000, width=800, cost=10_000, n_jobs=2)
    512
    >>> shared_width(size=1000, width=800, cost=1, n_jobs=2)
    800
    """
    if size * cost < 2 * WORTH_A_THREAD:
        return width
    share = -(-size // workers(n_jobs))
    return max(1, min(width, -(-share // ALIGNED) * ALIGNED))


def map_blocks(
    work: Callable[[slice], Result], size: int, width: int, n_jobs: int | None = None
) -> list[Result]:
    """Call ``work`` on each slice of at most ``width`` items. Return the results in order.

    ``n_jobs`` is as in scikit-learn: None means 1, or the number of the enclosing joblib context,
    and -1 means all cores. The results do not depend on it.

    Examples
    --------
    >>> map_blocks(lambda block: block.stop - block.start, size=5, width=2, n_jobs=2)
    [2, 2, 1]
    """
    spans = blocks(size, width)
    threads = 1 if len(spans) <= 1 else min(workers(n_jobs), len(spans))
    return [work(span) for span in spans] if threads <= 1 else _shared(work, spans, threads - 1)


def fold_blocks(
    work: Callable[[slice], Result],
    size: int,
    width: int,
    merge: Callable[[Result, Result], Result],
    n_jobs: int | None = None,
) -> Result:
    """Call ``work`` on each slice of at most ``width`` items, and merge the results.

    ``merge`` must give the same result in any order. Each thread merges its results immediately,
    so that at most two results per thread are in memory.

    Examples
    --------
    >>> fold_blocks(lambda block: block.stop - block.start, 5, 2, lambda a, b: a + b, n_jobs=2)
    5
    """
    spans = deque(blocks(size, width) or [slice(0, 0)])

    def share(_: slice) -> list[Result]:
        folded: list[Result] = []
        while True:
            try:
                span = spans.popleft()
            except IndexError:  # No span is left.
                return folded
            found = work(span)
            folded = [merge(folded[0], found)] if folded else [found]

    threads = min(workers(n_jobs), len(spans))
    parts = [found for part in map_blocks(share, threads, 1, n_jobs) for found in part]
    return reduce(merge, parts)


def _shared(work: Callable[[slice], Result], spans: list[slice], helpers: int) -> list[Result]:
    """Map on this thread and on helpers. Each free thread takes the next span."""
    waiting = deque(enumerate(spans))
    results: dict[int, Result] = {}
    stop = Stop()

    def take() -> None:
        while True:
            try:
                place, span = waiting.popleft()
            except IndexError:  # No span is left.
                return
            results[place] = work(span)

    def help_out() -> None:
        with stop:
            take()

    futures = [_pool(helpers).submit(help_out) for _ in range(helpers)]
    try:
        take()
        begun = _begun(futures)
    except BaseException:
        # After an error or Ctrl-C, waiting work is cancelled and running work stops early.
        waiting.clear()
        stop.ask()
        _begun(futures)
        raise
    for future in begun:
        future.result()
    return [results[place] for place in range(len(spans))]


def _begun(futures: list[Future[None]]) -> list[Future[None]]:
    """Cancel the futures that have not started, wait for the others, and return these."""
    begun = [future for future in futures if not future.cancel()]
    wait(begun)
    return begun


def workers(n_jobs: int | None) -> int:
    """Return the number of threads for ``n_jobs`` in the current context."""
    from joblib import effective_n_jobs

    if n_jobs is not None and n_jobs < 0:
        n_jobs = max(1, _cores() + 1 + n_jobs)
    return int(effective_n_jobs(n_jobs))


@cache
def _cores() -> int:
    """Return the number of cores, cached because finding it is slow."""
    from joblib import cpu_count

    return int(cpu_count())


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return a cached pool, because starting threads costs more than a small map."""
    return ThreadPoolExecutor(threads, thread_name_prefix="featrank")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork
