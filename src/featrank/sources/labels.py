"""Labels of the rows of a part: from a file of their own, or from where the data is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from numpy.typing import NDArray

from featrank.exceptions import UsageError
from featrank.tables.labels import checked_labels, find_label_file, read_label_file


class Labels(Protocol):
    """Where labels come from: picklable, as the parts are that hold it."""

    @property
    def name(self) -> str:
        """What the labels are called."""

    def read(self, rows: slice) -> NDArray[Any]:
        """Return the labels of some rows as they are stored."""


@dataclass(frozen=True)
class LabelFile:
    """Labels in a file of their own (``.npy``, or ``.csv`` or ``.txt`` with one a line).

    All labels decide whether they are numbers or strings, so that the file is read as a whole,
    once in each process.
    """

    path: Path
    n_samples: int

    @property
    def name(self) -> str:
        """The name of the file without its suffix."""
        return self.path.stem

    def read(self, rows: slice) -> NDArray[Any]:
        """Return the labels of some rows."""
        status = self.path.stat()
        stamp = (status.st_mtime_ns, status.st_size)
        labels: NDArray[Any] = _whole(self.path, self.n_samples, stamp)[rows]
        return labels


@lru_cache(maxsize=2)
def _whole(path: Path, n_samples: int, stamp: tuple[int, int]) -> NDArray[Any]:
    return checked_labels(read_label_file(path, n_samples), n_samples, path.stem)


def label_file(path: Path, n_samples: int, data_file: Path) -> LabelFile:
    """Return the labels in a file, seen from here or from the data; each row has one."""
    found = find_label_file(str(path), data_file=data_file)
    if found is None:
        raise UsageError(f"There is no file {str(path)!r} of labels. Check the path.")
    labels = LabelFile(found.absolute(), n_samples)
    labels.read(slice(0, 1))
    return labels


def labels_of(labels: Labels | None, rows: slice, place: str) -> NDArray[Any] | None:
    """Return the labels of some rows, one a row and none missing, if there are labels."""
    if labels is None:
        return None
    return checked_labels(labels.read(rows), rows.stop - rows.start, labels.name, place)
