"""Whitespace-separated tables without a header, such as .bim and .fam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from featrank.exceptions import DataError

if TYPE_CHECKING:
    import polars as pl

# Number of bytes that are parsed at a time.
PIECE = 1 << 24


def frames(path: Path, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Yield such a table as string columns, about a million lines at a time.

    Single tabs or blanks between fields are fast to read. Any amount of whitespace is accepted.
    """
    first = 1
    for piece in _pieces(path):
        frame = _parsed(piece, names)
        bad = frame.select(_first_incomplete(frame)).item()
        if bad is not None:
            raise DataError(
                f"{str(path)!r}, line {first + bad:,} does not have the {len(names)} fields "
                f"{', '.join(names)}. The file may be truncated or in another format."
            )
        yield frame
        first += frame.height


def _pieces(path: Path) -> Iterator[bytes]:
    """Yield whole lines up to a limit of bytes, without blank lines at the end."""
    rest = b""
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            cut = piece.rfind(b"\n") + 1
            if cut:
                yield rest + piece[:cut]
                rest = b""
            rest += piece[cut:]
    if rest.strip():
        yield rest


def _parsed(piece: bytes, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    line = piece[: piece.find(b"\n") + 1 or None].rstrip(b"\r\n")
    for separator in ("\t", " "):
        if line.split(separator.encode()) != line.split():
            continue
        try:
            frame = _split(piece, names, separator)
        except pl.exceptions.PolarsError:
            continue
        if frame.select(_first_incomplete(frame)).item() is None:
            return frame
    return _matched(piece, names)


def _split(piece: bytes, names: Sequence[str], separator: str) -> pl.DataFrame:
    import polars as pl

    return pl.read_csv(
        piece,
        separator=separator,
        has_header=False,
        new_columns=list(names),
        quote_char=None,
        infer_schema=False,
    )


def _matched(piece: bytes, names: Sequence[str]) -> pl.DataFrame:
    import polars as pl

    pattern = r"^\s*" + r"\s+".join(rf"(?<{name}>\S+)" for name in names) + r"\s*$"
    lines = pl.Series("line", piece.decode("utf-8", "replace").splitlines())
    return lines.str.extract_groups(pattern).struct.unnest()


def _first_incomplete(frame: pl.DataFrame) -> pl.Expr:
    """Return the first row with a missing field, or None."""
    import polars as pl

    is_missing = pl.any_horizontal(pl.all().is_null())
    return pl.when(is_missing.any()).then(is_missing.arg_max())
