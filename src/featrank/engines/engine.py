"""What every engine offers: work on the chunks of a source, wherever that is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from featrank.exceptions import DataError
from featrank.sources import Chunk

State = TypeVar("State")
Result = TypeVar("Result")


class Engine(Protocol):
    """The verbs of all engines."""

    def fold(
        self,
        work: Callable[[Chunk], State],
        chunks: Iterable[Chunk],
        merge: Callable[[State, State], State],
    ) -> State:
        """Return the states of all chunks merged.

        Parameters
        ----------
        work : callable
            Makes a state of a chunk. It runs on other threads, or in other processes.
        chunks : iterable of Chunk
            The chunks, at least one.
        merge : callable
            Makes one state of two. States are merged in any order, and few exist at a time.
        """

    def each(
        self, work: Callable[[Chunk], Result], chunks: Iterable[Chunk]
    ) -> Iterator[tuple[Chunk, Result]]:
        """Yield each chunk with what ``work`` makes of it, as they come, in any order.

        Few results are buffered: work continues as the caller takes them.
        """

    def keep(self, work: Callable[[Chunk], Any], chunks: Iterable[Chunk]) -> Sequence[Any]:
        """Work on each chunk once, and keep what it makes where it was made.

        Returns
        -------
        chunks : sequence
            Chunks whose ``read`` gives what was made, for the other verbs of the same engine.
        """

    def room(self, memory: int) -> float:
        """Return how many bytes may be kept, where ``memory`` is what this process may take."""


def made_part(chunk: Chunk, made: Any) -> Chunk:
    """Return a chunk at the same place that holds what was made of it."""
    return Chunk(chunk.rows, chunk.columns, chunk.place, lambda: made)


def run(work: Callable[[Chunk], Result], chunk: Chunk) -> Result:
    """Call ``work`` on a chunk; an error is raised as it is, and names the place of the chunk."""
    try:
        return work(chunk)
    except BaseException as error:
        name_place(error, chunk.place)
        raise


def name_place(error: BaseException, place: str) -> None:
    """Add the place of a chunk to the message of an error.

    Examples
    --------
    >>> error = ValueError("bad code")
    >>> name_place(error, "rows 0 to 9 of 'big.zarr'")
    >>> error
    ValueError("bad code (in rows 0 to 9 of 'big.zarr')")
    """
    if place in str(error):
        return
    if isinstance(error, OSError) and error.strerror:
        error.strerror = f"{error.strerror} (in {place})"
        error.args = (error.errno, error.strerror)
    elif len(error.args) == 1 and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]} (in {place})",)
    else:
        error.add_note(f"In {place}.")


def no_parts() -> DataError:
    """Return the error for a source without chunks."""
    return DataError("The data has no chunks to work on. Is it empty?")
