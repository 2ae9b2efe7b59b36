"""``plan``: decide once how the files of a request are read, and whether the ranker loads them."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral
from types import SimpleNamespace
from typing import Any

from featrank._utils.budget import memory_budget
from featrank._utils.progress import stage
from featrank.base.ranker import Ranker
from featrank.exceptions import DataError, FeatrankError, UsageError
from featrank.files.dataset import open_files, read_groups, read_sheet_labels
from featrank.files.request import FileRequest
from featrank.sources import Source
from featrank.tables.format import module_of, suffixes
from featrank.tables.opening import unpacked_size
from featrank.tables.options import ReadOptions

# Ways to fill in missing values that need all values of a feature at once.
NEEDS_COLUMNS = ("median", "keep", "knn")
# The options that ask for an out-of-core dataset.
_CHUNK_OPTIONS = ("memory", "workers", "scheduler", "checkpoint")
# If a ranker does not read this in chunks, it reads nothing in chunks.
_ANY_DATASET = SimpleNamespace(again=True, axis="columns", shape=(1, 1))


@dataclass(frozen=True, eq=False)
class Plan:
    """How the files of a request are read.

    Attributes
    ----------
    ranker : Ranker
        The ranker that will run.
    source : Source or None
        The files as an out-of-core dataset. None if a file is read as a table.
    y, groups : ndarray or None
        Labels and groups that the dataset does not hold itself.
    in_chunks : bool
        Whether the ranker reads the dataset in chunks. Otherwise all of it is loaded.
    """

    ranker: Ranker
    source: Source | None = None
    y: Any = None
    groups: Any = None
    in_chunks: bool = False


def plan(request: FileRequest, ranker: Ranker) -> Plan:
    """Decide how files are read for a ranker: as a table, or as a dataset, in chunks if it can."""
    if _asks_for_dataset(request):
        require_chunkable(request.options)
        return _open(request, ranker)
    if _may_be_dataset(request, ranker) and _size(request) > memory_budget():
        opened = _open(request, ranker)
        if opened.in_chunks:
            return opened
    return Plan(ranker)


def _asks_for_dataset(request: FileRequest) -> bool:
    """Whether the files have to be opened as a dataset, whatever their size."""
    options, only_whole = request.options, module_of(request.path, "open") is None
    asked = [f"`{name}`" for name in _CHUNK_OPTIONS if getattr(options, name) is not None]
    if asked == ["`memory`"] and len(request.paths) == 1 and only_whole:
        return False  # it also limits the memory for a table
    if len(request.paths) > 1:
        asked.append("reading several files as one table")
    if asked:
        _require_formats(request, asked[0])
        return True
    if only_whole:
        return False
    if options.labels is not None and not (request.uses_sheet or _needs_whole_table(request)):
        return True  # a separate label file is a sign of large data
    return module_of(request.path, "read") is None


def _may_be_dataset(request: FileRequest, ranker: Ranker) -> bool:
    """Whether the file could be read in chunks, as far as that is known before it is opened."""
    return (
        module_of(request.path, "open") is not None
        and not _needs_whole_table(request)
        and ranker.reads_in_chunks(_ANY_DATASET, None, request.options.missing)
    )


def _needs_whole_table(request: FileRequest) -> bool:
    options = request.options
    return (
        request.per_class or options.missing in NEEDS_COLUMNS or bool(options.whole_table_options)
    )


def _open(request: FileRequest, ranker: Ranker) -> Plan:
    with stage(f"Opening {request.path.name}"):
        source = open_files(request)
    if ranker.supervised and not (source.labelled or request.uses_sheet):
        raise request.unlabelled_error()
    require_size(source.shape[0], source.shape[1], request.top, source.name)
    y, groups = read_sheet_labels(request, source), read_groups(request, source)
    in_chunks = not request.per_class and ranker.reads_in_chunks(source, y, request.options.missing)
    return Plan(ranker, source, y, groups, in_chunks)


def _size(request: FileRequest) -> int:
    """Return the approximate size of a file in memory; 0 if it cannot be opened."""
    path = request.path
    module = module_of(path, "open")
    try:
        if path.suffix.lower() == ".gz":
            return unpacked_size(path)
        if module is not None and module.FORMAT.scanned:
            return path.stat().st_size
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return open_files(request).n_bytes or path.stat().st_size
    except (OSError, EOFError, zlib.error, FeatrankError):
        return 0


@contextmanager
def fit_keywords(options: ReadOptions) -> Iterator[dict[str, Any]]:
    """Open a cluster if one is wanted, and return the reading options for ``rank``."""
    keywords: dict[str, Any] = {
        name: getattr(options, name) for name in ("memory", "missing", "checkpoint")
    }
    if options.workers is None and options.scheduler is None:
        yield keywords
        return
    from featrank.engines.dask import DaskEngine

    with DaskEngine(address=options.scheduler, workers=options.workers) as engine:
        yield {**keywords, "engine": engine}


def require_size(
    n_samples: int | None, n_features: int, top: int | float | str | None, name: str
) -> None:
    """Raise an error for data with fewer features than are wanted, or with one sample."""
    if isinstance(top, Integral) and top > n_features:
        raise UsageError(
            f"`top={top}` exceeds the {n_features} features of {name!r}. Use `top={n_features}` "
            "or fewer."
        )
    if n_samples == 1:
        raise DataError(
            f"{name!r} has a single sample, and a ranking needs at least two. If its features are "
            "in rows, use `transpose=True`."
        )


def require_chunkable(options: ReadOptions) -> None:
    """Raise an error for options that need the whole table in memory."""
    if options.missing in NEEDS_COLUMNS:
        raise UsageError(
            f'`missing="{options.missing}"` needs whole columns in memory, and the data is read in '
            'chunks. Use `missing="mean"` or `missing="skip"`.'
        )
    if options.categorical != "error":
        raise UsageError(
            "`categorical` needs all rows in memory, and the data is read in chunks. Encode the "
            "columns as numbers, or leave them out with `drop=...`."
        )
    for name in options.whole_table_options:
        raise UsageError(
            f"`{name}` needs the whole table in memory, and the data is read in chunks. Leave it "
            "out, or use a file that fits into memory."
        )


def _require_formats(request: FileRequest, asked: str) -> None:
    for path in request.paths:
        if module_of(path, "open") is None:
            raise UsageError(
                f"{path.name!r} cannot be read in chunks, and {asked} needs chunks. Convert the "
                f"data to another format: {', '.join(suffixes('open'))}."
            )
