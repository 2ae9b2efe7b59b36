"""Tables with many columns, on terminals that are too narrow for them."""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

# Wider than any table: what a table would take if it could.
AMPLE = 100_000


@dataclass(frozen=True)
class Wide:
    """A table that becomes several, one under the other, where it is wider than the terminal.

    Each begins with the first ``keys`` columns, so that no name is cut and no column dropped.
    """

    table: Any
    keys: int = 1

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        """Give the parts; rich calls this."""
        left = list(range(self.keys, len(self.table.columns)))
        first = True
        while left or first:
            count = self._fitting(left, console, options)
            yield self._part(left[:count], titled=first)
            left, first = left[count:], False

    def _fitting(self, columns: list[int], console: Any, options: Any) -> int:
        """Return how many of these columns have room, at least one."""
        ample = options.update_width(AMPLE)
        for count in range(len(columns), 1, -1):
            part = self._part(columns[:count], titled=False)
            if console.measure(part, options=ample).maximum <= options.max_width:
                return count
        return 1

    def _part(self, columns: list[int], *, titled: bool) -> Any:
        part = copy(self.table)
        chosen = [*range(self.keys), *columns]
        part.columns = [
            replace(self.table.columns[column], _index=place) for place, column in enumerate(chosen)
        ]
        if not titled:
            part.title = None
        return part
