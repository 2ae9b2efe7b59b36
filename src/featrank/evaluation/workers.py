"""Runs tasks in local processes or on the workers of a cluster."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from joblib import Parallel, delayed, effective_n_jobs

from featrank._utils.warn import collect_none, record_warning, warn_user
from featrank.exceptions import FeatrankWarning, Severity, UsageError

if TYPE_CHECKING:
    from distributed import Client

# The result of a task, which has a title for messages, and its warnings with their severity.
Recorded = tuple[Any, list[tuple[type[Warning], str, Severity]]]


@dataclass(frozen=True)
class Task:
    """A part of a run; the data comes with the function that runs it.

    Attributes
    ----------
    number : int
        The number of the task.
    place : str
        The name in messages.
    given_up : mapping of str to str
        Methods that are not run, with the reason.
    """

    number: int
    place: str
    given_up: Mapping[str, str] = field(default_factory=dict)


def running(
    work: Callable[[Any], Any],
    tasks: Sequence[Task],
    n_jobs: int,
    client: Client | None = None,
    *,
    limited: bool = False,
) -> Iterator[Any]:
    """Yield the results of ``work`` for each task as they finish; repeat each warning once.

    The tasks run in ``n_jobs`` local processes or on the workers of a client. ``work`` is sent
    once to each worker, including its data.
    """
    if client is not None:
        return _relay(_on_cluster(work, tasks, client))
    return _relay(_in_processes(work, tasks, n_jobs, limited))


def _record_warnings(task: Callable[[], Any]) -> Recorded:
    """Run a task; return its result and its warnings."""
    with warnings.catch_warnings(record=True) as caught, collect_none():
        warnings.simplefilter("always", UserWarning)
        outcome = task()
    meant = [w.message for w in caught if isinstance(w.message, UserWarning)]
    return outcome, [(type(each), str(each), _severity(each)) for each in meant]


def _severity(warning: Warning) -> Severity:
    return warning.severity if isinstance(warning, FeatrankWarning) else "caution"


def _relay(runs: Iterable[Recorded]) -> Iterator[Any]:
    """Yield the results and repeat their warnings, once if they differ only in numbers."""
    shown = set()
    for outcome, caught in runs:
        for category, message, severity in caught:
            gist = re.sub(r"\d", "", message)
            if gist not in shown:
                shown.add(gist)
                _repeat(category, FeatrankWarning(f"In {outcome.title}: {message}", severity))
        yield outcome


def _repeat(category: type[Warning], warning: FeatrankWarning) -> None:
    """Show a warning of a task, and keep it in the result of the run."""
    if issubclass(category, FeatrankWarning):
        warn_user(warning)
        return
    record_warning(warning)
    warnings.warn(str(warning), category, stacklevel=5)


def _in_processes(
    work: Callable[[Any], Any], tasks: Sequence[Task], n_jobs: int, limited: bool
) -> Iterator[Recorded]:
    workers = min(effective_n_jobs(n_jobs), max(1, len(tasks)))
    if workers == 1:
        if limited and threading.current_thread() is not threading.main_thread():
            raise UsageError(
                "`time_limit` needs the main thread, because it uses a signal. Use `n_jobs=2`."
            )
        yield from (_record_warnings(partial(work, task)) for task in tasks)
        return
    pool = Parallel(n_jobs=workers, backend="loky", return_as="generator_unordered")
    run, here = delayed(_run_in_worker), os.getpid()
    yield from pool(run(here, partial(work, task)) for task in tasks)


def _run_in_worker(parent: int, task: Callable[[], Any]) -> Recorded:
    # Inside another parallel job, joblib runs this in the calling process.
    if os.getpid() != parent:
        _leave_with(parent)
    return _record_warnings(task)


@cache
def _leave_with(parent: int) -> None:
    """End this worker when its parent has ended, so that a killed run leaves no processes.

    Ctrl-C in a terminal reaches the workers too. They ignore it, and the parent ends them.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _on_cluster(work: Any, tasks: Sequence[Task], client: Client) -> Iterator[Recorded]:
    from featrank.engines.dask import DaskEngine

    # The engine does not know the length of a generator, so it reports no progress of its own.
    parts: Iterator[Any] = (task for task in tasks)
    return (done for _, done in DaskEngine(client).each(partial(_run_alone, work), parts))


# Trials measure time and record warnings per process, so a worker runs one at a time.
_alone = threading.Lock()


def _run_alone(work: Callable[[Any], Any], task: Task) -> Recorded:
    with _alone:
        return _record_warnings(partial(work, task))


def count_workers(n_jobs: int, client: Client | None = None) -> int:
    """Return how many tasks run at the same time."""
    if client is None:
        return int(effective_n_jobs(n_jobs))
    return max(1, len(client.nthreads()))


def check_jobs(n_jobs: int, client: Client | None = None) -> None:
    """Reject ``n_jobs=0``, and processes in addition to a cluster."""
    if n_jobs == 0:
        raise UsageError("`n_jobs=0` is not valid. Use `n_jobs=-1` for all cores.")
    if client is not None and n_jobs != 1:
        raise UsageError(
            f"`n_jobs={n_jobs}` starts local processes, but `client` runs on a cluster. Leave out "
            "`n_jobs`."
        )
