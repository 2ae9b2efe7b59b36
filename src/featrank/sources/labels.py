"""Labels of the rows of a part: from a label file, or from where the data is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from featrank.exceptions import UsageError
from featrank.tables.labels import checked_labels, find_label_file, read_label_file


@dataclass(frozen=True)
class Labels:
    """Where labels come from. It is picklable, because parts contain it.

    Attributes
    ----------
    name : str
        What the labels are called.
    read : callable
        Returns the labels of some rows as they are stored.
    """

    name: str
    read: Callable[[slice], NDArray[Any]]


def _in_file(path: Path, n_samples: int, rows: slice) -> NDArray[Any]:
    """Return labels of a label file (``.npy``, or ``.csv`` or ``.txt`` with one per line).

    Whether labels are numbers or strings depends on every label, so the file is read as a whole,
    once in each process.
    """
    status = path.stat()
    labels: NDArray[Any] = _whole(path, n_samples, (status.st_mtime_ns, status.st_size))[rows]
    return labels


@lru_cache(maxsize=2)
def _whole(path: Path, n_samples: int, stamp: tuple[int, int]) -> NDArray[Any]:
    return checked_labels(read_label_file(path, n_samples), n_samples, path.stem)


def label_file(path: Path, n_samples: int, data_file: Path) -> Labels:
    """Return the labels in a file, given by its path or relative to the data file."""
    found = find_label_file(str(path), data_file=data_file)
    if found is None:
        raise UsageError(f"The label file {str(path)!r} does not exist. Check the path.")
    labels = Labels(found.stem, partial(_in_file, found.absolute(), n_samples))
    labels.read(slice(0, 1))
    return labels


def labels_of(labels: Labels | None, rows: slice, place: str) -> NDArray[Any] | None:
    """Return the labels of some rows, if there are labels; a missing one is None or NaN."""
    if labels is None:
        return None
    return checked_labels(labels.read(rows), rows.stop - rows.start, labels.name, place)
