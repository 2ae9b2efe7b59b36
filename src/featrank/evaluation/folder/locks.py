"""A folder is written by one process at a time; one that has died holds nothing."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from featrank.evaluation.folder.numbered_files import usable
from featrank.evaluation.folder.signatures import Signature
from featrank.exceptions import UsageError

LOCK = ".lock"
#: Stands for the lock on file systems that have none.
WRITER = ".writer"
# Whoever has just taken a folder has signed within this time.
SECONDS, PAUSE = 2.0, 0.01


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for writing, or say who holds it.

    The system lets go of its lock when the process ends, however it ends. On file systems
    without locks a file says who writes, and counts for as long as that process lives. Where
    Python has no ``fcntl`` (Windows) folders are not locked.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    path, handle = _taken(folder, fcntl)
    try:
        with usable(folder):
            os.ftruncate(handle, 0)
            os.pwrite(handle, Signature.own().as_bytes(), 0)
        yield
    finally:
        # Before it is let go: whoever opened it meanwhile sees that it is gone, and tries anew.
        path.unlink(missing_ok=True)
        os.close(handle)


def _taken(folder: Path, fcntl: Any) -> tuple[Path, int]:
    """Return the file that stands for the folder, and its handle."""
    path = folder / LOCK
    try:
        return path, _held(path, lambda: _by_system(path, fcntl))
    except _NoLocksError:
        path.unlink(missing_ok=True)
    instead = folder / WRITER
    return instead, _held(instead, lambda: _by_name(instead))


def _held(path: Path, attempt: Callable[[], int | None]) -> int:
    """Take a folder; refuse if somebody has it, and wait for who has not signed yet."""
    deadline = time.monotonic() + SECONDS
    while True:
        with usable(path.parent):
            handle = attempt()
        if handle is not None:
            return handle
        holder = Signature.of(_content(path))
        if time.monotonic() > deadline or (holder is not None and not holder.has_ended()):
            raise UsageError(_refusal(path, holder))
        time.sleep(PAUSE)


def _refusal(path: Path, holder: Signature | None) -> str:
    sentence = (
        f"{str(path.parent)!r} is being written by {holder or 'another process'}. Wait until that "
        "has ended, or give another folder."
    )
    if path.name == LOCK:
        return sentence
    return f"{sentence} If there is no such run any more, delete {str(path)!r}."


class _NoLocksError(Exception):
    """The file system has no locks."""


def _by_system(path: Path, fcntl: Any) -> int | None:
    """Take the system's lock on a file; None if somebody has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if _is_at(handle, path):
            return handle
    except BlockingIOError:
        pass
    except OSError as error:
        os.close(handle)
        raise _NoLocksError from error
    os.close(handle)
    return None


def _is_at(handle: int, path: Path) -> bool:
    """Tell whether an open file is still the one of this name."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _by_name(path: Path) -> int | None:
    """Make a file that must not be there; None if it is. One of a dead process is removed."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        content = _content(path)
    holder = Signature.of(content)
    if holder is not None and holder.has_ended():
        _remove(path, content)
    return None


def _remove(path: Path, content: bytes) -> None:
    """Remove a file of this content; one that has taken its place meanwhile is put back."""
    aside = path.with_name(f".{secrets.token_hex(4)}.{path.name}")
    with suppress(FileNotFoundError):  # somebody else was quicker
        path.rename(aside)
    if _content(aside) != content:
        with suppress(OSError):
            os.link(aside, path)
    aside.unlink(missing_ok=True)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
