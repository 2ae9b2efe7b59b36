"""Dask clients: which one is used, and the errors when the cluster fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from featrank.exceptions import FeatrankError, UsageError, missing_extra

if TYPE_CHECKING:
    from distributed import Client

# Seconds for the scheduler to answer, once when it is greeted and once when the client opens.
PATIENCE = 4
WAY_OUT = "Use smaller blocks with `memory=...`, or workers with more memory."
CHOICES = "`client=...`, `address=...` or `workers=...`"


def opened(
    client: Client | None, address: str | None, workers: int | None
) -> tuple[Client, list[Any]]:
    """Return the client to use, and what to close at the end, in this order."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise missing_extra("dask[distributed]", "scale", "Work on a cluster") from None
    if sum(choice is not None for choice in (client, address, workers)) > 1:
        raise UsageError(f"Pass only one of {CHOICES}.")
    if address is not None:
        client = _connected(address)
        return client, [client]
    if workers is not None:
        return _started(workers)
    return client if client is not None else _current(), []


def _current() -> Client:
    from distributed import get_client

    try:
        return get_client()
    except ValueError:
        raise UsageError(f"No Dask client is open. Open one, or pass {CHOICES}.") from None


def _connected(address: str) -> Client:
    from distributed import Client

    try:
        # On a thread of its own, since notebooks have a loop of events that runs already.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, _greet(address)).result()
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:  # of addresses without an answer, and of wrong ones
        reason = (str(error) or "no answer").splitlines()[0]
        raise UsageError(
            f"No Dask scheduler answers at {address!r} ({reason}). Pass the address that "
            "'dask scheduler' prints, such as 'tcp://10.0.0.1:8786', or start local processes with "
            "`workers=2`."
        ) from error


async def _greet(address: str) -> None:
    """Connect once: a client waits without end for a port that is open and does not answer."""
    from distributed.comm import connect
    from distributed.security import Security

    options = Security().get_connection_args("client")
    async with asyncio.timeout(PATIENCE):
        comm = await connect(address, timeout=PATIENCE, **options)
    comm.abort()


def _started(workers: int) -> tuple[Client, list[Any]]:
    from distributed import Client, LocalCluster

    if workers < 1:
        raise UsageError(f"workers must be at least 1, got {workers}.")
    try:
        cluster = LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        )
    except RuntimeError as error:
        raise FeatrankError(
            f"The {workers} processes of the cluster did not start ({error}). In a script, what "
            'starts them has to stand below `if __name__ == "__main__":`, since each process '
            "imports the script."
        ) from error
    client = Client(cluster, set_as_default=False)
    return client, [client, cluster]


@contextmanager
def named_failures(place_of: Callable[[Any], str | None]) -> Iterator[None]:
    """Say in plain words what became of workers; errors of the work itself pass through.

    ``place_of`` returns the name of a task's chunk, by the task's key.
    """
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        place = place_of(error.task) or "chunks, or on merging their states"
        raise FeatrankError(
            f"Out of memory on worker {error.last_worker.address}: it was killed while at work on "
            f"{place}. {WAY_OUT}"
        ) from error
    except MemoryError as error:
        raise FeatrankError(f"Out of memory on a worker: {error}. {WAY_OUT}") from error
    except CancelledError as error:
        raise FeatrankError(
            "The Dask cluster dropped the work: its scheduler stopped, or the data was persisted "
            "with another client. Check the logs of the scheduler, then run it again."
        ) from error
