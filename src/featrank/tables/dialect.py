"""The dialect of a delimited file: separator, decimal mark, comment lines and missing cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from featrank.exceptions import UsageError
from featrank.tables.columns import MISSING_CELLS
from featrank.tables.opening import opened
from featrank.tables.options import ReadOptions
from featrank.tables.table import parsing

#: Separators that are detected.
SEPARATORS = (",", ";", "\t", "|")

_NAMED = {"tab": "\t", "\\t": "\t", "space": " "}
_BOM = b"\xef\xbb\xbf"
# Rows and bytes that are read for the detection: a few rows of a wide file are enough.
_ROWS, _ENOUGH, _LONGEST = 100, 2**20, 2**26

_EXPONENT = r"(?:[eE][+-]?\d+)?"
_DOT = re.compile(rf"[+-]?(?:\d+\.\d*|\.\d+){_EXPONENT}")
_COMMA = re.compile(rf"[+-]?(?:\d+,\d*|,\d+){_EXPONENT}")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")


_SINGLE, _RAGGED, _CONSISTENT = range(3)


@dataclass(frozen=True)
class Dialect:
    """How the cells of a delimited file are written.

    Attributes
    ----------
    separator : str
        The character between two cells.
    decimal : {".", ","}
        The decimal mark.
    missing : tuple of str
        Cells that mean a missing value.
    n_comments : int
        Number of lines above the header line.
    note : str
        A sentence that reports a separator or decimal mark that the file extension does not imply.
    """

    separator: str = ","
    decimal: str = "."
    missing: tuple[str, ...] = MISSING_CELLS
    n_comments: int = 0
    note: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """The note, if there is one."""
        return (self.note,) if self.note else ()


def separator_of(path: Path) -> str:
    """Return the separator that the file extension implies."""
    name = path.name.lower().removesuffix(".gz")
    return "\t" if name.endswith((".tsv", ".txt")) else ","


def detect_dialect(path: Path, options: ReadOptions) -> Dialect:
    """Return the dialect of a file: what the options say, and otherwise what its first rows show.

    The separator that the file extension implies is used if all rows have as many fields as the
    header. A decimal comma is only detected if it cannot be a thousands separator.
    """
    with parsing(path, "UTF-8"), opened(path, "rb") as file:
        beginning, whole = _beginning(file)
    given = _separator_named(options.sep)
    implied = separator_of(path)
    candidates = [given] if given else [implied, *(s for s in SEPARATORS if s != implied)]
    best = _Reading(candidates[0], beginning, whole)
    for candidate in candidates[1:] if best.fit < _CONSISTENT else ():
        best = max(best, _Reading(candidate, beginning, whole), key=lambda one: one.fit)
    separator = best.separator
    decimal = _decimal_named(options.decimal) or decimal_of(best.rows[1:], separator)
    note = _note(
        path,
        separator if given is None and separator != implied else None,
        decimal if options.decimal is None else ".",
    )
    return Dialect(separator, decimal, (*MISSING_CELLS, *options.na_values), best.n_comments, note)


def read_records(lines: Iterable[str], dialect: Dialect) -> Any:
    """Return the rows of lines that begin with the header line or below it."""
    return csv.reader(lines, delimiter=dialect.separator)


class _Reading:
    """The first rows of a file as they are with one separator.

    Attributes
    ----------
    rows : list of list of str
        The header and the first rows.
    n_comments : int
        Number of lines above the header.
    fit : int
        How well the separator fits: no header, ragged rows, or as many fields in every row.
    """

    def __init__(self, separator: str, beginning: str, whole: bool):
        self.separator = separator
        self.n_comments = _count_comments(beginning, separator)
        body = io.StringIO(beginning)
        for _ in range(self.n_comments):
            body.readline()
        rows = _parse(body.read(), separator, _ROWS)
        # The last row may be cut.
        self.rows = rows if whole or len(rows) in (1, _ROWS) else rows[:-1]
        widths = {len(row) for row in self.rows} or {0}
        several = bool(self.rows) and len(self.rows[0]) > 1
        self.fit = (_CONSISTENT if len(widths) == 1 else _RAGGED) if several else _SINGLE


def _beginning(file: IO[bytes]) -> tuple[str, bool]:
    """Return the first rows of a file, and whether that is all of it."""
    content, whole = b"", False
    while not whole and len(content) < _LONGEST:
        data = file.read(max(2**16, len(content)))
        content, whole = content + data, not data
        n_lines = content.count(b"\n")
        if n_lines > _ROWS or (n_lines > 2 and len(content) >= _ENOUGH) or bytes(1024) in data:
            break
    return content.removeprefix(_BOM).decode("utf-8", "replace"), whole


def _count_comments(beginning: str, separator: str) -> int:
    """Return the number of lines above the header: those that begin with "#", and blank ones.

    The last one may be the header itself, as in "#SampleID", if it has as many fields as the row
    below it.
    """
    lines = io.StringIO(beginning)
    comments: list[str] = []
    for line in lines:
        if line.strip() and not line.startswith("#"):
            return _without_header(comments, line + lines.read(_ENOUGH), separator)
        comments.append(line)
    return 0


def _without_header(comments: list[str], body: str, separator: str) -> int:
    marked = [place for place, line in enumerate(comments) if line.startswith("#")]
    if not marked:
        return 0
    last = comments[marked[-1]]
    header, first = (_first_record(one, separator) for one in (last, body))
    is_header = 1 < len(header) == len(first) and (
        not last.startswith("# ") or any(map(_is_number, first))
    )
    return marked[-1] if is_header else marked[-1] + 1


def _first_record(content: str, separator: str) -> list[str]:
    return next(iter(_parse(content, separator, 1)), [])


def _parse(content: str, separator: str, n_rows: int) -> list[list[str]]:
    """Return the first rows that are not blank, or none if a field is too long."""
    records = csv.reader(io.StringIO(content, newline=""), delimiter=separator)
    try:
        return list(islice(filter(None, records), n_rows))
    except csv.Error:
        return []


def decimal_of(rows: Sequence[Sequence[str]], separator: str) -> str:
    """Return the decimal mark of cells; a comma needs proof that it separates no thousands.

    Examples
    --------
    >>> decimal_of([["0,5", "1,234"]], ";"), decimal_of([["2", "1,234"]], ";")
    (',', '.')
    """
    if separator == ",":
        return "."
    cells = [cell.strip() for row in rows for cell in row if "," in cell or "." in cell]
    if any(_DOT.fullmatch(cell) for cell in cells):
        return "."
    commas = [cell for cell in cells if _COMMA.fullmatch(cell) or _THOUSANDS.fullmatch(cell)]
    if any(cell.count(",") > 1 for cell in commas):
        return "."
    return "," if any(not _THOUSANDS.fullmatch(cell) for cell in commas) else "."


def _is_number(cell: str) -> bool:
    cell = cell.strip()
    return bool(_COMMA.fullmatch(cell) or _DOT.fullmatch(cell) or re.fullmatch(r"[+-]?\d+", cell))


def _separator_named(sep: str | None) -> str | None:
    if sep is None:
        return None
    separator = _NAMED.get(sep, sep)
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
        raise UsageError(
            f'The separator {sep!r} is not a single character. Use `sep="tab"`, for example.'
        )
    return separator


def _decimal_named(decimal: str | None) -> str | None:
    if decimal not in (None, ".", ","):
        raise UsageError(f'The decimal mark {decimal!r} is unknown. Use `decimal=","`.')
    return decimal


def _note(path: Path, separator: str | None, decimal: str) -> str:
    named = "tab" if separator == "\t" else repr(separator)
    parts = [f"separator {named}"] if separator else []
    parts += ["decimal comma"] if decimal == "," else []
    return f"Read {path.name!r} with {' and '.join(parts)}." if parts else ""
