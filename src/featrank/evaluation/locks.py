"""A folder is written by one process at a time; one that has died holds nothing."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from featrank.exceptions import UsageError

from .numbered_files import usable

LOCK = ".lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for writing, or say who holds it.

    The system lets go of the lock when the process ends, however it ends. Where Python has no
    ``fcntl`` (Windows), or the file system no locks, folders are not locked.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    path = folder / LOCK
    handle = _taken(path, fcntl)
    try:
        _sign(handle)
        yield
    finally:
        # Before it is let go: whoever opened it meanwhile sees that it is gone, and tries anew.
        path.unlink(missing_ok=True)
        os.close(handle)


def _taken(path: Path, fcntl: Any) -> int:
    while True:
        with usable(path.parent):
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(handle)
            os.close(handle)
            raise UsageError(
                f"{str(path.parent)!r} is being written by {holder}. Wait until that has ended, "
                "or give another folder."
            ) from None
        except OSError:  # a file system without locks
            return handle
        if _is_at(handle, path):
            return handle
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    """Tell whether an open file is still the one of this name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _sign(handle: int) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    text = json.dumps({"process": os.getpid(), "host": socket.gethostname(), "since": since})
    os.ftruncate(handle, 0)
    os.pwrite(handle, text.encode(), 0)


def _holder(handle: int) -> str:
    try:
        found = json.loads(os.pread(handle, 4096, 0))
        return f"process {found['process']} on {found['host']} since {found['since']}"
    except (OSError, ValueError, KeyError, TypeError):  # it has only just been taken
        return "another process"
