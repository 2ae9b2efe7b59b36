"""The engine of a cluster: chunks are read and worked on by the workers of Dask."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from operator import itemgetter, length_hint
from threading import Event
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from featrank._utils.progress import report
from featrank.engines.dask_clients import named_failures, opened
from featrank.engines.dask_graph import (
    FoldGraph,
    block_futures,
    block_place,
    light,
    packed,
    work_on,
)
from featrank.engines.engine import Result, State, name_place, no_parts
from featrank.sources import Chunk
from featrank.sources.dask_collections import DaskChunk, Plan

if TYPE_CHECKING:
    from distributed import Client, Future

# Seconds between two checks of the workers' progress.
TICK = 0.1


class DaskEngine:
    """Work on the chunks of a source on a Dask cluster.

    Workers read the chunks themselves, so that paths must lead to the same files there. Only
    states and results move. What was opened here is closed by :meth:`close`, or at the end of a
    ``with`` block; a client that was given stays open.

    Parameters
    ----------
    client : distributed.Client, optional
        A client to use. If nothing at all is given, the current one is used.
    address : str, optional
        Address of a scheduler, such as ``tcp://10.0.0.1:8786``.
    workers : int, optional
        Number of processes to start on this computer.

    Examples
    --------
    >>> from featrank.engines.dask import DaskEngine
    >>> with DaskEngine(workers=2) as engine:  # doctest: +SKIP
    ...     engine.fold(work, source.chunks(2**27), merge)
    """

    def __init__(
        self, client: Client | None = None, address: str | None = None, workers: int | None = None
    ):
        self.client, self._owned = opened(client, address, workers)
        self._topic = f"featrank-{uuid4().hex}"

    def __enter__(self) -> DaskEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what was opened here: the client, and the processes that it started."""
        for one in self._owned:
            one.close()
        self._owned = []

    def fold(
        self,
        work: Callable[[Chunk], State],
        chunks: Iterable[Chunk],
        merge: Callable[[State, State], State],
    ) -> State:
        """Return the states of all chunks merged, on the workers and in a tree."""
        chunks = list(chunks)
        if not chunks:
            raise no_parts()
        graph = FoldGraph(work, chunks, merge, self._threads(), self._topic)

        def place_of(key: Any) -> str | None:
            return graph.places.get(key) or block_place(chunks, key)

        with named_failures(place_of), _large_graphs():
            root = self.client.get(graph.tasks, graph.root, sync=False)
            del graph.tasks
            try:
                self._await(root, len(chunks))
                return root.result()
            except Exception as error:
                self._name_cause(error, root, place_of)
                raise
            finally:
                self._drop([root])

    def each(
        self, work: Callable[[Chunk], Result], chunks: Iterable[Chunk]
    ) -> Generator[tuple[Chunk, Result], None, None]:
        """Yield each chunk with what ``work`` makes of it, as they come.

        Two for each thread of the cluster are under way or wait here.
        """
        from distributed import as_completed

        done, total, waiting = 0, length_hint(chunks), iter(chunks)
        most = 2 * max(1, self._threads())
        begun: dict[Future, Chunk] = {}
        finished = as_completed(loop=self.client.loop)
        try:
            with named_failures(partial(_place_among, begun)):
                function = self._sent(work)
                while True:
                    for chunk in islice(waiting, most - len(begun)):
                        future = self._submitted(function, chunk)
                        begun[future] = chunk
                        finished.add(future)
                        del future
                    if not begun:
                        return
                    yield self._taken(next(finished), begun)
                    done += 1
                    if total:
                        report(done, total)
        finally:
            self._drop(list(begun))

    def keep(self, work: Callable[[Chunk], Any], chunks: Iterable[Chunk]) -> list[DaskChunk]:
        """Work on each chunk once, and keep what it makes on the worker that made it.

        It is kept as long as the chunks exist. Results lost with a worker are recomputed.
        """
        from distributed import as_completed

        chunks = list(chunks)
        function = self._sent(work)
        futures = [self._submitted(function, chunk) for chunk in chunks]
        begun = dict(zip(futures, chunks, strict=True))
        with named_failures(partial(_place_among, begun)):
            try:
                for done, future in enumerate(as_completed(futures, loop=self.client.loop), 1):
                    if future.status != "finished":
                        self._taken(future, begun)
                    report(done, len(chunks))
            except BaseException:
                self._drop(futures)
                raise
        plan = Plan({future.key: future for future in futures}, [], None, ())
        return [
            plan.chunk(chunk.rows, chunk.columns, chunk.place, itemgetter(0), (future.key,))
            for future in self._by_worker(futures)
            for chunk in [begun[future]]
        ]

    def _by_worker(self, futures: list[Future]) -> list[Future]:
        """Put side by side what is in one place: folds pass one state through some in a row."""
        workers = self.client.who_has(futures)
        return sorted(futures, key=lambda future: workers.get(future.key) or ())

    def room(self, memory: int) -> float:
        """Return half of what the workers may take together."""
        # Of large clusters the scheduler describes some workers only.
        limits = [one["memory_limit"] for one in self.client.scheduler_info()["workers"].values()]
        if not limits or not all(limits):  # 0 is without a limit
            return math.inf if limits else 0.0
        return len(self.client.nthreads()) * sum(limits) / len(limits) / 2

    def _sent(self, work: Callable[[Chunk], Any]) -> Future:
        with _large_graphs():
            return self.client.submit(pickle.loads, packed(work), pure=False)

    def _submitted(self, function: Future, chunk: Chunk) -> Future:
        blocks = block_futures(self.client, chunk)
        return self.client.submit(work_on, function, light(chunk), *blocks, pure=False)

    @staticmethod
    def _taken(future: Future, begun: dict[Future, Chunk]) -> tuple[Chunk, Any]:
        try:
            result = future.result()
        except Exception as error:
            name_place(error, begun[future].place)
            raise
        return begun.pop(future), result

    def _name_cause(
        self, error: Exception, root: Future, place_of: Callable[[Any], str | None]
    ) -> None:
        """Add to an error the place of the block that Dask could not make."""
        with suppress(Exception):  # the error itself is what matters
            cause = self.client.sync(self.client.scheduler.get_error_cause, keys=[root.key])
            place = place_of(tuple(cause) if isinstance(cause, list) else cause)
            if place is not None:
                name_place(error, place)

    def _threads(self) -> int:
        return sum(self.client.nthreads().values())

    def _await(self, root: Future, total: int) -> None:
        """Wait for a future, reporting how many chunks are done."""
        done: set[int] = set()  # a chunk that was lost with its worker is reported twice
        news, seen = Event(), 0
        self.client.subscribe_topic(self._topic, lambda event: done.add(event[1]))
        root.add_done_callback(lambda _: news.set())
        try:
            while not root.done():
                news.wait(TICK)
                if len(done) > seen:
                    seen = len(done)
                    report(seen, total)
        finally:
            self.client.unsubscribe_topic(self._topic)
        if root.status == "finished" and seen < total:
            report(total, total)

    def _drop(self, futures: list[Future]) -> None:
        """Let go of what is not wanted any more: what has not begun never does."""
        with suppress(Exception):  # the cluster may be gone, and the reason is being raised
            self.client.cancel(futures)


def _place_among(begun: dict[Future, Chunk], key: Any) -> str | None:
    """Return the place of the chunk that a task belongs to."""
    places = (chunk.place for future, chunk in begun.items() if future.key == key)
    return next(places, None) or block_place(begun.values(), key)


@contextmanager
def _large_graphs() -> Iterator[None]:
    """Let functions carry what they need, such as the ranges of ten million features."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "16 GiB"}):
        yield
