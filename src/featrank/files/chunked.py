"""Files that are read in parts: when they are, and what is asked of them."""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.budget import memory_budget, written_size
from featrank.data.cells import read_cells
from featrank.data.opening import Reading
from featrank.data.whole_table import stored_labels
from featrank.exceptions import DataError, FeatrankError, UsageError, unknown_name
from featrank.sources import Source, open_dataset
from featrank.tables import Table
from featrank.tables.format import module_of, suffixes
from featrank.tables.labels import checked_labels, missing_labels
from featrank.tables.missing import complete
from featrank.tables.opening import unpacked_size
from featrank.tables.sample_sheet import joined, key_of, read_sheet
from featrank.tables.samples import Samples
from featrank.tables.table import Categorical, Duplicates, Sheet
from featrank.values.classes import bin_target

# Missing values that need all values of a feature at a time.
NEEDS_COLUMNS = ("median", "keep", "knn")


@dataclass(frozen=True)
class PartOptions:
    """The options that only data in parts has.

    Attributes
    ----------
    memory : str, int or None
        What blocks and summaries may take together; by default a quarter of what is free.
    workers : int or None
        So many processes of Dask on this machine read the parts.
    scheduler : str or None
        The address of a Dask scheduler whose workers read them.
    checkpoint : path or None
        A file from which an interrupted run goes on.
    """

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
class TableOptions:
    """How a file becomes a table, besides its target; as :func:`featrank.tables.read` has it.

    ``transform`` is the count transform, as in
    :class:`featrank.values.transforms.CountTransform`.
    """

    categorical: Categorical = "error"
    transpose: bool = False
    keep: str | Sequence[str] = ()
    duplicates: Duplicates = "error"
    names: str | None = None
    symbols: str | None = None
    labels: str | os.PathLike[str] | None = None
    labels_key: str | None = None
    max_missing: float = 1.0
    transform: str = "none"
    layer: str | None = None
    use_raw: bool = False

    @property
    def of_whole(self) -> list[str]:
        """The options that are given and need the whole table in memory."""
        given = {
            "categorical": self.categorical != "error",
            "transpose": self.transpose,
            "keep": bool(self.keep),
            "duplicates": self.duplicates != "error",
            "names": self.names is not None,
            "symbols": self.symbols is not None,
            "max_missing": self.max_missing < 1,
            "transform": self.transform != "none",
        }
        return [name for name, is_given in given.items() if is_given]

    def reading(self) -> dict[str, Any]:
        """Return what ``tables.read`` takes."""
        return {
            one.name: getattr(self, one.name) for one in fields(self) if one.name != "transform"
        }


@dataclass(frozen=True)
class FilesInParts:
    """Files that are read in parts as one table; as ``rank_file`` has them."""

    paths: tuple[Path, ...]
    target: str | int | None
    target_bins: int | None
    groups: str | None
    drop: tuple[str, ...]
    options: PartOptions
    table: TableOptions = field(default_factory=TableOptions)

    @property
    def joins(self) -> bool:
        """Whether labels come from a sheet, by the ids of the samples."""
        return self.table.labels is not None and (
            self.target is not None or self.table.labels_key is not None
        )

    def source(self) -> Source:
        """Open them, without the columns that are no features."""
        if self.joins:
            return self._opened_for_sheet()
        drop = [*self.drop, *([] if self.groups is None else [self.groups])]
        return self._opened(self.target, self.table.labels, drop)

    def _opened_for_sheet(self) -> Source:
        """Open them without columns that are called like those that the sheet is used for."""
        source = self._opened(None, None, self.drop)
        if self.paths[0].suffix.lower() == ".h5ad":  # genes may be called like columns of obs
            return source
        used = {self._sheet_key(), str(self.target), str(self.groups)}
        taken = [name for name in source.names if name in used]
        return self._opened(None, None, [*self.drop, *taken]) if taken else source

    def _sheet_key(self) -> str:
        sheet = self._sheet
        return key_of(read_sheet(sheet.path), sheet)

    @property
    def _sheet(self) -> Sheet:
        return Sheet(Path(str(self.table.labels)), self.table.labels_key)

    def classes(self, source: Source, n_jobs: int | None) -> NDArray[Any] | None:
        """Return classes in the place of a quantity, or of a sheet; None where the labels are."""
        if self.joins:
            return self._binned(self._of_sheet(source, self.target, n_jobs))
        if self.target_bins is None or not source.labelled:
            return None
        return self._binned(self._labels(source, n_jobs))

    def _binned(self, labels: NDArray[Any]) -> NDArray[Any]:
        return labels if self.target_bins is None else bin_target(labels, self.target_bins)

    def group_labels(self, source: Source, n_jobs: int | None) -> NDArray[Any] | None:
        """Return the column that tells which rows belong together, if one is named."""
        if self.groups is None:
            return None
        if self.joins:
            return self._of_sheet(source, self.groups, n_jobs)
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
            y = self._joined_labels(source)
            if y is None and source.labelled:
                y = stored_labels(source, reader)
            n_rows = source.shape[0] if y is None else len(y)
            assert n_rows is not None
            _require_room(n_rows, columns, reader.memory)
            places = np.asarray(columns, dtype=np.intp)
            X = read_cells(source, [(np.arange(n_rows), places)], {}, reader)[0]
        if missing == "mean":
            X = complete(X, names, "mean")
        # Integers with gaps are floats, whatever the source says.
        plain = X if np.isnan(X).any() else X.astype(source.dtype, copy=False)
        ids = None if source.ids is None else source.ids.read(slice(0, n_rows))
        return Table(plain, names, y, self._target_name(source), ids, source.id_name)

    def _joined_labels(self, source: Source) -> NDArray[Any] | None:
        return self._of_sheet(source, self.target, None) if self.joins else None

    def _target_name(self, source: Source) -> str | None:
        return str(self.target) if self.joins and self.target is not None else source.target

    def _of_sheet(
        self, source: Source, column: str | int | None, n_jobs: int | None
    ) -> NDArray[Any]:
        """Return a column of the sheet of labels for all rows, matched by ids."""
        sheet, key = self._sheet, self._sheet_key()
        n_rows = source.shape[0]
        ids = None if source.ids is None else source.ids.read(slice(0, n_rows))
        samples = Samples([key], lambda name: self._column(name, n_jobs), ids, source.id_name)
        if not self._has_column(key):
            samples = Samples(ids=ids, id_name=source.id_name)
        known = joined(samples, sheet, source.name)
        if column is None or str(column) not in known.names:
            raise UsageError(f"{unknown_name('column', column, known.names)} It was asked for.")
        values = known.get(str(column))
        lacking = int(missing_labels(values).sum())
        if lacking:
            raise DataError(
                f"{lacking} samples have no {str(column)!r} in {sheet.path.name!r}. Data that is "
                "read in parts leaves out no samples: add them, or a file that fits into memory."
            )
        return checked_labels(values, len(values), str(column))

    def _column(self, name: str, n_jobs: int | None) -> NDArray[Any]:
        return self._labels(self._opened(name, None, self.drop), n_jobs)

    def _has_column(self, name: str) -> bool:
        try:
            self._opened(name, None, self.drop)
        except FeatrankError:
            return False
        return True

    def _opened(
        self, target: str | int | None, labels: str | os.PathLike[str] | None, drop: Sequence[str]
    ) -> Source:
        paths: Any = self.paths if len(self.paths) > 1 else self.paths[0]
        layer, use_raw = self.table.layer, self.table.use_raw
        return open_dataset(
            paths, target=target, labels=labels, drop=drop, layer=layer, use_raw=use_raw
        )

    def size(self) -> int:
        """Return about what they take in memory; what cannot be opened is told by who reads it."""
        path = self.paths[0]
        name = path.name.lower()
        try:
            if name.endswith((".csv", ".tsv")):  # to open these, they have to be read
                return path.stat().st_size
            if name.endswith(".gz"):
                return unpacked_size(path)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self.source().n_bytes or path.stat().st_size
        except (OSError, EOFError, zlib.error, FeatrankError):
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
        if asked == ["--memory"] and len(self.paths) == 1 and self._whole_only:
            return False  # it bounds what is read as a whole too
        whole = whole or bool(self.table.of_whole)
        if len(self.paths) > 1:
            asked.append("several files as one table")
        if asked:
            self._require_parts(asked[0])
            return True
        if self._whole_only:
            return False
        if self.table.labels is not None and not (self.joins or whole):
            return True  # who keeps labels in a file of their own has large data
        only = module_of(self.paths[0], "read") is None
        return only or (able and not whole and self.size() > memory_budget())

    @property
    def _whole_only(self) -> bool:
        """Whether the first file can only be read as a whole."""
        return module_of(self.paths[0], "open") is None

    def _require_parts(self, asked: str) -> None:
        for path in self.paths:
            if module_of(path, "open") is None:
                raise UsageError(
                    f"{path.name!r} can only be read as a whole, and {asked} needs parts. Leave "
                    "that out, or write the data in another format: "
                    f"{', '.join(suffixes('open'))}."
                )

    def _labels(self, source: Source, n_jobs: int | None) -> NDArray[Any]:
        with Reading(memory=self.options.memory).reader(source, n_jobs, "") as reader:
            return stored_labels(source, reader)


def require_possible(missing: str, table: TableOptions) -> None:
    """Refuse what data in parts cannot do."""
    if missing in NEEDS_COLUMNS:
        raise UsageError(
            f"Data that is read in parts cannot do --missing {missing} (in Python missing=): it "
            "needs whole columns in memory. Choose mean or skip, or a file that fits into memory."
        )
    if table.categorical != "error":
        raise UsageError(
            "Data that is read in parts takes no --categorical (in Python categorical=): "
            "categories are known only once all rows have been read. Write them as numbers, or "
            "leave the columns out (--drop)."
        )
    for name in table.of_whole:
        option = name.replace("_", "-")
        raise UsageError(
            f"Data that is read in parts takes no --{option} (in Python {name}=): it needs the "
            "whole table in memory. Leave it out, or give a file that fits into memory."
        )


def _require_room(n_rows: int, columns: list[int], memory: int) -> None:
    size = n_rows * len(columns) * 8
    if size > memory:
        raise DataError(
            f"{len(columns):,} features of {n_rows:,} samples take {written_size(size)} in memory, "
            f"and may take {written_size(memory)}. Keep fewer features, or give more memory "
            "(--memory, in Python memory=)."
        )
