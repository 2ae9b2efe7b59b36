"""The work of a run, in as many processes as are asked for."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from featrank.exceptions import UsageError

from .watching import Titled, Watched, telling, watched

Outcome = TypeVar("Outcome", bound=Titled)


def running(
    tasks: Sequence[Callable[[], Outcome]], jobs: int, *, limited: bool = False
) -> Iterator[Outcome]:
    """Give what the tasks return, as they finish; tell once what they warn of."""
    return telling(_watched(tasks, jobs, limited))


def _watched(
    tasks: Sequence[Callable[[], Outcome]], jobs: int, limited: bool
) -> Iterator[Watched[Outcome]]:
    from joblib import Parallel, delayed, effective_n_jobs

    workers = min(effective_n_jobs(jobs), max(1, len(tasks)))
    if workers == 1:
        if limited and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "time_limit works by a signal, which reaches the main thread of a process alone. "
                "Call from there, or with jobs=2 or more."
            )
        yield from map(watched, tasks)
        return
    pool = Parallel(n_jobs=workers, backend="loky", return_as="generator_unordered")
    work, here = delayed(_run_in_worker), os.getpid()
    yield from pool(work(here, task) for task in tasks)


def _run_in_worker(parent: int, task: Callable[[], Outcome]) -> Watched[Outcome]:
    # Inside of another parallel job joblib runs this in the very process that asked for it.
    if os.getpid() != parent:
        _leave_with(parent)
    return watched(task)


@cache
def _leave_with(parent: int) -> None:
    """End this worker when its parent has gone: a killed run leaves no processes behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def check_jobs(jobs: int) -> None:
    """Refuse to run in no process."""
    if jobs == 0:
        raise UsageError("jobs=0 does no work. Give 1 or more, or -1 for every core.")
