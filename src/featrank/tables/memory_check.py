"""Check that a file fits into memory, before any of it is read."""

from pathlib import Path

from featrank._utils.budget import require

# Bytes that a row with its label, and a column with its name and scores, take at least.
_ROW, _COLUMN = 16, 200
# A cell becomes a number in a frame, and one in a matrix.
_CELL = 16


def require_shape(shape: tuple[int, ...], path: Path) -> None:
    """Raise an error if the names of rows and columns would not fit into memory."""
    rows, columns = shape
    needed = _ROW * rows + _COLUMN * columns
    require_room(needed, path, f"a matrix of {rows:,} rows and {columns:,} columns")


def cells_size(content: bytes, separator: bytes) -> int:
    """Return the bytes that the numbers of a delimited file take while it is read."""
    return _CELL * (content.count(separator) + content.count(b"\n"))


def require_room(needed: int, path: Path, what: str) -> None:
    """Raise an error if something takes more memory than is free or allowed.

    Parameters
    ----------
    needed : int
        Bytes that it would take.
    path : Path
        The file, for the message.
    what : str
        What would take them, such as "its matrix".
    """
    require(
        needed,
        lambda size, free: (
            f"{str(path)!r} cannot be read: {what} would take {size} of memory, but the limit is "
            f"{free}. Allow more with `memory=...`, or convert the file to a format that is read "
            "in chunks, such as .parquet or .h5."
        ),
    )
