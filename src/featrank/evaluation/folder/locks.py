"""Locks: only one process at a time writes to a results folder."""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from featrank.evaluation.folder.numbered_files import usable
from featrank.exceptions import UsageError

LOCK = ".lock"
#: The lock on file systems without file locks.
WRITER = ".writer"
# How long to wait for the process that took a lock to sign it.
SECONDS, PAUSE = 2.0, 0.01


@dataclass(frozen=True)
class Signature:
    """A process and the time since which it holds a folder."""

    process: int
    host: str
    since: str

    @classmethod
    def own(cls) -> Signature:
        """Return the signature of this process, with the current time."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(os.getpid(), socket.gethostname(), now)

    @classmethod
    def of(cls, content: bytes) -> Signature | None:
        """Return the signature in a file, or None if it has none yet."""
        try:
            fields = json.loads(content)
            return cls(int(fields["process"]), str(fields["host"]), str(fields["since"]))
        except (ValueError, KeyError, TypeError, OverflowError):
            return None

    def as_bytes(self) -> bytes:
        """Return the signature as JSON."""
        return json.dumps(asdict(self)).encode()

    def has_ended(self) -> bool:
        """Whether the process is known to have ended; False for processes on other computers."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.process, 0)
        except (ProcessLookupError, OverflowError):
            return True
        except OSError:  # another user's process
            return False
        return False

    def __str__(self) -> str:
        return f"process {self.process} on {self.host} since {self.since}"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for writing, or raise an error that names the process that holds it.

    The system releases its lock when the process ends, however it ends. On file systems without
    locks, a file names the writing process and is valid while that process lives. On Windows,
    where Python has no ``fcntl``, folders are not locked.
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
        # Before the release: a process that opened the file meanwhile sees it gone and retries.
        path.unlink(missing_ok=True)
        os.close(handle)


def _taken(folder: Path, fcntl: Any) -> tuple[Path, int]:
    """Return the lock file of a folder and its handle."""
    path = folder / LOCK
    try:
        return path, _held(path, lambda: _by_system(path, fcntl))
    except _NoLocksError:
        path.unlink(missing_ok=True)
    instead = folder / WRITER
    return instead, _held(instead, lambda: _by_name(instead))


def _held(path: Path, attempt: Callable[[], int | None]) -> int:
    """Take a lock; raise an error if another process holds it, after waiting for its signature."""
    deadline = time.monotonic() + SECONDS
    while True:
        with usable(path.parent):
            handle = attempt()
        if handle is not None:
            return handle
        holder = Signature.of(_content(path))
        if time.monotonic() > deadline or (holder is not None and not holder.has_ended()):
            raise UsageError(_busy_message(path, holder))
        time.sleep(PAUSE)


def _busy_message(path: Path, holder: Signature | None) -> str:
    sentence = (
        f"{str(path.parent)!r} is being written by {holder or 'another process'}. Wait until it "
        "has ended, or use another folder."
    )
    if path.name == LOCK:
        return sentence
    return f"{sentence} If this run has ended, delete {str(path)!r}."


class _NoLocksError(Exception):
    """The file system has no locks."""


def _by_system(path: Path, fcntl: Any) -> int | None:
    """Take the system's lock on a file; None if another process has it."""
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
    """Whether an open file is still the one at this path."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _by_name(path: Path) -> int | None:
    """Create a file; None if it exists. The file of a process that has ended is removed."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        content = _content(path)
    holder = Signature.of(content)
    if holder is not None and holder.has_ended():
        _remove(path, content)
    return None


def _remove(path: Path, content: bytes) -> None:
    """Remove a file with this content; put a file back that has replaced it meanwhile."""
    aside = path.with_name(f".{secrets.token_hex(4)}.{path.name}")
    with suppress(FileNotFoundError):  # another process was faster
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
