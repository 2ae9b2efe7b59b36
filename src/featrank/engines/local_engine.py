"""The local engine: parts are read and processed by a few threads."""

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
from featrank.sources import Part


class LocalEngine:
    """Work on the parts of a source on threads.

    At most ``n_jobs + 1`` parts are begun and not yet handed on. After an error or Ctrl-C no
    further part begins; running work is cancelled, not awaited, and its results are dropped.

    Parameters
    ----------
    n_jobs : int or None, default=None
        How many threads: None is 1 (or what the surrounding joblib context says), -1 is every
        core. The results do not depend on it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> parts = [SimpleNamespace(place=f"row {row}", row=row) for row in range(5)]
    >>> LocalEngine(n_jobs=2).fold(lambda part: part.row, parts, lambda one, other: one + other)
    10
    """

    def __init__(self, n_jobs: int | None = None):
        self.n_jobs = n_jobs

    def fold(
        self,
        work: Callable[[Part], State],
        parts: Iterable[Part],
        merge: Callable[[State, State], State],
    ) -> State:
        """Return the states of all parts merged, each as soon as it is there."""
        with closing(self.each(work, parts)) as found:
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
        self, work: Callable[[Part], Result], parts: Iterable[Part]
    ) -> Generator[tuple[Part, Result], None, None]:
        """Yield each part with what ``work`` makes of it, as they come."""
        threads = workers(self.n_jobs)
        done, total, waiting = 0, length_hint(parts), iter(parts)
        begun: dict[Future[Any], Part] = {}
        pool = ThreadPoolExecutor(threads, thread_name_prefix="featrank-part")
        stop = Stop()
        try:
            while True:
                for part in islice(waiting, threads + 1 - len(begun)):
                    begun[pool.submit(_run, stop, work, part)] = part
                if not begun:
                    return
                yield _finished(begun)
                done += 1
                if total:
                    report(done, total)
        finally:
            stop.ask()
            pool.shutdown(wait=False, cancel_futures=True)

    def keep(self, work: Callable[[Part], Any], parts: Iterable[Part]) -> list[Part]:
        """Work on each part once, and keep what it makes, in memory."""
        return [made_part(*made) for made in self.each(work, parts)]

    def room(self, memory: int) -> float:
        """Return half of the memory: the other half is for blocks."""
        return memory / 2


def _run(stop: Any, work: Callable[[Part], Result], part: Part) -> Result:
    with stop:
        return run(work, part)


def _finished(begun: dict[Future[Any], Part]) -> tuple[Part, Any]:
    """Take out one that is finished, as soon as there is one."""
    future = next(iter(wait(begun, return_when=FIRST_COMPLETED).done))
    return begun.pop(future), future.result()
