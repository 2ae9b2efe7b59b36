"""Tab-separated content with features in rows: columns about each, then a number per sample."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from featrank.exceptions import DataError
from featrank.tables.columns import MISSING_CELLS
from featrank.tables.delimited_text import as_numbers, parse_cells, stripped
from featrank.tables.dialect import Dialect
from featrank.tables.frames import series_values
from featrank.tables.memory_check import cells_size, require_room
from featrank.tables.opening import read_bytes
from featrank.values.numbers import EXACT, holds, refuse_inexact


def read_text(path: Path) -> bytes:
    """Return the content of a file as UTF-8 with plain line ends. Other files are Latin-1."""
    content = read_bytes(path).removeprefix(b"\xef\xbb\xbf")
    require_room(cells_size(content, b"\t"), path, "its values")
    if b"\r\n" in content:
        content = content.replace(b"\r\n", b"\n")
    try:
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1").encode()
    return content


def cells_of(line: bytes) -> list[str]:
    """Return the tab-separated fields of a line, without the quotes around them.

    Examples
    --------
    >>> cells_of(b'"ID_REF"\\tGSM1\\t"5"" long"')
    ['ID_REF', 'GSM1', '5" long']
    """
    return [_unquoted(cell.strip()) for cell in line.decode().split("\t")]


def _unquoted(cell: str) -> str:
    quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if quoted else cell


def feature_rows(
    content: bytes, n_about: int, samples: Sequence[str], path: Path, line: int
) -> tuple[list[list[str]], np.ndarray]:
    """Return the columns about the features, and their values as samples × features.

    Parameters
    ----------
    content : bytes
        The rows: tab-separated, each with a newline at its end.
    n_about : int
        Number of columns before the values.
    samples : sequence of str
        The names of the samples, for messages.
    path : Path
        The file, for messages.
    line : int
        The number of the first row in the file.
    """
    width = n_about + len(samples)
    _check_widths(content, width, path, line)
    columns = _texts(content, range(n_about), width)
    about = [[_unquoted(cell.strip()) for cell in column.to_list()] for column in columns]
    numbers = _numbers(content, n_about, samples, path, line)
    X = numbers.to_numpy().T
    _check_exact(X, about[0], lambda sample: _texts(content, [n_about + sample], width)[0])
    return about, X


def _check_widths(content: bytes, width: int, path: Path, first: int) -> None:
    for number, row in enumerate(io.BytesIO(content), start=first):
        found = row.count(b"\t") + 1
        if found != width:
            raise DataError(
                f"{str(path)!r}, line {number} has {found} fields instead of {width}. The file "
                "may be truncated or damaged. Download it again."
            )


def _check_exact(X: np.ndarray, names: Sequence[str], texts_of: Callable[[int], pl.Series]) -> None:
    """Reject integers that float64 cannot hold. ``texts_of`` returns the cells of a sample."""
    wrong: dict[str, None] = {}
    for sample, row in enumerate(X):
        places = np.flatnonzero(np.abs(row) >= EXACT).tolist()
        for place, cell in zip(places, texts_of(sample)[places] if places else (), strict=True):
            whole = re.fullmatch(r"[+-]?\d+", cell.strip(' "'))
            if whole and not holds(int(whole[0])):
                wrong[repr(names[place])] = None
    refuse_inexact([*wrong])


def _texts(content: bytes, places: Sequence[int], width: int) -> list[pl.Series]:
    frame = pl.read_csv(
        content,
        separator="\t",
        has_header=False,
        quote_char=None,
        columns=list(places),
        schema={f"column {place}": pl.String for place in range(width)},
    )
    return frame.fill_null("").get_columns()


def _numbers(
    content: bytes, n_about: int, samples: Sequence[str], path: Path, line: int
) -> pl.DataFrame:
    places = range(n_about, n_about + len(samples))
    kinds = [pl.String] * n_about + [pl.Float64] * len(samples)
    try:
        return parse_cells(
            content,
            Dialect("\t"),
            has_header=False,
            quote_char=None,
            columns=list(places),
            schema={f"column {place}": kind for place, kind in enumerate(kinds)},
        )
    except pl.exceptions.PolarsError:
        columns = _texts(content, places, n_about + len(samples))
    # Slower, but accepts quotes and blanks around numbers, and finds the wrong cell.
    return pl.DataFrame(
        [_as_floats(*one, path, line) for one in zip(columns, samples, strict=True)]
    )


def _as_floats(column: pl.Series, sample: str, path: Path, line: int) -> pl.Series:
    cells = stripped(column.str.strip_chars(' "'))
    numbers = cells.cast(pl.Float64, strict=False)
    wrong = (numbers.is_null() & cells.is_not_null()).arg_true()
    if len(wrong):
        raise DataError(
            f"{str(path)!r}, line {line + wrong[0]}: the value of {sample!r} is "
            f"{cells[wrong[0]]!r}, which is not a number. Correct it, or leave the cell empty if "
            "the value is missing."
        )
    return numbers


def annotation(cells: Sequence[str | None], missing: Sequence[str] = MISSING_CELLS) -> np.ndarray:
    """Return annotations as numbers if all known ones are numbers, and otherwise as strings."""
    known = [None if cell in missing else cell for cell in cells]
    return series_values(as_numbers(pl.Series(known, dtype=pl.String)))
