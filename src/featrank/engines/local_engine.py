"""The local engine: chunks are read and processed by a few threads."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from itertools import islice
from operator import length_hint
from typing import Any

from featrank._utils.progress import report
from featrank._utils.threads import workers
from featrank.compiled._featrank import Stop
from featrank.engines.engine import Result, State, made_part, no_parts, run
from featrank.sources import Chunk


class LocalEngine:
    """Work on the chunks of a source on threads.

    At most ``n_jobs + 1`` chunks are begun and not yet handed on. After an error or Ctrl-C no
    further chunk begins; running work is cancelled, not awaited, and its results are dropped.

    Parameters
    ----------
    n_jobs : int or None, default=None
        How many threads: None is 1 (or what the surrounding joblib context says), -1 is every
        core. The results do not depend on it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> chunks = [SimpleNamespace(place=f"row {row}", row=row) for row in range(5)]
    >>> LocalEngine(n_jobs=2).fold(lambda chunk: chunk.row, chunks, lambda one, other: one + other)
    10
    """

    def __init__(self, n_jobs: int | None = None):
        self.n_jobs = n_jobs

    def fold(
        self,
        work: Callable[[Chunk], State],
        chunks: Iterable[Chunk],
        merge: Callable[[State, State], State],
    ) -> State:
        """Return the states of all chunks merged, each as soon as it is there."""
        with closing(self.each(work, chunks)) as found:
            first = next(found, None)
            if first is None:
                raise no_parts()
            state = first[1]
            del first
            for _, other in found:
                state = merge(state, other)
                del other  # it would take memory until the next is there
            return state

    def each(
        self, work: Callable[[Chunk], Result], chunks: Iterable[Chunk]
    ) -> Generator[tuple[Chunk, Result], None, None]:
        """Yield each chunk with what ``work`` makes of it, as they come."""
        threads = workers(self.n_jobs)
        done, total, waiting = 0, length_hint(chunks), iter(chunks)
        begun: dict[Future[Any], Chunk] = {}
        pool = ThreadPoolExecutor(threads, thread_name_prefix="featrank-chunk")
        stop = Stop()
        try:
            while True:
                for chunk in islice(waiting, threads + 1 - len(begun)):
                    begun[pool.submit(_run, stop, work, chunk)] = chunk
                if not begun:
                    return
                yield _finished(begun)
                done += 1
                if total:
                    report(done, total)
        finally:
            stop.ask()
            pool.shutdown(wait=False, cancel_futures=True)

    def keep(self, work: Callable[[Chunk], Any], chunks: Iterable[Chunk]) -> list[Chunk]:
        """Work on each chunk once, and keep what it makes, in memory."""
        return [made_part(*made) for made in self.each(work, chunks)]

    def room(self, memory: int) -> float:
        """Return half of the memory: the other half is for blocks."""
        return memory / 2


def _run(stop: Any, work: Callable[[Chunk], Result], chunk: Chunk) -> Result:
    with stop:
        return run(work, chunk)


def _finished(begun: dict[Future[Any], Chunk]) -> tuple[Chunk, Any]:
    """Take out one that is finished, as soon as there is one."""
    future = next(iter(wait(begun, return_when=FIRST_COMPLETED).done))
    return begun.pop(future), future.result()
