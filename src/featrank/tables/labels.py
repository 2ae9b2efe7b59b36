"""Labels from an array, a column or a label file, checked against the samples."""

import csv
from itertools import dropwhile
from pathlib import Path
from typing import Any

import numpy as np

from featrank.exceptions import DataError, UsageError
from featrank.tables.class_files import read_class_file
from featrank.tables.columns import MISSING_CELLS
from featrank.tables.dialect import decimal_of
from featrank.tables.numpy_files import read_array
from featrank.tables.table import parsing

_LAST_CHARACTER = 0x10FFFF


def checked_labels(values: Any, n_samples: int, name: str, place: str = "") -> np.ndarray:
    """Return labels as a vector with one label per sample; a missing one is None or NaN.

    Errors name ``place`` if the labels are those of a chunk.
    """
    labels = as_labels(values)
    if labels.ndim != 1 or len(labels) != n_samples:
        raise DataError(
            f"The target {name!r} has shape {labels.shape} for {n_samples} samples"
            f"{f' in {place}' if place else ''}. Give one label per sample."
        )
    require_unicode(labels, f"The target {name!r}")
    return _plain(labels)


def checked_groups(values: Any, n_samples: int, name: str) -> np.ndarray:
    """Return the group of each sample; a missing one raises an error."""
    groups = checked_labels(values, n_samples, name)
    n_missing = missing_labels(groups).sum()
    if n_missing:
        have = "has" if n_missing == 1 else "have"
        raise DataError(
            f"{n_missing} of {n_samples} samples {have} no group {name!r}. Give each sample a "
            "group."
        )
    return groups


def as_labels(values: Any) -> np.ndarray:
    """Return labels as an array; a single row or column becomes a vector."""
    # As objects, since arrays of strings drop NUL characters at their ends.
    labels = np.array(values, dtype=object) if isinstance(values, list) else np.asarray(values)
    return labels.ravel() if labels.size == max(labels.shape, default=0) else labels


def require_unicode(strings: np.ndarray, name: str) -> None:
    """Reject an array of strings with invalid characters, which could not be written."""
    if strings.dtype.kind != "U" or strings.dtype.itemsize == 0:
        return
    native = np.ascontiguousarray(strings, strings.dtype.newbyteorder("="))
    codes = native.reshape(-1).view(np.uint32)
    if np.any((codes > _LAST_CHARACTER) | ((codes >= 0xD800) & (codes < 0xE000))):
        raise DataError(
            f"{name} contains strings with characters that are not Unicode. The file may be "
            "damaged: write it again."
        )


def missing_labels(labels: np.ndarray) -> np.ndarray:
    """Return which labels are missing."""
    if labels.dtype.kind == "f":
        return np.isnan(labels)
    if labels.dtype.kind == "O":
        # NaN is the one value that differs from itself.
        return np.array([label is None or label != label for label in labels.tolist()], dtype=bool)
    return np.zeros(labels.shape, dtype=bool)


def whole_numbers(labels: np.ndarray) -> np.ndarray:
    """Return labels that a format could only store as floats as the integers they are."""
    if labels.dtype.kind == "f" and np.isfinite(labels).all() and (labels == labels.round()).all():
        return labels.astype(np.int64)
    return labels


def find_label_file(target: str, data_file: Path) -> Path | None:
    """Return the file that ``target`` names, seen from here or from the data file, if any."""
    for candidate in (Path(target), data_file.parent / target):
        if candidate.is_file():
            return candidate
    return None


def read_label_file(path: Path, n_samples: int) -> np.ndarray:
    """Read labels from a ``.npy`` or ``.cls`` file, or from a file with one label per line.

    One line more than there are samples means that the first line is a header. If it looks like
    the labels below it, an error is raised.
    """
    suffix = path.suffix.lower()
    if suffix == ".npy":
        return whole_numbers(read_array(path))
    if suffix == ".cls":
        with parsing(path, "a GenePattern class file"):
            return np.array(read_class_file(path, n_samples), dtype=str)
    if suffix not in (".csv", ".txt"):
        raise UsageError(
            f"Labels cannot be read from {str(path)!r}. Use a .npy, .cls, .csv or .txt file."
        )
    with parsing(path, "labels, one per line"):
        cells = _lines(path)
    if len(cells) == n_samples + 1:
        _require_header(path, cells)
        cells = cells[1:]
    return _parsed(cells)


def _require_header(path: Path, cells: list[str]) -> None:
    """Raise an error if there is one line too many and the first one may be a label."""
    first, labels = cells[0], cells[1:]
    if first in labels or (_is_numeric([first]) and _is_numeric(labels)):
        raise DataError(
            f"{str(path)!r} has {len(cells)} lines for {len(labels)} samples, and the first one, "
            f"{first!r}, looks like a label and not like a header. Remove the extra line, or add "
            "a header such as 'label'."
        )


def _is_numeric(cells: list[str]) -> bool:
    return not any(isinstance(label, str) for label in _parsed(cells).tolist())


def _lines(path: Path) -> list[str]:
    content = path.read_text(encoding="utf-8-sig").rstrip()
    lines = [*dropwhile(lambda line: line.startswith("#"), content.splitlines())]
    if path.suffix.lower() == ".txt":
        return [line.strip() for line in lines]
    rows = [next(csv.reader([line]), [""]) for line in lines]
    for number, row in enumerate(rows, start=1):
        if len(row) != 1:
            raise DataError(
                f"Label {number} of {str(path)!r} has {len(row)} fields. Put one label on each "
                "line."
            )
    return [row[0].strip() for row in rows]


def _parsed(cells: list[str]) -> np.ndarray:
    """Return labels as numbers if all known ones are, else as strings. A missing one is None."""
    if decimal_of([cells], "\n") == ",":
        cells = [cell.replace(",", ".") for cell in cells]
    known = [None if cell in MISSING_CELLS else cell for cell in cells]
    for number in (int, float, str):
        try:
            labels = [None if cell is None else number(cell) for cell in known]
        except ValueError:
            continue
        return np.array(labels, dtype=object if None in known else None)
    raise AssertionError


def _plain(labels: np.ndarray) -> np.ndarray:
    if labels.dtype.kind == "S":
        return np.char.decode(labels, "utf-8", "replace")
    if labels.dtype.kind == "O":
        plain = np.array(labels.tolist())
        # Unless that changes one: a number among strings, or a string that ends in NUL.
        return plain if plain.tolist() == labels.tolist() else labels
    return labels
