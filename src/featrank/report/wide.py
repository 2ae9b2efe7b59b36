"""Tables that are wider than the terminal."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

# Wider than any table.
AMPLE = 100_000


@dataclass(frozen=True)
class Wide:
    """A table that is split into several if it is wider than the terminal.

    Each part starts with the first ``keys`` columns. No name is cut and no column is dropped.
    """

    table: Any
    keys: int = 1

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        """Yield the parts; called by rich."""
        left = list(range(self.keys, len(self.table.columns)))
        if self.table.title:
            yield self.table.title  # on its own, so that a narrow table does not wrap it
        first = True
        while left or first:
            count = self._fitting(left, console, options)
            yield self._part(left[:count])
            left, first = left[count:], False

    def _fitting(self, columns: list[int], console: Any, options: Any) -> int:
        """Return how many of the columns fit, at least one."""
        ample = options.update_width(AMPLE)
        for count in range(len(columns), 1, -1):
            part = self._part(columns[:count])
            if console.measure(part, options=ample).maximum <= options.max_width:
                return count
        return 1

    def _part(self, columns: list[int]) -> Any:
        part = copy(self.table)
        kept = [*range(self.keys), *columns]
        part.columns = [
            replace(self.table.columns[column], _index=place) for place, column in enumerate(kept)
        ]
        part.title = None
        return part
