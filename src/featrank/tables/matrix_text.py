"""Matrix Market files, checked before SciPy's reader, which damaged files can crash."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from typing import IO, Any

from featrank._utils.budget import require
from featrank.exceptions import DataError
from featrank.tables.opening import opened

# The fewest bytes that a value takes in a file, and the most that gzip unpacks a byte to.
_SHORTEST = {"coordinate": 4, "array": 2}
_GZIP = 1032
# What a row or a column, with its name, and a value take in memory.
_PER_NAME, _PER_VALUE = 100, 48
_NUMBERS = b"+-0123456789 \t\r\n"
_REALS = _NUMBERS + b".eEnaNAifIF"
_PLAIN = bytes(code if 0 < code < 128 else ord("?") for code in range(256))


class MatrixText:
    """The bytes of a file for SciPy's reader, which crashes on NUL and on an unfinished last line.

    Bytes beyond ASCII are allowed in comments only, where they can be replaced.
    """

    def __init__(self, file: IO[bytes], usual: bytes = b""):
        self._file = file
        self._ended = True
        self._usual = usual
        #: Number of bytes so far that are not usual ones.
        self.odd = 0

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes. The last ones end a line."""
        found = self._file.read(size).translate(_PLAIN)
        self.odd += len(found.translate(None, self._usual))
        ended, self._ended = self._ended, not found or found.endswith(b"\n")
        return found if found or ended else b"\n"


def shape_of(path: Path) -> tuple[int, int]:
    """Return rows and columns. Reject a header that declares more values than fit the file."""
    from scipy.io import mminfo

    with opened(path, "rb") as file:
        rows, columns, count, layout, field, _ = mminfo(MatrixText(file))
    if field == "complex":
        raise DataError(f"{str(path)!r} holds complex numbers. Convert them to real numbers.")
    if not rows or not columns:
        raise DataError(
            f"{str(path)!r} has {rows} rows and {columns} columns, so it has no values."
        )
    _check_count(path, count, layout)
    require(
        _PER_NAME * (rows + columns) + _PER_VALUE * count,
        lambda size, _: (
            f"{str(path)!r} declares {rows} rows and {columns} columns, which would take {size} of "
            "memory, more than is free. The header may be damaged."
        ),
    )
    return rows, columns


def read_matrix(path: Path, transposed: bool) -> Any:
    """Return the matrix or its transpose, as CSR, or as an array if it is stored as one."""
    import numpy as np
    from scipy.io import mmread

    comments = _comments(path)
    kind = comments.partition(b"\n")[0].lower()
    usual = _NUMBERS if b"integer" in kind or b"pattern" in kind else _REALS
    with opened(path, "rb") as file:
        content = MatrixText(file, usual)
        X = mmread(content)
    # For integers, SciPy reads 1.5 as 1, and 5x as 5.
    if content.odd > len(comments.translate(None, usual)):
        raise DataError(
            f"{str(path)!r} has values that {kind.decode('ascii', 'replace')!r} does not allow, "
            "such as fractions among integers. Correct its first line, or download it again."
        )
    X = X.T if transposed else X
    return X if isinstance(X, np.ndarray) else X.tocsr()


def _comments(path: Path) -> bytes:
    """Return the lines before the one with the sizes."""
    with opened(path, "rb") as file:
        lines = takewhile(_is_comment, file)
        return b"".join(lines)


def _is_comment(line: bytes) -> bool:
    return line.startswith(b"%") or not line.strip()


def _check_count(path: Path, count: int, layout: str) -> None:
    size = path.stat().st_size * (_GZIP if path.suffix.lower() == ".gz" else 1)
    # A symmetric array stores only one half.
    if count * _SHORTEST[layout] > (size + 1) * (2 if layout == "array" else 1):
        raise DataError(
            f"{str(path)!r} declares {count} values, more than a file of its size can hold. It is "
            "truncated or damaged. Download it again."
        )
