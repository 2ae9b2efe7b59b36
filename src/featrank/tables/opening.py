"""Files that may be gzipped, by their extension."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal, cast

from featrank._utils import budget
from featrank._utils.budget import LEAST, written_size
from featrank._utils.progress import Bytes, report

# Bytes that are read at a time, and between two checks of the free memory.
_PIECE, _LOOK = 2**20, 2**24
_LONGEST = 2**29
# This fraction of the memory that was free at the start has to stay free for parsing.
_SPARE = 4
# A run of zero bytes that no text file contains, and that would be one endless line.
_NULS = bytes(1024)


class NoText(ValueError):
    """The file is binary."""


@contextmanager
def opened(path: Path, mode: Literal["rb", "wb"]) -> Iterator[IO[bytes]]:
    """Open a file of bytes, through gzip if its name ends in ``.gz``."""
    with open(path, mode) as raw:
        if path.suffix.lower() != ".gz":
            yield raw
            return
        import gzip

        # Without name and time in it, the same content gives the same bytes.
        with gzip.GzipFile("", mode, compresslevel=6, fileobj=raw, mtime=0) as file:
            yield cast(IO[bytes], file)


@contextmanager
def opened_text(path: Path) -> Iterator[IO[bytes]]:
    """Open a text file that is read as a whole.

    It reports progress, and raises an error if memory runs out or if the file is binary.
    """
    with opened(path, "rb") as file:
        yield io.BufferedReader(_Watched(path, file), _PIECE)


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, and raise an error for an endless line."""
    while line := file.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise NoText(f"a line is longer than {written_size(_LONGEST)}")
        yield line


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, if it fits into memory."""
    with opened_text(path) as file:
        pieces = list(iter(lambda: file.read(_LOOK), b""))
    return b"".join(pieces)


def unpacked_size(path: Path) -> int:
    """Estimate the unpacked size of a file from its beginning."""
    size = path.stat().st_size
    if path.suffix.lower() != ".gz":
        return size
    with open(path, "rb") as raw:
        import gzip

        with gzip.GzipFile("", "rb", fileobj=raw) as file:
            unpacked = len(file.read(_LOOK))
        return size if not raw.tell() else max(unpacked, unpacked * size // raw.tell())


class _Watched(io.RawIOBase):
    """The bytes of a file. Reports progress, and stops if memory runs out or the file is binary."""

    def __init__(self, path: Path, file: Any):
        self._path, self._file = path, file
        self._raw = getattr(file, "fileobj", file)
        self._size = Bytes(os.path.getsize(path))
        self._least = max(LEAST, budget.free_memory() // _SPARE)
        self._done = self._looked = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._file.read(len(buffer))
        buffer[: len(found)] = found
        self._done += len(found)
        if _NULS in found:
            raise NoText("it is a binary file")
        if self._done - self._looked >= _LOOK:
            self._look()
        return len(found)

    def _look(self) -> None:
        self._looked = self._done
        report(Bytes(self._raw.tell()), self._size)
        budget.require(
            self._least,
            lambda _, free: (
                f"{str(self._path)!r} does not fit into memory: after {written_size(self._done)}, "
                f"only {free} are free. Read it in chunks with `memory=...`, or use a computer "
                "with more memory."
            ),
        )
