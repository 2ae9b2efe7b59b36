"""The tasks of a fold: one per chunk in short runs, and a tree that merges the runs."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import count
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from featrank.engines.engine import run
from featrank.sources import Chunk
from featrank.sources.dask_collections import DaskChunk

if TYPE_CHECKING:
    from distributed import Client, Future

# Consecutive chunks that one state passes through, so that few states move between workers; when a
# worker is lost, this many have to be recomputed one after the other.
LONGEST_RUN = 16
# Runs for each thread, so that none is without work while others finish.
RUNS_A_THREAD = 4
# States that are in one place when they are merged.
MERGED_AT_ONCE = 4

Key = str | tuple[str, int]
Functions = tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]


class FoldGraph:
    """The graph of a fold, and the places of its keys.

    The functions are in it once, pickled; chunks are what they are: small.

    Attributes
    ----------
    tasks : dict
        Dask's tasks by their keys.
    root : str or tuple
        The key of the merged state.
    places : dict
        What to call the chunk of a key in messages.
    """

    def __init__(
        self,
        work: Callable[[Chunk], Any],
        chunks: Sequence[Chunk],
        merge: Callable[[Any, Any], Any],
        threads: int,
        topic: str,
    ):
        self._token, self._topic = uuid4().hex, topic
        self._functions = f"featrank-functions-{self._token}"
        self.tasks: dict[Any, Any] = dict(blocks_of(chunks))
        self.places: dict[Key, str] = {}
        self._add(self._functions, pickle.loads, packed((work, merge)))
        length = min(LONGEST_RUN, max(1, len(chunks) // (RUNS_A_THREAD * max(1, threads))))
        ends = [
            self._run(chunks[start : start + length], start)
            for start in range(0, len(chunks), length)
        ]
        self.root = self._tree(ends)

    def _run(self, chunks: Sequence[Chunk], start: int) -> Key:
        """Add a run of chunks that one state passes through; return the key of its last."""
        before: Key | None = None
        for index, chunk in enumerate(chunks, start):
            # Dask hands out only as many tasks of a kind that begins as there are threads.
            kind = "first" if before is None else "next"
            key = (f"featrank-{kind}-{self._token}", index)
            state = None if before is None else _reference(before)
            event = (self._topic, index)
            self._add(
                key,
                fold_part,
                _reference(self._functions),
                state,
                event,
                light(chunk),
                *_given(chunk),
            )
            self.places[key] = chunk.place
            before = key
        assert before is not None
        return before

    def _tree(self, keys: Sequence[Key]) -> Key:
        for level in count():
            if len(keys) == 1:
                return keys[0]
            groups = [
                keys[start : start + MERGED_AT_ONCE]
                for start in range(0, len(keys), MERGED_AT_ONCE)
            ]
            keys = [self._merged(group, level, place) for place, group in enumerate(groups)]
        raise AssertionError

    def _merged(self, keys: Sequence[Key], level: int, place: int) -> Key:
        if len(keys) == 1:
            return keys[0]
        key = (f"featrank-merge-{level}-{self._token}", place)
        self._add(key, merge_states, _reference(self._functions), *map(_reference, keys))
        return key

    def _add(self, key: Key, function: Callable[..., Any], *arguments: Any) -> None:
        from dask.task_spec import Task

        self.tasks[key] = Task(key, function, *arguments)


def _reference(key: Key) -> Any:
    from dask.task_spec import TaskRef

    return TaskRef(key)


def packed(functions: Any) -> bytes:
    """Return functions as bytes; those of notebooks and closures too."""
    import cloudpickle

    return bytes(cloudpickle.dumps(functions))


def blocks_of(chunks: Sequence[Chunk]) -> Mapping[Any, Any]:
    """Return the tasks that make the blocks of chunks that Dask itself holds; else none."""
    plans = {id(chunk.plan): chunk.plan for chunk in chunks if isinstance(chunk, DaskChunk)}
    tasks: dict[Any, Any] = {}
    for plan in plans.values():
        tasks.update(plan.tasks)
    return tasks


def block_futures(client: Client, chunk: Chunk) -> list[Future]:
    """Let Dask make the blocks of one chunk that it holds; else there are none."""
    from dask.optimization import cull

    if not isinstance(chunk, DaskChunk):
        return []
    tasks, _ = cull(chunk.plan.tasks, list(chunk.keys))
    return list(client.get(tasks, list(chunk.keys), sync=False))


def block_place(chunks: Iterable[Chunk], key: Any) -> str | None:
    """Return the place of the chunk whose blocks need a task, by its key."""
    from dask.optimization import cull

    held = (chunk for chunk in chunks if isinstance(chunk, DaskChunk))
    needing = (chunk.place for chunk in held if key in cull(chunk.plan.tasks, list(chunk.keys))[0])
    return next(needing, None)


def light(chunk: Chunk) -> Chunk:
    """Return what a worker has to know of a chunk; it reads what Dask holds from its values."""
    if not isinstance(chunk, DaskChunk):
        return chunk
    return Chunk(chunk.rows, chunk.columns, chunk.place, chunk.join)


def _given(chunk: Chunk) -> list[Any]:
    """Return references to the blocks of a chunk that Dask holds."""
    return [_reference(key) for key in chunk.keys] if isinstance(chunk, DaskChunk) else []


def work_on(work: Callable[[Any], Any], chunk: Chunk, *blocks: Any) -> Any:
    """Work on a chunk on a worker; its blocks may be there already."""
    return run(work, replace(chunk, read=partial(chunk.read, blocks)) if blocks else chunk)


def fold_part(
    functions: Functions, state: Any, event: tuple[str, int], chunk: Any, *blocks: Any
) -> Any:
    """Process a chunk, merge its state into that of the run, and report it."""
    from distributed import get_worker

    work, merge = functions
    found = work_on(work, chunk, *blocks)
    topic, index = event
    get_worker().log_event(topic, index)
    return found if state is None else merge(state, found)


def merge_states(functions: Functions, *states: Any) -> Any:
    """Merge states on a worker."""
    return reduce(functions[1], states)
