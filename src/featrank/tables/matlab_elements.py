"""MATLAB files of version 5 to 7, read element by element.

SciPy's reader trusts types and sizes, so that a damaged file can crash the process. Here every
size is checked against the number of bytes left. Dense and sparse matrices, strings and cells of
strings are read. Structures, objects and functions are skipped.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from featrank.tables.memory_check import require_room

_HEADER, _TAG = 128, 8
_NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8"}
_NUMBERS[13] = "u8"
_MATRIX, _COMPRESSED = 14, 15
_CODECS = {1: "latin-1", 2: "latin-1", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_CELLS, _TEXT, _SPARSE = 1, 4, 5
_PLAIN = range(6, 16)
_COMPLEX = 8
_PIECE = 2**20
_MOST_AXES = 32
_VARIABLE = "one of its variables"


@dataclass
class _Elements:
    """Consecutive elements in some bytes."""

    content: memoryview
    order: str
    place: int = 0

    def next(self) -> tuple[int, memoryview]:
        """Return the type and the bytes of the next element."""
        word = int(self.numbers(self._taken(4), "u4")[0])
        kind, size = word, word >> 16
        if size:  # an element of up to four bytes is inside its own tag
            kind &= 0xFFFF
            return kind, self._taken(4)[: _at_most(size, 4)]
        size = int(self.numbers(self._taken(4), "u4")[0])
        found = self._taken(size)
        self.place = min(self.place + -size % 8, len(self.content))
        return kind, found

    def next_numbers(self) -> Any:
        """Return the next element, which must be of numbers."""
        kind, content = self.next()
        if kind not in _NUMBERS:
            raise ValueError(f"an element is of type {kind}, where numbers were expected")
        return self.numbers(content, _NUMBERS[kind])

    def numbers(self, content: memoryview, kind: str) -> Any:
        """Return bytes as numbers of this computer's order."""
        dtype = np.dtype(f"{self.order}{kind}")
        if len(content) % dtype.itemsize:
            raise ValueError(f"{len(content)} bytes are not a multiple of {dtype.name}")
        found = np.frombuffer(content, dtype)
        return np.require(found.astype(dtype.newbyteorder("="), copy=False), requirements="A")

    def left(self) -> int:
        """Return how many bytes are left."""
        return len(self.content) - self.place

    def _taken(self, size: int) -> memoryview:
        start, self.place = self.place, self.place + _at_most(size, self.left())
        return self.content[start : self.place]


def _at_most(size: int, most: int) -> int:
    if size > most:
        raise ValueError(f"an element should have {size} bytes, but only {most} are left")
    return size


def read_version_5(path: Path) -> dict[str, Any]:
    """Return the matrices and strings of a file of version 5 to 7 by name."""
    with open(path, "rb") as file:
        left = os.fstat(file.fileno()).st_size - _HEADER
        mark = file.read(_HEADER)[-2:]
        if mark not in (b"IM", b"MI"):
            raise ValueError(f"its header ends in {mark!r}, where the byte order was expected")
        order = "<" if mark == b"IM" else ">"
        contents = _matrices(file, left, order, path)
        variables = [_variable(_Elements(content, order)) for content in contents]
    return {name: value for name, value in variables if value is not None}


def _matrices(file: IO[bytes], left: int, order: str, path: Path) -> Iterator[memoryview]:
    """Yield the unpacked bytes of each matrix."""
    while left:
        kind, size = _tag(file.read(_TAG), order)
        left -= _TAG + _at_most(size, left - _TAG)
        if kind == _COMPRESSED:
            yield _unpacked(file, size, order, path)
            continue
        if kind != _MATRIX:
            raise ValueError(f"an element is of type {kind}, where a matrix was expected")
        require_room(size, path, _VARIABLE)
        content = bytearray(size)
        file.readinto(content)  # type: ignore[attr-defined]
        yield memoryview(content)


def _tag(content: bytes, order: str) -> tuple[int, int]:
    if len(content) < _TAG:
        raise ValueError("it ends within an element")
    kind, size = np.frombuffer(content, f"{order}u4").tolist()
    return kind, size


def _unpacked(file: IO[bytes], packed: int, order: str, path: Path) -> memoryview:
    """Return a compressed matrix, and raise an error if its size is not what its tag says."""
    content, size = bytearray(), 0
    for piece in _pieces(file, packed):
        content += piece
        if not size and len(content) >= _TAG:
            size = _TAG + _promised(bytes(content[:_TAG]), order, path)
        if size and len(content) > size:
            break
    if not size or len(content) != size:
        raise ValueError("a compressed variable is not as long as it says")
    return memoryview(content)[_TAG:]


def _pieces(file: IO[bytes], packed: int) -> Iterator[bytes]:
    """Yield the unpacked content of some bytes in small pieces."""
    unpacking, rest = zlib.decompressobj(), b""
    while packed or rest:
        if not rest:
            rest = file.read(min(packed, _PIECE))
            packed -= len(rest)
        yield unpacking.decompress(rest, _PIECE)
        rest = unpacking.unconsumed_tail
    yield unpacking.flush()
    if not unpacking.eof:
        raise ValueError("a compressed variable is truncated")


def _promised(tag: bytes, order: str, path: Path) -> int:
    kind, size = _tag(tag, order)
    if kind != _MATRIX:
        raise ValueError(f"a compressed element is of type {kind}, where a matrix was expected")
    require_room(size, path, _VARIABLE)
    return size


def _variable(elements: _Elements) -> tuple[str, Any]:
    """Return the name of a variable and its value, or None if it cannot be data."""
    kind, is_complex, shape = _head(elements)
    if kind not in (_CELLS, _TEXT, _SPARSE, *_PLAIN):
        return "", None
    name = bytes(elements.next()[1]).decode("latin-1")
    if not name or name.startswith("__"):  # variables of functions
        return "", None
    if kind == _CELLS:
        return name, _cells(elements, shape)
    if kind == _TEXT:
        rows = _rows_of_text(elements, shape)
        return name, np.char.rstrip(np.array(rows, dtype=str)) if rows else None
    if kind == _SPARSE:
        return name, _sparse(elements, shape, is_complex)
    return name, _numbers(elements, prod(shape), is_complex).reshape(shape, order="F")


def _head(elements: _Elements) -> tuple[int, bool, tuple[int, ...]]:
    """Return the class of a matrix, whether its numbers are complex, and its shape."""
    flags = elements.next_numbers()
    if flags.dtype != np.uint32 or len(flags) != 2:
        raise ValueError("a variable has an invalid beginning")
    kind, is_complex = int(flags[0]) & 0xFF, bool(int(flags[0]) >> 8 & _COMPLEX)
    if kind not in (_CELLS, _TEXT, _SPARSE, *_PLAIN):
        return kind, is_complex, ()
    shape = tuple(elements.next_numbers().tolist())
    if not 2 <= len(shape) <= _MOST_AXES or not all(0 <= size < 2**31 for size in shape):
        raise ValueError(f"a variable has the shape {shape}")
    return kind, is_complex, shape


def _numbers(elements: _Elements, count: int, is_complex: bool) -> Any:
    parts = [elements.next_numbers() for _ in range(2 if is_complex else 1)]
    if any(len(part) != count for part in parts):
        raise ValueError(f"a variable of {count} values has {len(parts[0])}")
    return parts[0] + 1j * parts[1] if is_complex else parts[0]


def _sparse(elements: _Elements, shape: tuple[int, ...], is_complex: bool) -> Any:
    from scipy.sparse import csc_matrix

    rows, starts = elements.next_numbers(), elements.next_numbers()
    if len(shape) != 2 or len(starts) != shape[1] + 1:
        raise ValueError("a sparse variable does not have as many columns as it says")
    count = int(starts[-1])
    parts = [_stored(elements, count)[:count] for _ in range(2 if is_complex else 1)]
    # There may be room for more values than there are.
    if not 0 <= count <= min(map(len, (rows, *parts))):
        raise ValueError(f"a sparse variable of {count} values has {len(parts[0])}")
    values = parts[0] + 1j * parts[1] if is_complex else parts[0]
    return csc_matrix((values, rows[:count], starts), shape=shape)


def _stored(elements: _Elements, count: int) -> Any:
    """Return the values of a sparse matrix. MATLAB declares logical bytes as doubles."""
    kind, content = elements.next()
    if kind not in _NUMBERS:
        raise ValueError(f"an element is of type {kind}, where numbers were expected")
    return elements.numbers(content, "u1" if len(content) == count else _NUMBERS[kind])


def _cells(elements: _Elements, shape: tuple[int, ...]) -> Any:
    """Return cells that are all strings as an array, and other cells as None."""
    count = prod(shape)
    _at_most(count * _TAG, elements.left())
    strings = []
    for _ in range(count):
        kind, content = elements.next()
        string = _text(_Elements(content, elements.order)) if kind == _MATRIX and content else None
        if string is None:
            return None
        strings.append(string)
    found = np.empty(count, dtype=object)
    found[:] = strings
    return found.reshape(shape, order="F").ravel().astype(str) if count else None


def _text(elements: _Elements) -> str | None:
    kind, _, shape = _head(elements)
    if kind != _TEXT:
        return None
    elements.next()  # the name, which cells do not have
    return "".join(_rows_of_text(elements, shape))


def _rows_of_text(elements: _Elements, shape: tuple[int, ...]) -> list[str]:
    kind, content = elements.next()
    codec = _CODECS.get(kind)
    if codec is None:
        raise ValueError(f"an element is of type {kind}, where a string was expected")
    ends = {"<": "-le", ">": "-be"}[elements.order] if codec in ("utf-16", "utf-32") else ""
    string = bytes(content).decode(codec + ends, "replace")
    if shape[0] == 1 or not string:
        return [string] if string else []
    if len(string) != prod(shape):
        raise ValueError(f"a string of {prod(shape)} letters has {len(string)}")
    letters = np.array([*string]).reshape(shape[0], -1, order="F")
    return ["".join(row) for row in letters.tolist()]
