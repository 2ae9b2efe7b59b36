"""How a source is read: by which engine, in what memory, and from where after a stop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from operator import length_hint
from typing import Any, Protocol, TypeVar

from featrank._utils import progress
from featrank.data.checkpoint import Checkpoint
from featrank.data.partial_vectors import PartialVectors
from featrank.engines.engine import Engine
from featrank.sources import Chunk, Source

Merged = TypeVar("Merged", bound="Mergeable")
Result = TypeVar("Result")

# Parts per worker between two checks whether a checkpoint is due.
BATCH = 4
# The number of parts that is assumed if it is not known.
UNKNOWN = 2**40
# What a checkpoint calls the vectors of features.
DESCRIBED = "described"
# Larger blocks are not read faster, and Ctrl-C waits for those that are being read.
MOST_BLOCK = 2**27


class Mergeable(Protocol):
    """What a pass makes of parts: it merges, and travels as bytes."""

    def merge(self, other: Any) -> Any:
        """Return what both make together."""

    def to_bytes(self) -> bytes:
        """Return it as bytes."""

    @classmethod
    def from_bytes(cls, blob: bytes) -> Any:
        """Return what ``to_bytes`` wrote."""


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
        Number of parts that are processed at a time on one computer.
    checkpoint : Checkpoint or None
        Where states are stored, so that an interrupted run resumes.
    at_once : int or None
        Number of parts that are processed at a time on all computers. By default ``threads``.
    """

    engine: Engine
    memory: int
    threads: int
    checkpoint: Checkpoint | None = None
    at_once: int | None = None
    passes: int = 1
    _begun: int = field(default=0, init=False)

    @property
    def n_resident(self) -> int:
        """Blocks and states in memory at a time: those in work, two that wait, and the result."""
        # While a checkpoint is written, its state, its bytes and those of the file are in memory.
        return self.threads + (3 if self.checkpoint is None else 6)

    def block_bytes(self, source: Source) -> int:
        """The largest size of a block, including its conversions."""
        given = source.dtype.itemsize
        grown = 1 if source.dtype.kind == "f" and given in (4, 8) else 1 + 8 / given
        size = min(MOST_BLOCK, int(self.memory / 2 / self.n_resident / grown))
        return size if self.checkpoint is None else self.checkpoint.kept("block_bytes", size)

    def panel(self, per_feature: float) -> int:
        """The number of features that fit into memory at this many bytes each."""
        width = max(1, int(self.memory / 2 / self.n_resident / per_feature))
        if self.checkpoint is None:
            return width
        return self.checkpoint.kept(f"panel of {per_feature:g}", width)

    def fold(
        self,
        key: str,
        work: Callable[[Chunk], list[Merged]],
        source: Source,
        columns: slice,
        kind: type[Merged],
    ) -> list[Merged]:
        """Return what ``work`` makes of all parts, merged."""
        parts = _known(source.chunks(self.block_bytes(source), columns), source)
        with self._counted(source):
            if self.checkpoint is None or not source.again:
                return self.engine.fold(work, parts, merge_views)
            return self._resumed(key, work, parts, kind, self.checkpoint)

    def _resumed(
        self,
        key: str,
        work: Callable[[Chunk], list[Merged]],
        parts: Iterable[Chunk],
        kind: type[Merged],
        checkpoint: Checkpoint,
    ) -> list[Merged]:
        before, blobs = checkpoint.state(key)
        state = [kind.from_bytes(blob) for blob in blobs]
        for done, batch in self.batches(parts, before):
            found = self.engine.fold(work, batch, merge_views)
            state = merge_views(state, found) if state else found
            checkpoint.save(key, done, _bytes_of(state))
        return state

    def batches(self, parts: Iterable[Chunk], done: int) -> Iterator[tuple[int, list[Chunk]]]:
        """Yield batches of the parts that are not done, and how many are done after each."""
        waiting, total = iter(parts), length_hint(parts) or UNKNOWN
        next(islice(waiting, done, done), None)
        step = BATCH * (self.at_once or self.threads)
        while batch := list(islice(waiting, step)):
            with progress.within(done, total):
                yield done + len(batch), batch
            done += len(batch)

    def each(
        self, work: Callable[[Chunk], Result], source: Source, parts: Iterable[Chunk] | None = None
    ) -> Iterator[tuple[Chunk, Result]]:
        """Yield each part with what ``work`` makes of it, as they come."""
        given = source.chunks(self.block_bytes(source)) if parts is None else parts
        with self._counted(source):
            yield from self.engine.each(work, _known(given, source))

    def each_kept(
        self, work: Callable[[Chunk], Result], source: Source, known: PartialVectors
    ) -> Iterator[tuple[Chunk, Result]]:
        """Yield the same, and keep in the checkpoint what becomes known of the features.

        A resumed run starts from the stored state; the last part is always processed.
        """
        parts = _known(source.chunks(self.block_bytes(source)), source)
        with self._counted(source):
            if self.checkpoint is None:
                yield from self.engine.each(work, parts)
                return
            before = min(self._taken_up(self.checkpoint, known), length_hint(parts) - 1)
            for done, batch in self.batches(parts, before):
                yield from self.engine.each(work, batch)
                self.checkpoint.save(DESCRIBED, done, lambda: [known.to_bytes()])

    def left(self, panels: list[slice], known: PartialVectors) -> list[slice]:
        """Return the panels of features that an earlier run has not come to; the last always."""
        if self.checkpoint is None:
            return panels
        done = min(self._taken_up(self.checkpoint, known), len(panels) - 1)
        self._begun += done
        return panels[done:]

    def keep(self, panels: list[slice], columns: slice, known: PartialVectors, key: str) -> None:
        """Keep what is known of the features after a panel, instead of the state of its pass."""
        if self.checkpoint is None or columns == panels[-1]:
            return
        done = panels.index(columns) + 1
        self.checkpoint.forget(key)
        self.checkpoint.save(DESCRIBED, done, lambda: [known.to_bytes()])

    @staticmethod
    def _taken_up(checkpoint: Checkpoint, known: PartialVectors) -> int:
        done, blobs = checkpoint.state(DESCRIBED)
        for blob in blobs:
            known.load(blob)
        return done

    def numbered(
        self, work: Callable[[Chunk], Result], source: Source, columns: slice = slice(None)
    ) -> Iterator[tuple[int, Chunk, Result]]:
        """Yield the same with the number of each part, in whatever order they come."""
        numbers: dict[int, int] = {}

        def counted() -> Iterator[Chunk]:
            for number, part in enumerate(source.chunks(self.block_bytes(source), columns)):
                numbers[id(part)] = number
                yield part

        for part, result in self.each(work, source, counted()):
            yield numbers.pop(id(part)), part, result

    def _counted(self, source: Source) -> Any:
        """Report progress over all passes."""
        begun = self._begun
        self._begun += 1
        return progress.pass_of(begun, max(self.passes, begun + 1), max(1, source.n_bytes or 0))


def merge_views(first: list[Merged], second: list[Merged]) -> list[Merged]:
    """Merge what two parts gave, view by view."""
    return [one.merge(other) for one, other in zip(first, second, strict=True)]


def _known(parts: Iterable[Chunk], source: Source) -> Iterable[Chunk]:
    """Return the parts as a list, unless they hold their data."""
    return parts if source.held else list(parts)


def _bytes_of(state: list[Merged]) -> Callable[[], list[bytes]]:
    return lambda: [one.to_bytes() for one in state]
