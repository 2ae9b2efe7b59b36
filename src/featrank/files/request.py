"""``FileRequest``: which files to read, how to read them, and which ranking to make."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from featrank import tables
from featrank._utils.progress import stage
from featrank.api import check_params
from featrank.base.ranker import Ranker
from featrank.base.registry import method as find_method
from featrank.data.opening import options_of
from featrank.error_control.result import checked_level
from featrank.exceptions import DataError, TargetError, UsageError
from featrank.tables import Table
from featrank.tables.format import format_of, suffixes
from featrank.tables.options import ReadOptions
from featrank.values.classes import bin_target
from featrank.values.transforms import step_names


@dataclass(frozen=True)
class FileRequest:
    """Files, how they are read, and the ranking to make.

    Attributes
    ----------
    paths : tuple of Path
        The files. Several files are one table.
    options : ReadOptions
        How they are read.
    target_bins : int or None
        Number of classes, or bins, to make of a regression target.
    method, params, n_jobs, top, per_class, fdr
        As in :func:`featrank.rank_file`.
    """

    paths: tuple[Path, ...]
    options: ReadOptions
    target_bins: int | None = None
    method: str = "ec-fs"
    params: Mapping[str, Any] = field(default_factory=dict)
    n_jobs: int | None = -1
    top: int | float | str | None = None
    per_class: bool = False
    fdr: float | None = None

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> FileRequest:
        """Build a request from the arguments of a public function, by their names."""
        path = arguments["path"]
        paths = [path] if isinstance(path, str | os.PathLike) else list(path)
        if not paths:
            raise UsageError("No file was given. Give at least one.")
        given = {one.name: arguments[one.name] for one in fields(cls) if one.name in arguments}
        read = {one.name for one in fields(ReadOptions)} & arguments.keys()
        options = ReadOptions(**{name: arguments[name] for name in read})
        return cls(**{**given, "paths": tuple(map(Path, paths)), "options": options})

    @property
    def path(self) -> Path:
        """The first file."""
        return self.paths[0]

    @property
    def uses_sheet(self) -> bool:
        """Whether labels come from a sample sheet, matched by the ids of the samples."""
        options = self.options
        return options.labels is not None and (
            options.target is not None or options.id_column is not None
        )

    @property
    def is_regression(self) -> bool:
        """Whether the task is regression."""
        return self.params.get("task") == "regression"

    def ranker(self) -> Ranker:
        """Return the ranker that will run, after all checks that need no data."""
        cls, reading = find_method(self.method), options_of(self.params)
        if self.fdr is not None:
            checked_level(self.fdr)
        own = {name: value for name, value in self.params.items() if name not in reading}
        check_params(cls, own)
        if self.top == "auto":
            cls().require_own_count()
        step_names(self.options.transform)
        for path in self.paths:
            _require_known(path)
        return cls(**{**self._shared_params(cls), **own})

    def rank_params(self, ranker: Ranker) -> dict[str, Any]:
        """Return the keywords of ``rank`` besides the data."""
        return {**self._shared_params(type(ranker)), **self.params}

    def _shared_params(self, cls: type[Ranker]) -> dict[str, Any]:
        """Return the parameters that come from the request and not from ``params``."""
        known = cls().get_params()
        shared: dict[str, Any] = {"n_jobs": self.n_jobs} if "n_jobs" in known else {}
        if not self.is_regression or self.target_bins is None:
            return shared
        if "target_bins" not in known:
            raise UsageError(
                f"{self.method} does not bin a regression target. Leave out `target_bins`, or "
                "leave out `task` to rank for bins as classes."
            )
        return {**shared, "target_bins": self.target_bins}

    def min_class_size(self, for_classes: bool = True) -> int | None:
        """Return the size of the smallest class that is ranked; None without classes."""
        made = self.is_regression or self.target_bins is not None
        return self.options.min_class_size if for_classes and not made else None

    def read(self, missing: str, for_classes: bool = True) -> Table:
        """Return the samples that take part as a table without non-feature columns."""
        size = self.min_class_size(for_classes)
        with stage(f"Reading {self.path.name}"):
            return tables.read_file(
                self.path, replace(self.options, missing=missing, min_class_size=size)
            )

    def classes(self, y: Any) -> Any:
        """Return the labels of a table, binned if ``target_bins`` is given."""
        if y is None or self.is_regression:
            return y
        if self.target_bins is not None:
            return bin_target(y, self.target_bins)
        if y.dtype.kind in "UO" and len(y) > 2 and len({*y.tolist()}) == len(y):
            raise DataError(
                f"The target of {self.path.name!r} has a different value for each of {len(y)} "
                f"samples ({str(y[0])!r}, {str(y[1])!r}, …), like names. Choose another target."
            )
        return y

    def require_labels(self, reason: str | None = None) -> None:
        """Raise an error before reading if no labels are named: they would become a feature."""
        known, options = format_of(self.path), self.options
        if options.target is None and options.labels is None and not (known and known.labels):
            raise self.unlabelled_error(reason)

    def unlabelled_error(self, reason: str | None = None) -> TargetError:
        """Return the error for a file without labels."""
        return TargetError(reason or f"{self.method} needs a target.")

    @contextmanager
    def listing_targets(self) -> Iterator[None]:
        """Complete errors about the target with the columns that could be it."""
        try:
            yield
        except TargetError as error:
            sheet = self.options.labels if self.uses_sheet else None
            raise TargetError(f"{error} {self._target_advice(sheet or self.path)}") from error

    def _target_advice(self, path: Path) -> str:
        from featrank.files.describe import target_hint

        known = format_of(path)
        what = "a column" if known is None or known.target is None else known.target
        return target_hint(path) or f"Name {what} (-1 is the last column): `target=...`."


def _require_known(path: Path) -> None:
    if format_of(path) is None:
        raise UsageError(
            f"Cannot read {str(path)!r}: unknown file extension. Use one of "
            f"{', '.join(suffixes())}."
        )
