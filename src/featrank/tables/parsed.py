"""What a file contains, before its target is chosen and its missing values are handled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from featrank.exceptions import FeatrankError

if TYPE_CHECKING:
    import polars as pl

    from featrank.tables.samples import Samples


@dataclass(frozen=True, eq=False)
class Parsed:
    """The parsed content of a file.

    Attributes
    ----------
    names : sequence of str
        The names of the columns of the table, which may repeat.
    columns : list of polars.Series or None
        The columns, if the file is a table of typed columns.
    X : ndarray or sparse matrix or None
        The values, if the file contains a matrix.
    samples : Samples
        IDs and annotations of the samples.
    y : array-like or None
        Labels that the file stores.
    target_name : str or None
        What the file calls these labels.
    """

    names: Sequence[str]
    samples: Samples
    columns: list[pl.Series] | None = None
    X: Any = None
    y: Any = None
    target_name: str | None = None


class ParsedOnly(FeatrankError):
    """Ends the reading of a file after it has been parsed."""

    def __init__(self, parsed: Parsed):
        super().__init__("The file was parsed.")
        self.parsed = parsed


def only_parse(read: Callable[[Callable[[Parsed], None]], Any]) -> Parsed:
    """Return what a file contains: ``read`` reads it with ``ReadOptions.on_parsed`` set."""

    def stop(parsed: Parsed) -> None:
        raise ParsedOnly(parsed)

    try:
        read(stop)
    except ParsedOnly as end:
        return end.parsed
    raise AssertionError("Every reader calls on_parsed.")
