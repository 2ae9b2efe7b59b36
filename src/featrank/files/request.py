"""What is asked of files, a ranking by a method: read whole or in parts, with the same answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Integral
from pathlib import Path
from typing import Any, cast

import numpy as np

from featrank import tables
from featrank._utils.budget import at_most
from featrank._utils.progress import notify, stage
from featrank.api import check_params, rank
from featrank.base.information import TableRanker
from featrank.base.ranker import Ranker
from featrank.base.registry import method as find_method
from featrank.base.summary import SummaryRanker
from featrank.data.opening import options_of
from featrank.exceptions import DataError, UsageError
from featrank.files.chunked import NEEDS_COLUMNS, FilesInParts, TableOptions, require_possible
from featrank.ranking import Provenance
from featrank.sources import Blocks
from featrank.statistics.feature_tests import Values
from featrank.tables import Table
from featrank.tables.format import format_of, suffixes
from featrank.tables.ids import ids_told
from featrank.tables.table import Missing
from featrank.values.classes import bin_target
from featrank.values.transforms import NONE, CountTransform, step_names

Chosen = Callable[[list[int]], Table]

# What values are after a transform, for fold changes.
KINDS: dict[str, Values] = {"log1p": "log1p", "cpm": "linear", "clr": "ln", "rank": "none"}


@dataclass(frozen=True)
class TableFile:
    """A file, and how it becomes samples with classes; as :func:`rank_file` has it."""

    path: Path
    target: str | int | None = None
    target_bins: int | None = None
    groups: str | None = None
    drop: str | Sequence[str] = ()
    options: TableOptions = field(default_factory=TableOptions)

    def read(self, missing: Missing) -> Table:
        """Return the table without the columns that are no features, its target as it is."""
        with stage(f"Reading {self.path.name}"):
            return tables.read(
                self.path,
                target=None if self.target is None else str(self.target),
                drop=self.drop,
                groups=self.groups,
                missing=missing,
                **self.options.reading(),
            )

    def classes(self, table: Table) -> Any:
        """Return the labels of a table, or classes in the place of a quantity."""
        if table.y is None:
            return None
        if self.target_bins is not None:
            return bin_target(table.y, self.target_bins)
        self._require_classes(table.y)
        return table.y

    def _require_classes(self, y: Any) -> None:
        """Refuse names of samples, which are a class each."""
        if y.dtype.kind in "UO" and len(y) > 2 and len({*y.tolist()}) == len(y):
            raise DataError(
                f"The target of {self.path.name!r} is another one for each of {len(y)} samples "
                f"({y[0]!s}, {y[1]!s}, …), as names are. Classes of several samples were expected: "
                "choose another target."
            )

    def require_labels(self, why: str) -> None:
        """Refuse, before reading, a file without labels; a column of them would be a feature."""
        known = format_of(self.path)
        unlabelled = known is None or known.labels is None
        if self.target is None and self.options.labels is None and unlabelled:
            raise self.without_labels(why)

    def without_labels(self, why: str) -> UsageError:
        """Return the error for a table without class labels."""
        known = format_of(self.path)
        what = "a column" if known is None or known.target is None else known.target
        return UsageError(
            f"{why} Name {what} with --target COL, in Python target= (-1 is the last column)."
        )


@dataclass(frozen=True)
class Question:
    """What is asked of files: a ranking by a method."""

    files: FilesInParts
    method: str
    missing: str
    n_jobs: int | None
    params: Mapping[str, Any]

    @property
    def cls(self) -> type[Ranker]:
        """The method."""
        return find_method(self.method)

    def ranked(self, top: int | float | str | None, per_class: bool = False) -> tuple[Any, Chosen]:
        """Return a ranking, and what gives some of the features as a table.

        Whatever can be refused early is.
        """
        reading = options_of(self.params)
        own = {name: value for name, value in self.params.items() if name not in reading}
        check_params(self.cls, own)
        if top == "auto":
            self.cls().require_own_count()
        step_names(self.files.table.transform)
        for path in self.files.paths:
            _require_known(path)
        whole = per_class or self.missing in NEEDS_COLUMNS
        able = issubclass(self.cls, SummaryRanker | TableRanker) and not self._regresses
        if self.files.go_in_parts(self.missing, whole, able):
            found, chosen = self._of_parts(top, per_class)
        else:
            with at_most(self.files.options.memory):
                found, chosen = self._of_table(top, per_class)
        if top == "auto":
            _require_some(found)
        return found, chosen

    def _of_parts(self, top: int | float | str | None, per_class: bool) -> tuple[Any, Chosen]:
        require_possible(self.missing, self.files.table)
        files, n_jobs = self.files, self.n_jobs
        with stage(f"Opening {files.paths[0].name}"):
            source = files.source()
        if self.cls.supervised and not (source.labelled or files.joins):
            raise self._table_file.without_labels(self._without)
        _require_enough(source.shape[1], top, source.name)
        _require_samples(source.shape[0], source.name)
        y, groups = files.classes(source, n_jobs), files.group_labels(source, n_jobs)
        given = {"groups": groups, **self._params}
        in_parts = not per_class and self.cls().reads_in_parts(source, y)
        if not in_parts and source.shape[0] is not None:
            self._tell((source.shape[0], source.shape[1]), y if per_class else None)
        with (
            stage(*self._told(*source.shape, in_parts)),
            files.options.reading(self.missing) as reading,
        ):
            found = rank(source, y, self.method, top=top, per_class=per_class, **given, **reading)
        told = (ids_told(source.id_name),) if source.id_name and source.id_column else ()
        found = found.of_file(Provenance(notes=told))
        return found, lambda kept: files.chosen(source, kept, self.missing, n_jobs)

    def _of_table(self, top: int | float | str | None, per_class: bool) -> tuple[Any, Chosen]:
        file, cls = self._table_file, self.cls
        if cls.supervised:
            file.require_labels(self._without)
        keeps = self.missing == "skip" or (cls.accepts_nan and self.missing == "error")
        table = file.read("keep" if keeps else self.missing)  # type: ignore[arg-type]
        if cls.supervised and table.y is None:
            raise file.without_labels(self._without)
        _require_enough(len(table.feature_names), top, file.path.name)
        _require_samples(table.X.shape[0], file.path.name)
        X, reading = self._values(table)
        y = table.y if self._regresses else file.classes(table)
        given = {"groups": table.groups, "feature_names": table.feature_names, **self._params}
        self._tell(table.X.shape, y if per_class else None)
        with stage(*self._told(table.X.shape[0], len(table.feature_names))):
            found = rank(X, y, self.method, top=top, per_class=per_class, **given, **reading)
        return found.of_file(self._origin(table)), table.features

    def _values(self, table: Table) -> tuple[Any, dict[str, Any]]:
        """Return what to rank, and how; gaps are skipped by what reads in parts."""
        table = self._transformed(table)
        if self.missing == "skip" and not self.cls.accepts_nan:
            return Blocks([table.X], name=self._table_file.path.name), {"missing": "skip"}
        dense = isinstance(table.X, np.ndarray) or self.cls.accepts_sparse
        return table.X if dense else table.X.toarray(), {}

    def _origin(self, table: Table) -> Provenance:
        """Return what the ranking is to know of the file."""
        options, steps = self.files.table, step_names(self.files.table.transform)
        prepared = {
            "missing": None if self.missing in ("error", "keep") else self.missing,
            "max_missing": options.max_missing if options.max_missing < 1 else None,
            "duplicates": None if options.duplicates == "error" else options.duplicates,
            "transform": ",".join(steps) or None,
        }
        return Provenance(
            table.symbols,
            {name: values.tolist() for name, values in table.beside.items()}
            if options.keep
            else {},
            {name: value for name, value in prepared.items() if value is not None},
            table.remarks,
            KINDS[steps[-1]] if steps else cast(Values, table.values),
        )

    def _transformed(self, table: Table) -> Table:
        steps = self.files.table.transform
        if steps == NONE:
            return table
        return replace(table, X=CountTransform(steps).fit_transform(table.X))

    @property
    def _table_file(self) -> TableFile:
        files = self.files
        return TableFile(
            files.paths[0],
            files.target,
            None if self._regresses else files.target_bins,
            files.groups,
            files.drop,
            files.table,
        )

    @property
    def _params(self) -> dict[str, Any]:
        known = self.cls().get_params()
        threads = {"n_jobs": self.n_jobs} if "n_jobs" in known else {}
        return {**threads, **self._bins_of_quantity(known), **self.params}

    @property
    def _regresses(self) -> bool:
        return self.params.get("task") == "regression"

    def _bins_of_quantity(self, known: Mapping[str, Any]) -> dict[str, Any]:
        """Return into how many bins a method cuts a quantity, where that is asked for."""
        bins = self.files.target_bins
        if not self._regresses or bins is None:
            return {}
        if "target_bins" not in known:
            raise UsageError(
                f"{self.method} cuts no quantity into bins. Leave out --target-bins to rank for "
                "the quantity as it is, or leave out --task regression to rank for classes that "
                "are its bins."
            )
        return {"target_bins": bins}

    @property
    def _without(self) -> str:
        what = "a target" if self._regresses else "class labels"
        return f"{self.method} needs {what}, and none {'is' if self._regresses else 'are'} named."

    def _tell(self, shape: tuple[int, int], classes: Any) -> None:
        """Say what a ranking, or one for each of the classes, takes if it takes long."""
        reading = options_of(self.params)
        own = {name: value for name, value in self._params.items() if name not in reading}
        ranker = self.cls(**own)
        fits = 1 if classes is None else len(set(np.asarray(classes).tolist()))
        notify(lambda: ranker.estimate_cost(*shape, fits))

    def _told(
        self, n_samples: int | None, n_features: int, in_parts: bool = False
    ) -> tuple[str, str]:
        """Return what is being done, and what then has been."""
        count = f"{n_features:,} features"
        of = "" if n_samples is None else f" of {n_samples:,} samples"
        how = " in parts" if in_parts else ""
        return f"Ranking {count}{how}", f"Ranked {count}{of} by {self.method}{how}"


def _require_known(path: Path) -> None:
    if format_of(path) is None:
        raise UsageError(
            f"Cannot read {str(path)!r}: its suffix names no known format. Known suffixes: "
            f"{', '.join(suffixes())}."
        )


def _require_some(found: Any) -> None:
    """Refuse a ranking of which the method itself keeps nothing."""
    if not found.ranker.support_.any():
        raise DataError(
            f"{found.method} itself keeps none of the {len(found)} features: it finds none that "
            "tells something of the target. Say how many are wanted all the same (--top K, in "
            "Python top=), or choose another method."
        )


def _require_enough(count: int, top: int | float | str | None, name: str) -> None:
    if isinstance(top, Integral) and top > count:
        raise UsageError(
            f"--top {top} is more than the {count} features of {name!r}. Give at most {count} "
            "(in Python top=)."
        )


def _require_samples(count: int | None, name: str) -> None:
    if count == 1:
        raise DataError(
            f"{name!r} has one sample only, and a ranking compares samples: at least two are "
            "needed. If its features are in rows, turn it with --transpose (in Python "
            "transpose=True)."
        )
