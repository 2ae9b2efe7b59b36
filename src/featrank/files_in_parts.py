"""Files that are read in parts: when they are, and what is asked of them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank import tables
from featrank.exceptions import DataError, FeatrankError, UsageError
from featrank.labels import bin_target
from featrank.memory import memory_budget, written_size
from featrank.reading import Reading
from featrank.sources import Source, formats, open_source
from featrank.summaries import entries, stored_labels
from featrank.tables import Table
from featrank.tables.missing import complete

# How much larger than a gzipped text its numbers are.
UNPACKED = 4
# Missing values that need all values of a feature at a time.
NEEDS_COLUMNS = ("median", "keep")


@dataclass(frozen=True)
class PartOptions:
    """The options that only data in parts has.

    Attributes
    ----------
    labels : path or None
        A file of labels.
    memory : str, int or None
        What blocks and summaries may take together; by default a quarter of what is free.
    workers : int or None
        So many processes of Dask on this machine read the parts.
    scheduler : str or None
        The address of a Dask scheduler whose workers read them.
    checkpoint : path or None
        A file from which an interrupted run goes on.
    """

    labels: str | os.PathLike[str] | None = None
    memory: str | int | None = None
    workers: int | None = None
    scheduler: str | None = None
    checkpoint: str | os.PathLike[str] | None = None

    @property
    def asked(self) -> list[str]:
        """The options that are given."""
        return [one.name for one in fields(self) if getattr(self, one.name) is not None]

    @contextmanager
    def reading(self, missing: str) -> Iterator[dict[str, Any]]:
        """Open a cluster if one is wanted, and give what ``rank`` takes."""
        given = {"memory": self.memory, "missing": missing, "checkpoint": self.checkpoint}
        if self.workers is None and self.scheduler is None:
            yield given
            return
        from featrank.engines.dask import DaskEngine

        with DaskEngine(address=self.scheduler, workers=self.workers) as engine:
            yield {**given, "engine": engine}


@dataclass(frozen=True)
class FilesInParts:
    """Files that are read in parts as one table; as ``rank_file`` has them."""

    paths: tuple[Path, ...]
    target: str | int | None
    target_bins: int | None
    groups: str | None
    drop: tuple[str, ...]
    options: PartOptions

    def source(self) -> Source:
        """Open them, without the columns that are no features."""
        drop = [*self.drop, *([] if self.groups is None else [self.groups])]
        return self._opened(self.target, self.options.labels, drop)

    def classes(self, source: Source, n_jobs: int | None) -> NDArray[Any] | None:
        """Return classes in the place of a quantity; None where the labels are classes."""
        if self.target_bins is None or not source.labelled:
            return None
        return bin_target(self._labels(source, n_jobs), self.target_bins)

    def group_labels(self, source: Source, n_jobs: int | None) -> NDArray[Any] | None:
        """Return the column that tells which rows belong together, if one is named."""
        if self.groups is None:
            return None
        drop = [*self.drop, *([] if source.target is None else [source.target])]
        try:
            groups = self._opened(self.groups, None, drop)
        except UsageError:  # the labels are no column of this file
            groups = self._opened(self.groups, None, self.drop)
        return self._labels(groups, n_jobs)

    def chosen(self, source: Source, columns: list[int], missing: str, n_jobs: int | None) -> Table:
        """Return some features and the labels, as the whole table would have them."""
        reading = Reading(memory=self.options.memory)
        names = [source.names[column] for column in columns]
        with reading.reader(source, n_jobs, "") as reader:
            y = stored_labels(source, reader) if source.labelled else None
            n_rows = source.shape[0] if y is None else len(y)
            assert n_rows is not None
            _require_room(n_rows, columns, reader.memory)
            places = np.asarray(columns, dtype=np.intp)
            X = entries(source, [(np.arange(n_rows), places)], {}, reader)[0]
        if missing == "mean":
            X = complete(X, names, "mean")
        # Integers with gaps are floats, whatever the source says.
        plain = X if np.isnan(X).any() else X.astype(source.dtype, copy=False)
        return Table(plain, names, y, source.target)

    def _opened(
        self, target: str | int | None, labels: str | os.PathLike[str] | None, drop: Sequence[str]
    ) -> Source:
        paths: Any = self.paths if len(self.paths) > 1 else self.paths[0]
        return open_source(paths, target=target, labels=labels, drop=drop)

    def size(self) -> int:
        """Return about what they take in memory; what cannot be opened is told by who reads it."""
        path = self.paths[0]
        name = path.name.lower()
        try:
            if name.endswith((".csv", ".tsv")):  # to open these, they have to be read
                return path.stat().st_size
            if name.endswith(".gz"):
                return UNPACKED * path.stat().st_size
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.source().n_bytes or path.stat().st_size
        except (OSError, FeatrankError):
            return 0

    def go_in_parts(self, missing: str, whole: bool, able: bool) -> bool:
        """Whether they are read in parts.

        Parameters
        ----------
        missing : str
            What to do about missing values.
        whole : bool
            Whether something is asked for that only a whole table can do.
        able : bool
            Whether the method reads in parts.
        """
        asked = [f"--{name}" for name in self.options.asked]
        if len(self.paths) > 1:
            asked.append("several files as one table")
        if asked:
            self._require_parts(asked[0])
            return True
        if formats.module_of(self.paths[0]) is None:
            return False
        only = tables.formats.format_of(self.paths[0]) is None
        return only or (able and not whole and self.size() > memory_budget())

    def _require_parts(self, asked: str) -> None:
        for path in self.paths:
            if formats.module_of(path) is None:
                raise UsageError(
                    f"{path.name!r} can only be read as a whole, and {asked} needs parts. Leave "
                    "that out, or write the data in another format: "
                    f"{', '.join(formats.suffixes())}."
                )

    def _labels(self, source: Source, n_jobs: int | None) -> NDArray[Any]:
        with Reading(memory=self.options.memory).reader(source, n_jobs, "") as reader:
            return stored_labels(source, reader)


def require_possible(missing: str, categorical: str) -> None:
    """Refuse what data in parts cannot do."""
    if missing in NEEDS_COLUMNS:
        raise UsageError(
            f"Data that is read in parts cannot do --missing {missing} (in Python missing=): it "
            "needs whole columns in memory. Choose mean or skip, or a file that fits into memory."
        )
    if categorical != "error":
        raise UsageError(
            "Data that is read in parts takes no --categorical (in Python categorical=): "
            "categories are known only once all rows have been read. Write them as numbers, or "
            "leave the columns out (--drop)."
        )


def _require_room(n_rows: int, columns: list[int], memory: int) -> None:
    size = n_rows * len(columns) * 8
    if size > memory:
        raise DataError(
            f"{len(columns):,} features of {n_rows:,} samples take {written_size(size)} in memory, "
            f"and may take {written_size(memory)}. Keep fewer features, or give more memory "
            "(--memory, in Python memory=)."
        )
