"""Delimited files cut at the ends of rows. Newlines in quotes do not end a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from featrank.exceptions import DataError

#: A row longer than this many pieces is assumed to have a quote that was never closed.
_LONGEST = 32


def pieces(file: IO[bytes], size: int, name: str) -> Iterator[bytes]:
    """Yield the rest of a file in pieces of whole rows, each of about ``size`` bytes.

    Examples
    --------
    >>> import io
    >>> list(pieces(io.BytesIO(b'1,2\\n3,"a\\nb"\\n5,6'), 6, "d.csv"))
    [b'1,2\\n', b'3,"a\\nb"\\n', b'5,6']
    """
    rest = b""
    while data := file.read(size):
        content = rest + data
        end = last_end(content)
        if end:
            yield content[:end]
        rest = content[end:]
        if len(rest) > _LONGEST * size:
            raise DataError(
                f"A row of {name!r} is longer than {len(rest):,} bytes. Check that every quote is "
                "closed."
            )
    if rest:
        yield rest


def last_end(content: bytes) -> int:
    """Return the end of the last complete row, or 0. The content begins with a row."""
    quotes = content.count(b'"')
    place = len(content)
    while place > 0:
        newline = content.rfind(b"\n", 0, place)
        if newline < 0:
            return 0
        quotes -= content.count(b'"', newline, place)
        if quotes % 2 == 0:
            return newline + 1
        place = newline
    return 0


def first_end(content: bytes) -> int:
    """Return the end of the first row that is not blank, or 0 if it does not end."""
    start, place = len(content) - len(content.lstrip(b"\r\n")), -1
    while True:
        place = content.find(b"\n", max(place + 1, start))
        if place < 0:
            return 0
        if content.count(b'"', start, place) % 2 == 0:
            return place + 1
