"""The content of a file for its description: all of it, or the beginning of a large file."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from featrank._utils.budget import memory_budget
from featrank.data.cells import read_cells
from featrank.data.opening import open_reader
from featrank.exceptions import FeatrankError
from featrank.sources import open_dataset
from featrank.tables import read_file
from featrank.tables.format import module_of
from featrank.tables.opening import opened, unpacked_size
from featrank.tables.options import ReadOptions
from featrank.tables.parsed import Parsed, only_parse
from featrank.tables.samples import Samples

# Text files above this size are described by their beginning.
LARGE_TEXT = 2**27
_BEGINNING = 2**25
# Cells of an out-of-core dataset that are read.
_ROWS, _COLUMNS = 500, 2000


@dataclass(frozen=True, eq=False)
class Content:
    """What was read of a file.

    Attributes
    ----------
    parsed : Parsed
        The content.
    shape : tuple of int
        Number of rows and columns or features of the whole file; estimated rows if ``sampled``.
    sampled : bool
        Whether only the beginning was read.
    path : Path
        The file that can be read with the same options: the file itself, or its beginning.
    """

    parsed: Parsed
    shape: tuple[int, int]
    sampled: bool
    path: Path


@contextmanager
def parse_content(path: Path, options: ReadOptions) -> Iterator[Content]:
    """Read what a description needs."""
    is_text = (module := module_of(path)) is not None and module.FORMAT.transposable
    if is_text and path.is_file() and unpacked_size(path) > LARGE_TEXT:
        with tempfile.TemporaryDirectory() as folder:
            yield _parse_beginning(path, Path(folder), options)
    elif module_of(path, "read") is None or _is_too_large(path):
        yield _parse_dataset(path)
    else:
        parsed = _parse(path, options)
        yield Content(parsed, _shape(parsed), False, path)


def _is_too_large(path: Path) -> bool:
    return module_of(path, "open") is not None and path.stat().st_size > memory_budget()


def _parse(path: Path, options: ReadOptions) -> Parsed:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return only_parse(lambda stop: read_file(path, replace(options, on_parsed=stop)))


def _shape(parsed: Parsed) -> tuple[int, int]:
    if parsed.columns is None:
        return int(parsed.X.shape[0]), int(parsed.X.shape[1])
    return len(parsed.columns[0]) if parsed.columns else 0, len(parsed.names)


def _parse_beginning(path: Path, folder: Path, options: ReadOptions) -> Content:
    """Describe a large text file by its first lines, from which its rows are estimated."""
    beginning = folder / path.name.removesuffix(".gz")
    with opened(path, "rb") as file:
        lines = file.readlines(_BEGINNING)
    beginning.write_bytes(b"".join(lines))
    parsed = _parse(beginning, options)
    n_rows, n_columns = _shape(parsed)
    share = unpacked_size(path) / max(1, beginning.stat().st_size)
    if options.transpose:
        n_columns = round(n_columns * share)
    else:
        n_rows = round(n_rows * share)
    shape = n_rows, n_columns
    return Content(parsed, shape, True, beginning)


def _parse_dataset(path: Path) -> Content:
    """Describe a dataset by some of its cells and its stored labels."""
    source = open_dataset(path)
    n_rows, n_features = source.shape[0] or 0, source.shape[1]
    rows, places = np.arange(min(n_rows, _ROWS)), np.arange(min(n_features, _COLUMNS))
    with open_reader(ReadOptions(), source, 1, "") as reader:
        X = read_cells(source, [(rows, places)], {}, reader)[0]
    names = [source.names[place] for place in places.tolist()]
    ids = None if source.ids is None else source.ids.read(slice(0, n_rows))
    samples = Samples.of(_annotations(path), ids, id_name=source.id_name)
    y = source.labels_apart()
    parsed = Parsed(names, samples, X=X, y=y, target_name=source.target)
    return Content(parsed, (n_rows, n_features), X.shape != (n_rows, n_features), path)


def _annotations(path: Path) -> dict[str, Any]:
    """Return the columns about the samples that can be targets of a dataset."""
    if path.suffix.lower() != ".bed":
        return {}
    found: dict[str, Any] = {}
    for name in ("phenotype", "sex", "family"):
        try:
            labels = open_dataset(path, target=name).labels_apart()
        except FeatrankError:
            continue
        if labels is not None:
            found[name] = labels
    return found


def count_missing(parsed: Parsed) -> tuple[int, int, int]:
    """Return how many cells are missing, and in how many columns and samples."""
    if parsed.columns is None:
        values = parsed.X if isinstance(parsed.X, np.ndarray) else parsed.X.data
        if values.dtype.kind != "f" or not np.isnan(values).any():
            return 0, 0, 0
        is_missing = np.isnan(parsed.X if values is parsed.X else parsed.X.toarray())
        by_column, by_row = is_missing.sum(axis=0), is_missing.any(axis=1)
        return int(by_column.sum()), int((by_column > 0).sum()), int(by_row.sum())
    masks = [_is_missing(column) for column in parsed.columns]
    masks = [mask for mask in masks if mask.any()]
    if not masks:
        return 0, 0, 0
    rows = np.logical_or.reduce(masks)
    return int(sum(mask.sum() for mask in masks)), len(masks), int(rows.sum())


def _is_missing(column: pl.Series) -> np.ndarray:
    nan = column.is_nan().fill_null(True) if column.dtype.is_float() else column.is_null()
    return (nan | column.is_null()).to_numpy()
