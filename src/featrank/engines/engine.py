"""What every engine offers: work on the parts of a source, wherever that is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from featrank.exceptions import DataError
from featrank.sources import Part

State = TypeVar("State")
Result = TypeVar("Result")


class Engine(Protocol):
    """The verbs of all engines."""

    def fold(
        self,
        work: Callable[[Part], State],
        parts: Iterable[Part],
        merge: Callable[[State, State], State],
    ) -> State:
        """Return the states of all parts merged.

        Parameters
        ----------
        work : callable
            Makes a state of a part. It runs on other threads, or in other processes.
        parts : iterable of Part
            The parts, at least one.
        merge : callable
            Makes one state of two. States are merged in any order, and few exist at a time.
        """

    def each(
        self, work: Callable[[Part], Result], parts: Iterable[Part]
    ) -> Iterator[tuple[Part, Result]]:
        """Yield each part with what ``work`` makes of it, as they come, in any order.

        Few results are buffered: work continues as the caller takes them.
        """

    def keep(self, work: Callable[[Part], Any], parts: Iterable[Part]) -> Sequence[Any]:
        """Work on each part once, and keep what it makes where it was made.

        Returns
        -------
        parts : sequence
            Parts whose ``read`` gives what was made, for the other verbs of the same engine.
        """

    def room(self, memory: int) -> float:
        """Return how many bytes may be kept, where ``memory`` is what this process may take."""


def made_part(part: Part, made: Any) -> Part:
    """Return a part at the same place that holds what was made of it."""
    return Part(part.rows, part.columns, part.place, lambda: made)


def run(work: Callable[[Part], Result], part: Part) -> Result:
    """Call ``work`` on a part; an error is raised as it is, and names the place of the part."""
    try:
        return work(part)
    except BaseException as error:
        name_place(error, part.place)
        raise


def name_place(error: BaseException, place: str) -> None:
    """Add the place of a part to the message of an error.

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
    """Return the error for a source without parts."""
    return DataError("The data has no parts to work on. Is it empty?")
