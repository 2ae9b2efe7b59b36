"""How a source is read: by which engine, in what memory, and from where after a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from featrank import progress
from featrank.engines.engine import Engine
from featrank.sources import Part, Source

from .checkpoint import Checkpoint
from .ranges import Ranges
from .summary import Summary

Merged = TypeVar("Merged", Ranges, Summary)
Result = TypeVar("Result")

# Parts between two looks at whether a checkpoint is due, for each thread.
BATCH = 4


@dataclass
class Reader:
    """Works on the parts of sources.

    Attributes
    ----------
    engine : Engine
        Where parts are read.
    memory : int
        Bytes that blocks and states may take together.
    threads : int
        Parts that are worked on at a time, on one machine.
    checkpoint : Checkpoint or None
        Where states are kept, so that a run goes on after a stop.
    """

    engine: Engine
    memory: int
    threads: int
    checkpoint: Checkpoint | None = None
    passes: int = 1
    _begun: int = field(default=0, init=False)

    @property
    def copies(self) -> int:
        """Blocks and states that exist at a time: those at work, two that wait, the whole."""
        return self.threads + 3

    def block_bytes(self, source: Source) -> int:
        """How large a block may be, with what it becomes on the way."""
        given = source.dtype.itemsize
        grown = 1 if source.dtype.kind == "f" and given in (4, 8) else 1 + 8 / given
        size = int(self.memory / 2 / self.copies / grown)
        return size if self.checkpoint is None else self.checkpoint.kept("block_bytes", size)

    def panel(self, per_feature: float) -> int:
        """How many features have room for so many bytes of each."""
        width = max(1, int(self.memory / 2 / self.copies / per_feature))
        return width if self.checkpoint is None else self.checkpoint.kept("panel", width)

    def fold(
        self,
        key: str,
        work: Callable[[Part], list[Merged]],
        source: Source,
        columns: slice,
        kind: type[Merged],
    ) -> list[Merged]:
        """Return what ``work`` makes of all parts, merged."""
        size = self.block_bytes(source)
        given = source.parts(size, columns)
        with self._counted(source):
            if self.checkpoint is None or not source.again:
                return self.engine.fold(work, given, merge_views)
            return self._resumed(key, work, list(given), kind, self.checkpoint)

    def _resumed(
        self,
        key: str,
        work: Callable[[Part], list[Merged]],
        parts: list[Part],
        kind: type[Merged],
        checkpoint: Checkpoint,
    ) -> list[Merged]:
        done, blobs = checkpoint.state(key)
        state = [kind.from_bytes(blob) for blob in blobs]
        step = BATCH * self.threads
        for start in range(done, len(parts), step):
            with progress.within(start, len(parts)):
                found = self.engine.fold(work, parts[start : start + step], merge_views)
            state = merge_views(state, found) if state else found
            checkpoint.save(key, min(start + step, len(parts)), state, len(parts))
        return state

    def each(
        self, work: Callable[[Part], Result], source: Source, parts: Iterable[Part] | None = None
    ) -> Iterator[tuple[Part, Result]]:
        """Yield each part with what ``work`` makes of it, as they come."""
        given = source.parts(self.block_bytes(source)) if parts is None else parts
        with self._counted(source):
            yield from self.engine.each(work, list(given) if source.again else given)

    def _counted(self, source: Source) -> Any:
        """Tell progress over all passes."""
        begun = self._begun
        self._begun += 1
        return progress.stretch(begun, max(self.passes, begun + 1), _bytes(source))


def merge_views(first: list[Merged], second: list[Merged]) -> list[Merged]:
    """Merge what two parts gave, view by view."""
    return [one.merge(other) for one, other in zip(first, second, strict=True)]


def _bytes(source: Source) -> int:
    """Return about how many bytes a pass reads, or 1."""
    n_rows, n_features = source.shape
    return max(1, (n_rows or 0) * n_features * source.dtype.itemsize)
