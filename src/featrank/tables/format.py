"""What a file format declares of itself, once; help, errors and pages are made of it."""

from collections.abc import Collection
from dataclasses import dataclass

#: What a target names in most files.
COLUMN = "a column"


@dataclass(frozen=True)
class Format:
    """A file format of tables.

    Attributes
    ----------
    names : tuple of str
        What people call it.
    suffixes : tuple of str
        The ends of names of such files, in lower case.
    target : str or None
        What a target names in such a file ("a column"); None if none can be named.
    labels : str or None
        The labels that come along if no target is named; None if none do.
    writes : str or None
        What a file that featrank writes makes of a table; None if it only reads the format.
    loses : tuple of str
        What a written file cannot hold, of "labels", "names" and "ids".
    turns : bool
        Whether such a file may have its features in rows, and is turned if asked for.
    """

    names: tuple[str, ...]
    suffixes: tuple[str, ...]
    target: str | None = COLUMN
    labels: str | None = None
    writes: str | None = None
    loses: tuple[str, ...] = ()
    turns: bool = False

    @property
    def reading(self) -> str:
        """Where the labels are, as a sentence without its full stop."""
        if self.target is None:
            return f"the labels are {self.labels}"
        without = "" if self.labels is None else f"; without one, the labels are {self.labels}"
        return f"the target is {self.target}{without}"

    @property
    def losses(self) -> str:
        """What a written file cannot hold ("no labels and no names"), or nothing."""
        return self.losses_of(self.loses)

    def losses_of(self, what: Collection[str]) -> str:
        """Return the same for a table that has only some of it."""
        return " and ".join(f"no {one}" for one in self.loses if one in what)
