"""Map over blocks of items with threads and progress reports."""

from collections.abc import Callable

from featrank._utils import threads
from featrank._utils.progress import tracked

# Number of blocks between two progress reports.
TOGETHER = 16


def map_panels(
    work: Callable[[slice], None], size: int, width: int, n_jobs: int | None = None
) -> None:
    """Call ``work`` in threads on each slice of at most ``width`` of ``size`` items.

    Examples
    --------
    >>> import numpy as np
    >>> squares = np.arange(5)
    >>> def work(items):
    ...     squares[items] **= 2
    >>> map_panels(work, size=5, width=2)
    >>> squares
    array([ 0,  1,  4,  9, 16])
    """
    for panel in tracked(threads.blocks(size, TOGETHER * width)):

        def moved(items: slice, start: int = panel.start) -> None:
            work(slice(start + items.start, start + items.stop))

        threads.map_blocks(moved, panel.stop - panel.start, width, n_jobs)
