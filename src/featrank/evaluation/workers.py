"""The work of a run, in as many processes as are asked for, or on the workers of a cluster."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from featrank.evaluation.warning_relay import Titled, Watched, telling, watched
from featrank.exceptions import UsageError

if TYPE_CHECKING:
    from distributed import Client

Outcome = TypeVar("Outcome", bound=Titled)


@dataclass(frozen=True)
class Task:
    """A small part of a run; what it works on comes with the work.

    Attributes
    ----------
    number : int
        Which one it is.
    place : str
        What messages call it.
    given_up : mapping of str to str
        Methods that are not tried, with the reason.
    """

    number: int
    place: str
    given_up: Mapping[str, str] = field(default_factory=dict)


def running(
    work: Callable[[Any], Outcome],
    tasks: Sequence[Task],
    n_jobs: int,
    client: Client | None = None,
    *,
    limited: bool = False,
) -> Iterator[Outcome]:
    """Give what ``work`` makes of the tasks, as they finish; tell once what it warns of.

    It runs in so many processes of this machine, or on a client's workers. There it is sent once
    to each worker, whatever data it holds.
    """
    if client is not None:
        return telling(_on_cluster(work, tasks, client))
    return telling(_in_processes(work, tasks, n_jobs, limited))


def _in_processes(
    work: Callable[[Any], Outcome], tasks: Sequence[Task], n_jobs: int, limited: bool
) -> Iterator[Watched[Outcome]]:
    from joblib import Parallel, delayed, effective_n_jobs

    workers = min(effective_n_jobs(n_jobs), max(1, len(tasks)))
    if workers == 1:
        if limited and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "time_limit works by a signal, which reaches the main thread of a process alone. "
                "Call from there, or with n_jobs=2 or more."
            )
        yield from (watched(partial(work, task)) for task in tasks)
        return
    pool = Parallel(n_jobs=workers, backend="loky", return_as="generator_unordered")
    run, here = delayed(_run_in_worker), os.getpid()
    yield from pool(run(here, partial(work, task)) for task in tasks)


def _run_in_worker(parent: int, task: Callable[[], Outcome]) -> Watched[Outcome]:
    # Inside of another parallel job joblib runs this in the very process that asked for it.
    if os.getpid() != parent:
        _leave_with(parent)
    return watched(task)


@cache
def _leave_with(parent: int) -> None:
    """End this worker when its parent has gone: a killed run leaves no processes behind.

    Ctrl-C in a terminal goes to workers too. Whoever asked for them ends them, without words.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_cluster(
    work: Callable[[Any], Outcome], tasks: Sequence[Task], client: Client
) -> Iterator[Watched[Outcome]]:
    from featrank.engines.dask import DaskEngine

    # Of a generator the engine does not know the length: progress is told by the run.
    parts: Iterator[Any] = (task for task in tasks)
    for _, done in DaskEngine(client).each(partial(_run_alone, work), parts):
        yield done


# Trials measure time and catch warnings of their process: one at a time, as in processes of ours.
_alone = threading.Lock()


def _run_alone(work: Callable[[Any], Outcome], task: Task) -> Watched[Outcome]:
    with _alone:
        return watched(partial(work, task))


def check_jobs(n_jobs: int, client: Client | None = None) -> None:
    """Refuse to run in no process, or in two places."""
    if n_jobs == 0:
        raise UsageError("n_jobs=0 does no work. Give 1 or more, or -1 for every core.")
    if client is not None and n_jobs != 1:
        raise UsageError(
            f"n_jobs={n_jobs} starts processes on this computer, and client= uses a cluster. "
            "Pass only one of them."
        )
