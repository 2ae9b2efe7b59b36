"""Files that may be gzipped, by their suffix."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal, cast


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
