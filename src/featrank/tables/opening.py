"""Files that may be gzipped, by their suffix."""

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

# Bytes that are read at a time, and between two looks at the memory that is left.
_PIECE, _LOOK = 2**20, 2**24
_LONGEST = 2**29
# Of what was free at the beginning, so much has to stay so for what is made of the text.
_SPARE = 4
# No text has so many of these in a row; a file of them would be one line without end.
_NULS = bytes(1024)


class NoText(ValueError):
    """What is to be read as text is none."""


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
    """Open a text that is read as a whole.

    It tells how far it is read, and refuses to go on where memory runs out or where the bytes are
    those of no text.
    """
    with opened(path, "rb") as file:
        yield io.BufferedReader(_Watched(path, file), _PIECE)


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Give the lines of a text; one that does not end is refused."""
    while line := file.readline(_LONGEST):
        if len(line) == _LONGEST:
            raise NoText(f"a line is longer than {written_size(_LONGEST)}")
        yield line


def read_bytes(path: Path) -> bytes:
    """Return a text as a whole, if it fits into memory."""
    with opened_text(path) as file:
        pieces = list(iter(lambda: file.read(_LOOK), b""))
    return b"".join(pieces)


def unpacked_size(path: Path) -> int:
    """Return about how large a text is when it is unpacked, by its beginning."""
    size = path.stat().st_size
    if path.suffix.lower() != ".gz":
        return size
    with open(path, "rb") as raw:
        import gzip

        with gzip.GzipFile("", "rb", fileobj=raw) as file:
            unpacked = len(file.read(_LOOK))
        return size if not raw.tell() else max(unpacked, unpacked * size // raw.tell())


class _Watched(io.RawIOBase):
    """The bytes of a file, with an eye on progress, memory and what they are."""

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
            raise NoText("it holds bytes that are 0, one after the other, as no text does")
        if self._done - self._looked >= _LOOK:
            self._look()
        return len(found)

    def _look(self) -> None:
        self._looked = self._done
        report(Bytes(self._raw.tell()), self._size)
        budget.require(
            self._least,
            lambda _, free: (
                f"{str(self._path)!r} does not fit into memory: after {written_size(self._done)} "
                f"of it only {free} are left. Read it in parts where its format allows (--memory, "
                "in Python memory=), or use a larger machine."
            ),
        )
