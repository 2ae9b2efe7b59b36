"""How rankers read data that is larger than memory: what passes for a source, and the options."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

from featrank.engines.engine import Engine
from featrank.engines.local import workers
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.memory import memory_budget, written_size
from featrank.sources import Source, open_source
from featrank.sources.streams import is_stream
from featrank.summaries import Checkpoint, Ranges, Reader
from featrank.summaries.missing import WAYS


@dataclass(frozen=True)
class Reading:
    """The options of ``fit`` for sources.

    Attributes
    ----------
    memory : str, int or None
        What blocks and summaries may take together, such as "4GB"; by default a quarter of what
        is free.
    missing : {"error", "skip", "mean"}
        What to do about missing values.
    engine : Engine or None
        Where parts are read; by default on threads, or on Dask's client for its collections.
    client : distributed.Client or None
        The client of Dask to use.
    checkpoint : path or None
        A file from which an interrupted run goes on.
    ranges : Ranges or None
        The ranges of all features, where they are known: then the data is read once.
    """

    memory: str | int | None = None
    missing: str = "error"
    engine: Engine | None = None
    client: Any = None
    checkpoint: str | os.PathLike[str] | None = None
    ranges: Ranges | None = None

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Reading:
        """Take what ``fit`` was given."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise UsageError(unknown_name("option for data that is read in parts", name, known))
        found = cls(**options)
        if found.missing not in WAYS:
            raise UsageError(unknown_name("way to treat missing values", found.missing, WAYS))
        return found

    @contextmanager
    def reader(self, source: Source, n_jobs: int | None, method: str) -> Iterator[Reader]:
        """Open the engine, and the checkpoint, which is removed when all went well."""
        checkpoint = None
        if self.checkpoint is not None:
            checkpoint = Checkpoint(self.checkpoint, _run(source, method, self.missing))
        with self._engine(source, n_jobs) as (engine, threads):
            yield Reader(engine, memory_budget(self.memory), threads, checkpoint)
        if checkpoint is not None:
            checkpoint.finish()

    @contextmanager
    def _engine(self, source: Source, n_jobs: int | None) -> Iterator[tuple[Engine, int]]:
        if self.engine is not None:
            yield self.engine, workers(n_jobs)
            return
        if self.client is not None or (_is_dask(source) and _has_client()):
            from featrank.engines.dask import DaskEngine

            with DaskEngine(client=self.client) as engine:
                yield engine, 1
            return
        from featrank.engines.local_engine import LocalEngine

        yield LocalEngine(n_jobs), workers(n_jobs)


def is_source(X: Any) -> bool:
    """Whether X is read in parts: a source, a path, a Dask collection, a lazy frame or a stream."""
    if isinstance(X, Source | str | os.PathLike):
        return True
    if hasattr(X, "__dask_graph__"):
        return True
    return not hasattr(X, "__array__") and is_stream(X) and not hasattr(X, "shape")


def source_of(X: Any, y: Any) -> tuple[Source, Any]:
    """Return X as a source, and labels that do not come with it."""
    if isinstance(X, Source):
        return X, y
    if hasattr(X, "__dask_graph__"):
        from featrank.sources.dask_collections import DaskSource

        return DaskSource(X, y), None
    named = isinstance(y, str)
    return open_source(X, target=y if named else None), None if named else y


def require_room(source: Source, memory: int, method: str) -> None:
    """Refuse to bring a source into memory that does not fit."""
    n_rows, n_features = source.shape
    size = (n_rows or 0) * n_features * 8
    if size > memory:
        raise DataError(
            f"{method} needs all of {source.name!r} in memory, {written_size(size)} as float64, "
            f"and may take {written_size(memory)}. Methods on summaries (ec-fs, fisher, mi, "
            "inf-fs-s) read it in parts; or give more memory (--memory, in Python memory=)."
        )


def _run(source: Source, method: str, missing: str) -> dict[str, Any]:
    """Return what a checkpoint must agree with."""
    return {
        "data": source.name,
        "shape": list(source.shape),
        "type": str(source.dtype),
        "target": source.target,
        "method": method,
        "missing": missing,
    }


def _is_dask(source: Source) -> bool:
    return type(source).__name__ == "DaskSource"


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
