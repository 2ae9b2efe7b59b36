"""Whether what a file promises fits into memory, before any of it is read."""

from pathlib import Path

from ..exceptions import DataError
from ..memory import free_memory, written_size


def require_room(needed: int, path: Path, what: str) -> None:
    """Refuse what would take more memory than is free.

    Parameters
    ----------
    needed : int
        Bytes that it would take.
    path : Path
        The file, for the message.
    what : str
        What would take them, such as "its matrix".
    """
    free = free_memory()
    if needed > free:
        raise DataError(
            f"{str(path)!r} cannot be read: {what} would take {written_size(needed)} of memory, "
            f"and {written_size(free)} are free. Unless the file is damaged, write it in a format "
            "that is read in parts, such as .parquet or .h5, or use a larger machine."
        )
