"""Names of millions of features: made on demand, or stored compactly as Arrow strings."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError
from featrank.sources.dropped_columns import Skipped

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Names", "NumberedNames", "StoredNames", "as_names", "repeated", "taken"]

# Names that are converted to Python strings at a time, when iterating.
_SOME = 65_536
# Where no columns are left out.
_NOTHING = Skipped()
# Repeated names that are looked for at a time.
_HASHES = 100

# Number of names that a ranker keeps as Python strings; more take too much memory.
MANY_NAMES = 10**6


class Names(Sequence[str]):
    """Base class: names compare like lists of the same strings."""

    #: Whether no two can be the same, by how they are made.
    distinct: ClassVar[bool] = False

    @abstractmethod
    def _one(self, place: int) -> str:
        """Return a name by a place that is not negative."""

    @abstractmethod
    def _some(self, places: slice) -> Names:
        """Return a range of the names, without a copy."""

    @abstractmethod
    def take(self, places: NDArray[np.integer]) -> list[str]:
        """Return the names at some places."""

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Names: ...

    def __getitem__(self, place: int | slice) -> str | Names:
        if isinstance(place, slice):
            return self._some(place)
        position, count = operator.index(place), len(self)
        if not -count <= position < count:
            raise IndexError(f"Position {position} is out of range for {count} names.")
        return self._one(position % count)

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _SOME):
            yield from self.take(np.arange(start, min(start + _SOME, len(self))))

    def __contains__(self, name: object) -> bool:
        try:
            self.index(name)
        except ValueError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) or not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(operator.eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, islice(self, 3)))
        more = f", … {len(self) - 3:,} more" if len(self) > 3 else ""
        return f"{type(self).__name__}([{shown}{more}])"


class NumberedNames(Names):
    """The names x0, x1, …, each made when it is asked for.

    Parameters
    ----------
    numbers : int or range
        How many, or which.
    prefix : str, default="x"
        What stands before the number.
    skipped : Skipped
        Numbers that are left out: columns of a file that are not features.

    Examples
    --------
    >>> names = NumberedNames(10_000_000)
    >>> names[-1], names.index("x42"), names[2:4] == ["x2", "x3"]
    ('x9999999', 42, True)
    >>> list(NumberedNames(3, skipped=Skipped((1,))))
    ['x0', 'x2', 'x3']
    """

    distinct = True

    def __init__(self, numbers: int | range, prefix: str = "x", skipped: Skipped = _NOTHING):
        self._numbers = range(numbers) if isinstance(numbers, int) else numbers
        self._prefix = prefix
        self._skipped = skipped

    def __len__(self) -> int:
        return len(self._numbers)

    def _one(self, place: int) -> str:
        return f"{self._prefix}{self._skipped.in_file(self._numbers[place])}"

    def _some(self, places: slice) -> NumberedNames:
        return NumberedNames(self._numbers[places], self._prefix, self._skipped)

    def take(self, places: NDArray[np.integer]) -> list[str]:
        """Return the names at some places."""
        return [self[place] for place in places.tolist()]

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a name; raise ValueError if it is unknown."""
        digits = name.removeprefix(self._prefix) if isinstance(name, str) else ""
        position = int(digits) if digits.isascii() and digits.isdecimal() else -1
        if f"{self._prefix}{position}" == name and position not in self._skipped.positions:
            number = self._skipped.features(slice(position, position + 1)).start
            if number in self._numbers:
                return _within(self._numbers.index(number), name, start, stop, len(self))
        raise ValueError(f"{name!r} is not a name here")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, NumberedNames) and self._skipped == other._skipped:
            return (self._prefix, self._numbers) == (other._prefix, other._numbers)
        return super().__eq__(other)

    __hash__ = None


class StoredNames(Names):
    """Names in a column of strings: 16 bytes each, and more for those beyond 12 bytes.

    Parameters
    ----------
    strings : polars.Series, pyarrow array or sequence of str
        The names; none may be missing.

    Examples
    --------
    >>> names = StoredNames(["rs1", "rs2", "rs3"])
    >>> names[1], names.index("rs3"), names[:2] == ["rs1", "rs2"]
    ('rs2', 2, True)
    """

    def __init__(self, strings: Any):
        import polars as pl

        column = strings if isinstance(strings, pl.Series) else pl.Series(values=strings)
        self._column: pl.Series = column.cast(pl.String)
        if self._column.null_count():
            first = int(self._column.is_null().arg_max() or 0)
            raise DataError(
                f"{self._column.null_count():,} of {len(column):,} names are missing, the first at "
                f"place {first:,}. Every feature needs a name."
            )

    @property
    def column(self) -> pl.Series:
        """The names as a column of strings."""
        return self._column

    def __len__(self) -> int:
        return len(self._column)

    def _one(self, place: int) -> str:
        name: str = self._column[place]
        return name

    def _some(self, places: slice) -> StoredNames:
        return StoredNames(self._column[places])

    def take(self, places: NDArray[np.integer]) -> list[str]:
        """Return the names at some places."""
        names: list[str] = self._column.gather(np.asarray(places)).to_list()
        return names

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the first place of a name; raise ValueError if it is unknown."""
        first, last, _ = slice(start, stop).indices(len(self))
        if isinstance(name, str):
            found = (self._column[first:last] == name).arg_true()
            if len(found):
                return first + int(found[0])
        raise ValueError(f"{name!r} is not a name here")

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredNames):
            return self._column.equals(other._column)
        return super().__eq__(other)

    __hash__ = None


def as_names(names: Any) -> Sequence[str]:
    """Return names as a sequence of strings; string columns are not copied.

    Examples
    --------
    >>> as_names(("a", 1))
    ['a', '1']
    """
    if isinstance(names, Names):
        return names
    if type(names).__module__.split(".")[0] in ("polars", "pyarrow"):
        return StoredNames(names)
    return [str(name) for name in names]


def taken(names: Sequence[str], places: NDArray[np.integer]) -> list[str]:
    """Return some of the names; no others are made.

    Examples
    --------
    >>> taken(["a", "b", "c"], np.array([2, 0])), taken(NumberedNames(9), np.array([8]))
    (['c', 'a'], ['x8'])
    """
    if isinstance(names, Names):
        return names.take(places)
    return [names[place] for place in places.tolist()]


def repeated(names: Sequence[str]) -> list[str]:
    """Return names that occur more than once; only about a hundred if there are many.

    Stored names are compared by hashes of 8 bytes each, Python strings by counting.

    Examples
    --------
    >>> repeated(["a", "b", "a", "c", "c"]), repeated(StoredNames(["a", "b", "a"]))
    (['a', 'c'], ['a'])
    """
    if isinstance(names, Names) and names.distinct:
        return []
    if isinstance(names, StoredNames):
        return _repeated_texts(names.column)
    if len(set(names)) == len(names):
        return []
    return _more_than_once(names)


def _repeated_texts(column: pl.Series) -> list[str]:
    hashes = column.hash()
    ordered = np.sort(hashes.to_numpy())
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    for start in range(0, len(shared), _HASHES):
        # Different strings may share a hash.
        similar = column.filter(hashes.is_in(set(shared[start : start + _HASHES].tolist())))
        found = _more_than_once(similar.to_list())
        if found:
            return found
    return []


def _more_than_once(names: Sequence[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]


def _within(place: int, name: Any, start: int, stop: int | None, count: int) -> int:
    first, last, _ = slice(start, stop).indices(count)
    if first <= place < last:
        return place
    raise ValueError(f"{name!r} is not among the names from {first} to {last}")


def kept_names(names: Sequence[str]) -> Sequence[str] | None:
    """Return the names that a ranker keeps: neither x0, x1, …, nor millions of names."""
    if len(names) > MANY_NAMES or NumberedNames(len(names)) == names:
        return None
    return names
