"""Open whatever ``fit`` receives, and load out-of-core data that a ranker needs in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np

from featrank._utils.budget import give_back_freed_blocks, memory_budget, require
from featrank._utils.method_lists import ACCEPT_NAN, ACCEPT_NAN_FOR_REGRESSION, SINGLE_PASS
from featrank._utils.threads import workers
from featrank.data.annotated import split_anndata
from featrank.data.checkpoint import Checkpoint
from featrank.data.chunks import Chunks
from featrank.data.named_columns import take_named
from featrank.data.protocol import Data
from featrank.data.reader import Reader
from featrank.data.whole_table import whole_table
from featrank.engines.engine import Engine
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.sources import Source, open_dataset
from featrank.sources.names import kept_names
from featrank.sources.streams import is_stream
from featrank.summaries.missing import WAYS
from featrank.tables.missing import complete
from featrank.tables.options import FIT_OPTIONS, ReadOptions
from featrank.values.classes import labels_mark
from featrank.values.containers import NamedMatrix


class Ranked(Protocol):
    """What a method says of itself."""

    name: ClassVar[str]
    accepts_sparse: ClassVar[bool]
    accepts_nan: ClassVar[bool]

    @property
    def _regresses(self) -> bool:
        """Whether the task is regression."""


def fit_options(keywords: Mapping[str, Any]) -> ReadOptions:
    """Return the options for out-of-core data that ``fit`` was given; reject unknown ones."""
    for name in keywords:
        if name not in FIT_OPTIONS:
            kind = "option for data that is read in chunks"
            raise UsageError(unknown_name(kind, name, list(FIT_OPTIONS)))
    options = ReadOptions(**keywords)
    if options.missing not in WAYS:
        raise UsageError(unknown_name("way to treat missing values", options.missing, WAYS))
    return options


@contextmanager
def open_reader(
    options: ReadOptions, source: Source, n_jobs: int | None, method: str, y: Any = None
) -> Iterator[Reader]:
    """Open the engine and the checkpoint, which is removed if the run succeeds."""
    if options.memory is not None:
        give_back_freed_blocks()
    checkpoint = None
    if options.checkpoint is not None:
        labels = source.labels_apart() if y is None else y
        run = _run(source, method, options.missing)
        run["labels"] = None if labels is None else labels_mark(labels)
        checkpoint = Checkpoint(options.checkpoint, run)
    with _open_engine(options, source, n_jobs) as (engine, threads):
        memory = memory_budget(options.memory)
        yield Reader(engine, memory, threads, checkpoint, _at_once(engine))
    if checkpoint is not None:
        checkpoint.finish()


@contextmanager
def _open_engine(
    options: ReadOptions, source: Source, n_jobs: int | None
) -> Iterator[tuple[Engine, int]]:
    """Open the engine that reads chunks, and return the number of threads per chunk."""
    if options.engine is not None:
        yield options.engine, 1 if _at_once(options.engine) else workers(n_jobs)
        return
    if options.client is not None or (_is_dask(source) and _has_client()):
        from featrank.engines.dask import DaskEngine

        with DaskEngine(client=options.client) as engine:
            yield engine, 1
        return
    from featrank.engines.local_engine import LocalEngine

    yield LocalEngine(n_jobs), workers(n_jobs)


def load_source(
    options: ReadOptions, source: Source, y: Any, ranker: Ranked
) -> tuple[NamedMatrix, Any]:
    """Return the values and labels of a source for a method that needs them all in memory."""
    method = type(ranker).__name__
    for name in ("checkpoint", "ranges"):
        if getattr(options, name) is not None:
            raise UsageError(
                f"{method} needs all of {source.name!r} in memory, and takes no {name}. Leave "
                f"it out. {chunks_advice(ranker)}"
            )
    with open_reader(options, source, None, method) as reader:
        _require_fits(source, reader.memory, ranker)
        table = whole_table(source, reader, reader.memory)
    X = table.X
    if not ranker.accepts_sparse and hasattr(X, "indptr"):
        X = X.toarray()
    if options.missing == "mean":
        X = complete(X, source.names, "mean")
    elif options.missing == "skip" and not ranker.accepts_nan:
        raise UsageError(_cannot_skip(ranker))
    names = kept_names(source.names)
    labels = None if names is None else np.asarray(names, dtype=object)
    named = NamedMatrix(X, labels, source.notes, source.value_scale)
    return named, table.y if y is None else y


def is_source(X: Any) -> bool:
    """Whether X is read in chunks: a source, path, Dask collection, lazy frame or stream."""
    if isinstance(X, Source | str | os.PathLike):
        return True
    if hasattr(X, "__dask_graph__"):
        return True
    return not hasattr(X, "__array__") and is_stream(X) and not hasattr(X, "shape")


def source_of(X: Any, y: Any) -> tuple[Source, Any]:
    """Return X as a source, and labels that do not come with it."""
    source, labels = _opened(X, y)
    if source.shape[1] == 0:
        raise DataError(f"{source.name!r} has no features. At least one column was expected.")
    return source, labels


def _opened(X: Any, y: Any) -> tuple[Source, Any]:
    if isinstance(X, Source):
        return X, y
    if hasattr(X, "__dask_graph__"):
        from featrank.sources.dask_collections import DaskSource

        return DaskSource(X, y), None
    named = isinstance(y, str)
    return open_dataset(X, target=y if named else None), None if named else y


@contextmanager
def open_data(
    ranker: Any,
    X: Any,
    y: Any,
    options: Mapping[str, Any],
    sample_weight: Any = None,
    groups: Any = None,
) -> Iterator[Data]:
    """Open whatever ``fit`` was given: the only place that knows all kinds of input."""
    X, y, groups = take_named(X, y, groups)
    X, y, options = split_anndata(X, y, options)
    if is_source(X):
        read_options = fit_options(options)
        X, y = source_of(X, y)
        ranker._require_options(read_options)
        if ranker.reads_in_chunks(X, y, read_options.missing):
            with _chunks(ranker, X, y, read_options, sample_weight, groups) as chunks:
                yield chunks
            return
    X, y = load(ranker, X, y, options)
    yield ranker._matrix(X, y, sample_weight, groups)


@contextmanager
def _chunks(
    ranker: Any, source: Source, y: Any, options: ReadOptions, sample_weight: Any, groups: Any
) -> Iterator[Data]:
    if sample_weight is not None:
        raise UsageError(
            "Data that is read in chunks cannot have `sample_weight`. Pass weighted summaries of "
            "blocks to `fit_summary`, from "
            "`featrank.summaries.ClassSummary.of(X, y, ranges, sample_weight=...)`."
        )
    if y is None and not source.labelled:
        raise DataError(
            f"{type(ranker).__name__} requires y to be passed, but {source.name!r} has no labels. "
            "Use `target=...`."
        )
    ranker._set_fitted_shape(source.shape[1], kept_names(source.names))
    key = ranker._checkpoint_key(groups)
    with open_reader(options, source, ranker.n_jobs, key, y) as reader:
        chunks = Chunks(source, y, reader, options.missing, options.ranges, groups)
        yield chunks
    ranker.classes_, ranker._class_sizes = chunks.classes, chunks.class_sizes


def load(ranker: Any, X: Any, y: Any, options: Mapping[str, Any]) -> tuple[Any, Any]:
    """Load data, which may be an AnnData or an out-of-core dataset, into memory."""
    X, y, _ = take_named(X, y)
    X, y, options = split_anndata(X, y, options)
    if is_source(X):
        source, y = source_of(X, y)
        return load_source(fit_options(options), source, y, ranker)
    ranker._reject_unknown(options)
    return X, y


def options_of(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords that say how a source is read."""
    return {name: keywords[name] for name in FIT_OPTIONS if name in keywords}


def chunks_advice(ranker: Ranked) -> str:
    """Return advice for a ranker that cannot read the data in chunks as it is configured."""
    if ranker._regresses:
        return (
            "No method reads data in chunks for regression. Single-pass methods do for classes: "
            "make them with `featrank.bin_target(y, 3)`."
        )
    if _on_summaries(ranker):
        return "Rank all classes together: only one ranking per class needs the data in memory."
    able = ", ".join(SINGLE_PASS)
    return f"Single-pass methods read data in chunks if they rank all classes together: {able}."


def _on_summaries(ranker: Ranked) -> bool:
    return getattr(ranker, "name", None) in SINGLE_PASS  # rankers of users may have no name


def _cannot_skip(ranker: Ranked) -> str:
    """Return why missing values cannot be skipped, and what to do about it."""
    each = ", ".join(ACCEPT_NAN)
    what, able = "", f"{', '.join(SINGLE_PASS)}, {each} (for each class: {each})"
    if ranker._regresses:
        what, able = " in regression", ", ".join(ACCEPT_NAN_FOR_REGRESSION)
    elif _on_summaries(ranker):
        what, able = " in a ranking for each class", each
    return (
        f"{type(ranker).__name__} cannot skip missing values{what}. Fill them in with "
        f'`missing="mean"`, or choose another method: {able}.'
    )


def _require_fits(source: Source, memory: int, ranker: Ranked) -> None:
    """Raise an error if a source does not fit into memory."""
    n_rows, n_features = source.shape
    size, kind = (n_rows or 0) * n_features * 8, " as float64"
    # Blocks are concatenated, so that they exist twice for a moment.
    if ranker.accepts_sparse and 2 * (source.n_bytes or 0) < size:
        size, kind = 2 * (source.n_bytes or 0), " while chunks are joined"
    require(
        size,
        lambda needed, limit: (
            f"{type(ranker).__name__} needs all of {source.name!r} in memory, {needed}{kind}, but "
            f"the limit is {limit}. Raise the limit with `memory=...`. {chunks_advice(ranker)}"
        ),
        memory,
    )


def _run(source: Source, method: str, missing: str) -> dict[str, Any]:
    """Return the description of a run, which a checkpoint has to match."""
    return {
        "data": source.name,
        "shape": list(source.shape),
        "type": str(source.dtype),
        "target": source.target,
        "method": method,
        "missing": missing,
        "files": [_stamp(path) for path in source.files],
    }


def _stamp(path: Path) -> list[Any]:
    """Return a stamp that changes with the file, or with the metadata of a folder."""
    described = [path / name for name in ("zarr.json", ".zgroup", ".zarray")]
    state = next((one for one in described if one.exists()), path).stat()
    return [str(path.resolve()), state.st_size, state.st_mtime_ns]


def _at_once(engine: Engine) -> int | None:
    """Return the number of parts that a cluster processes at a time."""
    client = getattr(engine, "client", None)
    return None if client is None else sum(client.nthreads().values())


def _is_dask(source: Source) -> bool:
    return type(getattr(source, "whole", source)).__name__ == "DaskSource"


def _has_client() -> bool:
    import sys

    if "distributed" not in sys.modules:
        return False
    from distributed import get_client

    try:
        get_client()
    except ValueError:
        return False
    return True
