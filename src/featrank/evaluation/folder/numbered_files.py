"""Numbered files of a run, each written atomically when its part is finished."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from featrank._utils.atomic_files import meant_for, replacing
from featrank._utils.warn import warn_user
from featrank.exceptions import DataError, UsageError
from featrank.tables.numpy_files import read_members


class NumberedFiles:
    """A folder of files 00000.npz, 00001.npz, … Other files are ignored."""

    #: What a file holds, for messages.
    what = "entry"

    def __init__(self, path: Path):
        self.path = path

    def prepare(self) -> None:
        """Create the folder and remove temporary files of a killed run."""
        self.path.mkdir(parents=True, exist_ok=True)
        for path in self.path.iterdir():
            if self._is_own(Path(meant_for(path.name) or "")) and path.is_file():
                path.unlink(missing_ok=True)

    def numbers(self) -> list[int]:
        """Return the numbers of the existing files; warn of other files."""
        numbers, others = [], []
        for path in self.path.iterdir() if self.path.is_dir() else ():
            if self._is_own(path) and path.is_file():
                numbers.append(int(path.stem))
            elif not path.name.startswith("."):
                others.append(path.name)
        if others:
            warn_user(
                f"{str(self.path)!r} contains files that are not {self.what}s and are ignored: "
                f"{', '.join(map(repr, sorted(others)[:5]))}.",
                "info",
            )
        return sorted(numbers)

    def read(self, count: int) -> list[Any]:
        """Return what the existing files with numbers below ``count`` hold."""
        return [self._read(number) for number in self.numbers() if number < count]

    def _read(self, number: int) -> Any:
        raise NotImplementedError

    def file(self, number: int) -> Path:
        """Return the path of a number's file."""
        return self.path / f"{number:05d}.npz"

    def _is_own(self, path: Path) -> bool:
        stem = path.stem
        return stem.isdecimal() and path.name == self.file(int(stem)).name


@contextmanager
def readable(path: Path, fix: str) -> Iterator[None]:
    """Turn any error while reading a file into one that names it and suggests a fix."""
    try:
        yield
    # Damaged archives raise nearly anything: BadZipFile, zlib.error, EOFError, KeyError, ...
    except Exception as error:
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        reason = reason.removeprefix(f"{str(path)!r} ")  # the reader may have named it
        raise DataError(f"{str(path)!r} cannot be read: {reason}. {fix}") from error


@contextmanager
def arrays_in(path: Path, fix: str) -> Iterator[dict[str, NDArray[Any]]]:
    """Give the arrays of a file; errors inside the block name it."""
    with readable(path, fix):
        yield read_members(path)


@contextmanager
def writable(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces ``path``. Errors contain ``path``."""
    import polars as pl

    try:
        with replacing(path) as temporary:
            yield temporary
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = getattr(error, "strerror", None) or " ".join(str(error).split()).rstrip(".")
        raise DataError(
            f"{str(path)!r} cannot be written: {reason}. Finished trials are kept. Solve this, "
            "then continue with `resume=True`."
        ) from error


@contextmanager
def usable(folder: Path) -> Iterator[None]:
    """Turn errors while creating or writing a folder into one that names it."""
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{str(folder)!r} cannot be written to: {error.strerror or error}. Give another folder."
        ) from error
