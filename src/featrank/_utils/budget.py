"""Memory: how much is free, how much may be used, and whether an array fits."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from featrank.exceptions import DataError, UsageError

# By default, the budget is the free memory divided by this number.
SHARE = 4
# The smallest blocks need at least this many bytes.
LEAST = 16 * 2**20
# The glibc option for the size above which freed blocks are returned to the system.
_MMAP_THRESHOLD = -3
# The limit in bytes, and the memory in use when it was set.
_LIMIT: ContextVar[tuple[int, int] | None] = ContextVar("_LIMIT", default=None)
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def memory_budget(given: str | int | None = None) -> int:
    """Return how many bytes may be used: as given, or a quarter of the free memory.

    Examples
    --------
    >>> memory_budget("2GB") == memory_budget(2 * 2**30) == 2147483648
    True
    """
    if given is None:
        return max(LEAST, free_memory() // SHARE)
    budget = parse_size(given)
    if budget < LEAST:
        raise UsageError(
            f"{given!r} is too little memory to work with. Give {LEAST >> 20} MB or more."
        )
    return budget


def parse_size(given: str | int) -> int:
    """Parse a size in bytes. Strings may have a unit of K, M, G or T, with or without B.

    Examples
    --------
    >>> parse_size("1.5 GB"), parse_size("300m"), parse_size(4096)
    (1610612736, 314572800, 4096)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*", str(given), re.IGNORECASE)
    if match is None:
        raise UsageError(f'{given!r} is not a memory size. Use `memory="4GB"`.')
    return int(float(match[1]) * _UNITS[match[2].upper()])


def written_size(size: float) -> str:
    """Return a size with a unit.

    Examples
    --------
    >>> written_size(3.2e9), written_size(1500), written_size(12)
    ('3.0 GB', '1.5 KB', '12 B')
    """
    units = ["TB", "GB", "MB", "KB", "B"]
    while size >= 1024 and len(units) > 1:
        size, _ = size / 1024, units.pop()
    return (
        f"{size:.0f} {units[-1]}" if len(units) == 5 or size >= 100 else f"{size:.1f} {units[-1]}"
    )


def free_memory() -> int:
    """Return the bytes that this process can still allocate, as far as the system reports it.

    Inside :func:`at_most`, this is at most what remains of that limit.
    """
    return min(_system(), _control_group(), _own_limit(), _given_limit())


def require(needed: float, message: Callable[[str, str], str], limit: int | None = None) -> None:
    """Raise a DataError if ``needed`` bytes exceed the limit.

    Parameters
    ----------
    needed : float
        The required bytes.
    message : callable
        Returns the error message for the needed and the allowed size, as strings.
    limit : int or None
        The allowed bytes. By default the free memory.

    Examples
    --------
    >>> require(2**30, lambda needed, limit: f"It takes {needed} of {limit}.", limit=2**29)
    Traceback (most recent call last):
    ...
    featrank.exceptions.DataError: It takes 1.0 GB of 512 MB.
    """
    limit = free_memory() if limit is None else limit
    if needed > limit:
        raise DataError(message(written_size(needed), written_size(limit)))


@contextmanager
def at_most(given: str | int | None) -> Iterator[None]:
    """Limit the memory of the code inside the block. None sets no limit.

    Inside the block, :func:`free_memory` returns what remains of the limit.

    Examples
    --------
    >>> with at_most("64MB"):
    ...     free_memory() <= 64 * 2**20
    True
    """
    token = _LIMIT.set(None if given is None else (memory_budget(given), _resident()))
    try:
        yield
    finally:
        _LIMIT.reset(token)


def _given_limit() -> int:
    limit = _LIMIT.get()
    return 2**62 if limit is None else max(0, limit[0] - max(0, _resident() - limit[1]))


def _resident() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def give_back_freed_blocks() -> None:
    """Make the C library return large blocks to the system as soon as they are freed.

    glibc would keep them for the thread that allocated them, which can double the memory in use.
    """
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    with suppress(AttributeError, OSError):  # Other C libraries have no mallopt.
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 2**20)


def _system() -> int:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        kilobytes = next(line.split()[1] for line in lines if line.startswith("MemAvailable"))
        return int(kilobytes) * 1024
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 * 2**30


def _control_group() -> int:
    """Return the bytes that the limit of the container leaves."""
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text().strip()
        used = int((folder / "memory.current").read_text())
        return 2**62 if most == "max" else max(0, int(most) - used)
    except (OSError, ValueError):
        return 2**62


def _own_limit() -> int:
    """Return the bytes that the limit of this process leaves."""
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError, ValueError):
        return 2**62
    return 2**62 if most < 0 else max(0, most - pages * os.sysconf("SC_PAGE_SIZE"))
