"""CSV and TSV in pieces: one pass finds types and rows, later ones read any piece."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from featrank.exceptions import DataError
from featrank.sources.text_pieces import first_end, pieces
from featrank.tables.delimited_text import (
    as_numbers,
    blank_rows,
    check_header,
    parsed,
    require_exact_floats,
    separator_of,
    stripped,
    without_rows,
)
from featrank.tables.opening import opened
from featrank.tables.table import parsing
from featrank.values.containers import require_exact

if TYPE_CHECKING:
    import polars as pl

# A piece takes a few milliseconds to parse, and has some rows where they are long.
_PIECE = 8 * 2**20
_LEAST_ROWS = 32
# No header is longer than this.
_LONGEST = 2**29

# Types of columns: nothing yet, integers, wide integers, floats, booleans, strings; integers and
# floats with blanks around them, which are parsed as strings.
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
    """What is known of a delimited file before a piece of it is read.

    Attributes
    ----------
    kinds : str
        A letter a column for its type.
    """

    path: Path
    separator: str
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
        frame = parsed(
            content, self.separator, has_header=False, schema=self.schema, columns=wanted
        )
        if frame.height != n_rows:
            frame = without_rows(frame, self._blank(content))
        columns = [frame.get_column(name) for name in wanted]
        for index, place in enumerate(positions):
            if self.kinds[place] in "IF":
                columns[index] = stripped(columns[index]).cast(_dtype(self.kinds[place]))
        return pl.DataFrame(columns)

    def _blank(self, content: bytes) -> list[int]:
        try:
            return blank_rows(_records(content, self.separator), len(self.kinds), self.path)
        except DataError as error:  # which counts lines from where the piece begins
            raise EOFError("its rows are not as long as they were") from error


def _dtype(kind: str) -> pl.DataType:
    import polars as pl

    dtype: pl.DataType = getattr(pl, _NAMES[kind])()
    return dtype


@dataclass
class Survey:
    """What one reading of a delimited file finds out."""

    path: Path
    separator: str
    header: list[str]
    start: int
    piece_size: int

    def __post_init__(self) -> None:
        self.kinds = ["e"] * len(self.header)
        self.has_missing = [False] * len(self.header)
        self.pieces: list[Piece] = []

    def take(self, features: Sequence[int], target: int | None) -> None:
        """Read the file once; features are checked as the reader of whole tables checks them."""
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
            raise DataError("The table has no rows. At least one sample was expected.")

    @property
    def text_file(self) -> TextFile:
        """What later readings need."""
        kinds = ("i" if kind == "e" else kind for kind in self.kinds)
        return TextFile(self.path, self.separator, "".join(kinds))

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
        """Return a piece whose cells are of the types that the pieces before have, None if not.

        Inferring the types again takes several times longer.
        """
        import polars as pl

        if not self.pieces:
            return None
        try:
            return parsed(content, self.separator, has_header=False, schema=self.text_file.schema)
        except pl.exceptions.PolarsError:
            return None

    def _inferred(self, content: bytes, lines: int) -> pl.DataFrame:
        import polars as pl

        try:
            return parsed(content, self.separator, has_header=False)
        except pl.exceptions.PolarsError:
            self._blank(content, lines)
            raise

    def _blank(self, content: bytes, lines: int) -> list[int]:
        records = _records(content, self.separator)
        return blank_rows(records, len(self.header), self.path, lines)

    def _look_at(
        self, frame: pl.DataFrame, content: bytes, features: Sequence[int], target: int | None
    ) -> None:
        import polars as pl

        frame.columns = self.header
        columns = [as_numbers(frame.to_series(place)) for place in features]
        others = [] if target is None else [as_numbers(frame.to_series(target))]
        places = [*features, *([] if target is None else [target])]
        for place, column in zip(places, [*columns, *others], strict=True):
            before = frame.to_series(place).dtype
            self.kinds[place] = _joined(self.kinds[place], _kind(column, before))
            self.has_missing[place] |= column.null_count() > 0
        require_exact(pl.DataFrame(columns))

        def texts_of(names: list[str]) -> list[pl.Series]:
            strings = parsed(content, self.separator, has_header=False, infer_schema=False)
            position = {name: place for place, name in enumerate(self.header)}
            return [strings.to_series(position[name]) for name in names]

        require_exact_floats(columns, texts_of)


def survey_of(path: Path) -> Survey:
    """Return what the header of a delimited file says, before the rest is read."""
    separator = separator_of(path)
    with parsing(path, "text in UTF-8"):
        with opened(path, "rb") as file:
            first = _first_line(file)
        records = _records(first.removeprefix(b"\xef\xbb\xbf"), separator)
        header = next((record for record in records if record), [])
    check_header(header, path, separator)
    size = max(_PIECE, _LEAST_ROWS * len(first))
    return Survey(path.absolute(), separator, header, len(first), size)


def read_pieces(path: Path, wanted: Sequence[Piece]) -> Iterator[bytes]:
    """Give the bytes of pieces of a file in order, through gzip if it is gzipped."""
    with opened(path, "rb") as file:
        for piece in wanted:
            file.seek(piece.start)
            yield file.read(piece.stop - piece.start)


def _first_line(file: IO[bytes]) -> bytes:
    content, end = b"", 0
    while not end and (data := file.read(max(2**20, len(content)))):
        if len(content) > _LONGEST or bytes(1024) in data:
            raise ValueError("its first line does not end, or holds bytes that no text does")
        content += data
        end = first_end(content.removeprefix(b"\xef\xbb\xbf"))
    mark = 3 if content.startswith(b"\xef\xbb\xbf") else 0
    return content[: end + mark] if end else content


def _records(content: bytes, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(content.decode("utf-8"), newline=""), delimiter=separator)


def _kind(column: pl.Series, before: pl.DataType) -> str:
    """Return the letter of a column as it became, and as it was before blanks were taken off."""
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
