"""How much a search for neighbours takes, from the shape of the samples alone."""

from __future__ import annotations

from featrank._utils import threads
from featrank._utils.probe import PROBED
from featrank.neighbours.nearest import is_wide

# Rows whose distances to all others a thread holds at a time, and tables of those of wide data.
HELD, TABLES = 32, 6
# Columns to which a row in short is filled up.
ALIGNED = 64
# A search of more columns takes longer in proportion.
MOST_COLUMNS = 2048


def probe_shape(n_samples: int, n_features: int) -> tuple[int, int]:
    """Return a shape whose search is short, and of the same kind as that of the given one."""
    if is_wide(n_samples, n_features):
        rows = min(n_samples, int((PROBED / 16) ** (1 / 3)))
        return rows, 16 * rows
    columns = min(n_features, MOST_COLUMNS)
    return min(n_samples, int((PROBED / max(columns, ALIGNED)) ** 0.5)), columns


def search_bytes(n_samples: int, n_features: int, width: int, n_jobs: int | None) -> int:
    """Return the bytes of a search whose sketch has so many for a value."""
    if is_wide(n_samples, n_features):
        return TABLES * 8 * n_samples**2
    sketch = width * -(-n_features // ALIGNED) * ALIGNED
    return n_samples * (sketch + 8 * HELD * threads.workers(n_jobs))
