"""Delimited text in pieces: one pass finds types and rows, later passes read any piece."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from featrank.exceptions import DataError
from featrank.sources.text_pieces import first_end, pieces
from featrank.tables.delimited_text import (
    as_numbers,
    blank_rows,
    cast_numbers,
    check_header,
    parse_cells,
    require_exact_floats,
    stripped,
    without_rows,
)
from featrank.tables.dialect import Dialect, detect_dialect, read_records
from featrank.tables.odd_cells import OddCells, odd_cells, odd_cells_error
from featrank.tables.opening import opened
from featrank.tables.options import ReadOptions
from featrank.tables.table import parsing
from featrank.values.containers import require_exact

if TYPE_CHECKING:
    import polars as pl

# A piece takes a few milliseconds to parse, and has several rows even if rows are long.
_PIECE = 8 * 2**20
_LEAST_ROWS = 32
# No header is longer than this.
_LONGEST = 2**29

# Types of columns: integers, wide integers, floats, booleans, strings, and then integers and
# floats with blanks around them, which are parsed as strings. "e" is a column without values.
_NAMES = {
    "i": "Int64",
    "w": "Int128",
    "f": "Float64",
    "b": "Boolean",
    "t": "String",
    "I": "Int64",
    "F": "Float64",
}


@dataclass(frozen=True)
class Piece:
    """Whole rows of a file: where they are, without blank lines counted."""

    start: int
    stop: int
    n_rows: int


@dataclass(frozen=True)
class TextFile:
    """A delimited file whose columns have known types.

    Attributes
    ----------
    path : Path
        The file.
    dialect : Dialect
        How its cells are written.
    kinds : str
        One letter per column for its type.
    """

    path: Path
    dialect: Dialect
    kinds: str

    def types(self, positions: Sequence[int]) -> list[pl.DataType]:
        """Return the types of some columns in a frame."""
        return [_dtype(self.kinds[place]) for place in positions]

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The types by which polars parses it."""
        kinds = ("t" if kind in "IF" else kind for kind in self.kinds)
        return {f"column_{place}": _dtype(kind) for place, kind in enumerate(kinds)}

    def frame(self, content: bytes, n_rows: int, positions: Sequence[int]) -> pl.DataFrame:
        """Return some columns of a piece with ``n_rows`` rows."""
        import polars as pl

        wanted = [f"column_{place}" for place in positions]
        frame = parse_cells(
            content, self.dialect, has_header=False, schema=self.schema, columns=wanted
        )
        if frame.height != n_rows:
            frame = without_rows(frame, self._blank(content))
        columns = [frame.get_column(name) for name in wanted]
        for index, place in enumerate(positions):
            if self.kinds[place] in "IF":
                cells = stripped(columns[index], self.dialect)
                columns[index] = cast_numbers(cells, _dtype(self.kinds[place]), self.dialect)
        return pl.DataFrame(columns)

    def _blank(self, content: bytes) -> list[int]:
        try:
            return blank_rows(_records(content, self.dialect), len(self.kinds), self.path)
        except DataError as error:  # which counts lines from where the piece begins
            raise EOFError("its rows are not as long as they were") from error


def _dtype(kind: str) -> pl.DataType:
    import polars as pl

    dtype: pl.DataType = getattr(pl, _NAMES[kind])()
    return dtype


@dataclass
class Survey:
    """The types and rows of a delimited file, found in one pass over it."""

    path: Path
    dialect: Dialect
    header: list[str]
    start: int
    piece_size: int

    def __post_init__(self) -> None:
        self.kinds = ["e"] * len(self.header)
        self.has_missing = [False] * len(self.header)
        self.pieces: list[Piece] = []
        self.odd_cells = [OddCells() for _ in self.header]

    def take(self, features: Sequence[int], target: int | None) -> None:
        """Read the file once, and check the features as the reader of whole tables does."""
        for column in {*range(len(self.header))} - {*features, target}:
            self.kinds[column] = "t"
        place, lines = self.start, self._lines_of_header
        with parsing(self.path, "a delimited table"), opened(self.path, "rb") as file:
            file.seek(place)
            for piece in pieces(file, self.piece_size, self.path.name):
                # With blank lines at its start, polars would find no columns.
                content = piece.lstrip(b"\r\n")
                start = place + len(piece) - len(content)
                if content:
                    frame = self._parsed(content, lines + piece[: start - place].count(b"\n"))
                    self._look_at(frame, content, features, target)
                    self.pieces.append(Piece(start, start + len(content), frame.height))
                place += len(piece)
                lines += piece.count(b"\n")
        if not self.pieces:
            raise DataError("The table has no rows. Give a table with at least one sample.")

    def require_numbers(self, features: Sequence[int]) -> None:
        """Raise an error for string columns that are mostly numbers."""
        found = {
            place: self.odd_cells[place]
            for place in features
            if self.kinds[place] == "t" and self.odd_cells[place].among_numbers
        }
        if found:
            where = f"line {self._line_of(next(iter(found.values())).row)}"
            named = {self.header[place]: cells for place, cells in found.items()}
            raise odd_cells_error(named, self.dialect, where)

    def _line_of(self, row: int) -> int:
        """Return the line of the file in which a row ends."""
        before = 0
        for piece in self.pieces:
            if before + piece.n_rows > row:
                break
            before += piece.n_rows
        with opened(self.path, "rb") as file:
            lines = sum(chunk.count(b"\n") for chunk in _chunks(file, piece.start))
            content = file.read(piece.stop - piece.start)
        records = _records(content, self.dialect)
        next(islice(filter(None, records), row - before, None))
        return lines + records.line_num

    @property
    def text_file(self) -> TextFile:
        """The file with the types of its columns, for later passes."""
        kinds = ("i" if kind == "e" else kind for kind in self.kinds)
        return TextFile(self.path, self.dialect, "".join(kinds))

    @property
    def _lines_of_header(self) -> int:
        with opened(self.path, "rb") as file:
            return file.read(self.start).count(b"\n")

    def _parsed(self, content: bytes, lines: int) -> pl.DataFrame:
        frame = self._as_before(content)
        if frame is None:
            frame = self._inferred(content, lines)
        width = len(self.header)
        # polars pads a short row, so that its last column has a missing value.
        if frame.width != width or frame.to_series(-1).null_count():
            frame = without_rows(frame, self._blank(content, lines))
        if frame.width != width:
            raise DataError(
                f"{str(self.path)!r} has {width} names and {frame.width} columns. Lines must end "
                "with a newline, and quotes must be closed."
            )
        return frame

    def _as_before(self, content: bytes) -> pl.DataFrame | None:
        """Return a piece whose cells have the types of the pieces before, or None.

        Inferring the types again takes several times longer, but a decimal comma needs it: with
        known types, polars also accepts a decimal dot.
        """
        import polars as pl

        if not self.pieces or self.dialect.decimal == ",":
            return None
        try:
            schema = self.text_file.schema
            return parse_cells(content, self.dialect, has_header=False, schema=schema)
        except pl.exceptions.PolarsError:
            return None

    def _inferred(self, content: bytes, lines: int) -> pl.DataFrame:
        import polars as pl

        try:
            return parse_cells(content, self.dialect, has_header=False)
        except pl.exceptions.PolarsError:
            self._blank(content, lines)
            raise

    def _blank(self, content: bytes, lines: int) -> list[int]:
        records = _records(content, self.dialect)
        return blank_rows(records, len(self.header), self.path, lines)

    def _look_at(
        self, frame: pl.DataFrame, content: bytes, features: Sequence[int], target: int | None
    ) -> None:
        import polars as pl

        frame.columns = self.header
        n_rows = sum(piece.n_rows for piece in self.pieces)
        columns = [as_numbers(frame.to_series(place), self.dialect) for place in features]
        others = [] if target is None else [as_numbers(frame.to_series(target), self.dialect)]
        places = [*features, *([] if target is None else [target])]
        for place, column in zip(places, [*columns, *others], strict=True):
            before = frame.to_series(place).dtype
            self.kinds[place] = _joined(self.kinds[place], _kind(column, before))
            self.has_missing[place] |= column.null_count() > 0
            self.odd_cells[place].add(odd_cells(column, self.dialect), n_rows)
        require_exact(pl.DataFrame(columns))

        def texts_of(names: list[str]) -> list[pl.Series]:
            strings = parse_cells(content, self.dialect, has_header=False, infer_schema=False)
            position = {name: place for place, name in enumerate(self.header)}
            return [strings.to_series(position[name]) for name in names]

        require_exact_floats(columns, texts_of)


def survey_of(path: Path, options: ReadOptions) -> Survey:
    """Read the header of a delimited file, and return a survey that can read the rest."""
    dialect = detect_dialect(path, options)
    with parsing(path, "UTF-8"):
        with opened(path, "rb") as file:
            above = sum(len(file.readline()) for _ in range(dialect.n_comments))
            first = _first_line(file)
        records = _records(first.removeprefix(b"\xef\xbb\xbf"), dialect)
        header: list[str] = next(filter(None, records), [])
    check_header(header, path, dialect)
    size = max(_PIECE, _LEAST_ROWS * len(first))
    return Survey(path.absolute(), dialect, header, above + len(first), size)


def read_pieces(path: Path, wanted: Sequence[Piece]) -> Iterator[bytes]:
    """Yield the bytes of pieces of a file in order. Gzipped files are unpacked."""
    with opened(path, "rb") as file:
        for piece in wanted:
            file.seek(piece.start)
            yield file.read(piece.stop - piece.start)


def _first_line(file: IO[bytes]) -> bytes:
    content, end = b"", 0
    while not end and (data := file.read(max(2**20, len(content)))):
        if len(content) > _LONGEST or bytes(1024) in data:
            raise ValueError("its first line does not end, or it is not a text file")
        content += data
        end = first_end(content.removeprefix(b"\xef\xbb\xbf"))
    mark = 3 if content.startswith(b"\xef\xbb\xbf") else 0
    return content[: end + mark] if end else content


def _records(content: bytes, dialect: Dialect) -> Any:
    return read_records(io.StringIO(content.decode("utf-8"), newline=""), dialect)


def _chunks(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield the first bytes of a file in small chunks."""
    while size and (chunk := file.read(min(size, 2**20))):
        size -= len(chunk)
        yield chunk


def _kind(column: pl.Series, before: pl.DataType) -> str:
    """Return the letter of a column, given its type before blanks were stripped."""
    import polars as pl

    if column.null_count() == len(column):
        return "e"
    kind = {pl.Int64: "i", pl.Int128: "w", pl.Float64: "f", pl.Boolean: "b"}.get(
        column.dtype.base_type(), "t"
    )
    return kind.upper() if before == pl.String and kind in "if" else kind


def _joined(one: str, other: str) -> str:
    """Return the type of a column that has cells of two types.

    Examples
    --------
    >>> _joined("i", "f"), _joined("I", "f"), _joined("e", "b"), _joined("b", "i")
    ('f', 'F', 'b', 't')
    """
    if "e" in (one, other) or one == other:
        return max(one, other) if one == other else one.replace("e", "") + other.replace("e", "")
    both = {one, other}
    if both & {"t", "b"}:
        return "t"
    if both == {"i", "w"}:
        return "w"
    padded = "I" in both or "F" in both
    kind = "f" if {one.lower(), other.lower()} != {"i"} else "i"
    return kind.upper() if padded else kind
