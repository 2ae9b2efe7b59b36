"""From a file to a ranking, or to a file of the best features: one call each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np

from featrank import tables
from featrank.api import check_params, rank
from featrank.base import Ranker
from featrank.exceptions import UsageError
from featrank.labels import bin_target
from featrank.progress import stage
from featrank.ranking import ClassRankings, Ranking
from featrank.registry import method as find_method
from featrank.tables import Table, formats
from featrank.tables.table import Categorical, Missing


@dataclass(frozen=True)
class TableFile:
    """A file, and how it becomes samples with classes; as :func:`rank_file` has it."""

    path: Path
    target: str | int | None = None
    target_bins: int | None = None
    groups: str | None = None
    drop: str | Sequence[str] = ()
    categorical: Categorical = "error"

    def read(self, missing: Missing) -> Table:
        """Return the table without the columns that are no features, its target as it is."""
        drop = [self.drop] if isinstance(self.drop, str) else [*self.drop]
        with stage(f"Reading {self.path.name}"):
            return tables.read(
                self.path,
                target=None if self.target is None else str(self.target),
                drop=[*drop, *([] if self.groups is None else [self.groups])],
                missing=missing,
                categorical=self.categorical,
            )

    def classes(self, table: Table) -> Any:
        """Return the labels of a table, or classes in the place of a quantity."""
        if self.target_bins is None or table.y is None:
            return table.y
        return bin_target(table.y, self.target_bins)

    def group_labels(self) -> Any:
        """Return the column that tells which rows belong together, if one is named."""
        if self.groups is None:
            return None
        return tables.read(self.path, target=self.groups, missing="keep", categorical="drop").y

    def require_labels(self, why: str) -> None:
        """Refuse, before reading, a file without labels; a column of them would be a feature."""
        known = formats.format_of(self.path)
        if self.target is None and (known is None or known.labels is None):
            raise self.without_labels(why)

    def without_labels(self, why: str) -> UsageError:
        """Return the error for a table without class labels."""
        known = formats.format_of(self.path)
        what = "a column" if known is None or known.target is None else known.target
        return UsageError(
            f"{why} Name {what} with --target COL, in Python target= (-1 is the last column)."
        )


@overload
def rank_file(
    path: str | os.PathLike[str],
    target: str | int | None = ...,
    method: str = ...,
    *,
    per_class: Literal[False] = ...,
    **options: Any,
) -> Ranking: ...


@overload
def rank_file(
    path: str | os.PathLike[str],
    target: str | int | None = ...,
    method: str = ...,
    *,
    per_class: bool,
    **options: Any,
) -> Ranking | ClassRankings: ...


def rank_file(
    path: str | os.PathLike[str],
    target: str | int | None = None,
    method: str = "ec-fs",
    *,
    top: int | float | None = None,
    target_bins: int | None = None,
    groups: str | None = None,
    drop: str | Sequence[str] = (),
    missing: Missing = "error",
    categorical: Categorical = "error",
    per_class: bool = False,
    n_jobs: int | None = -1,
    **params: Any,
) -> Ranking | ClassRankings:
    """Rank the features of a file: ``featrank rank`` in Python.

    Parameters
    ----------
    path : str or path
        The file; its suffix names its format, as for :func:`featrank.tables.read`.
    target : str, int or None, default=None
        Where the labels are: in most files a column, by name or position (-1 is the last).
    method : str, default="ec-fs"
        A name from ``featrank.methods()``.
    top : int, float or None, default=None
        How many features are wanted, as for :func:`featrank.rank`.
    target_bins : int or None, default=None
        How many classes to make of a target that is a quantity; see ``featrank.bin_target``.
    groups : str or None, default=None
        Column whose equal values stay on one side of every split; it is not ranked.
    drop : str or sequence of str, default=()
        Columns to leave out.
    missing : {"error", "mean", "median", "keep"}, default="error"
        What to do about missing values. Methods that take them get them.
    categorical : {"error", "ordinal", "onehot", "drop"}, default="error"
        What to do about features that are text.
    per_class : bool, default=False
        Whether to rank the features for each class, against the rest.
    n_jobs : int or None, default=-1
        Threads, for methods that have them; -1 is every core. The result does not depend on it.
    **params
        The method's own parameters.

    Returns
    -------
    ranking : Ranking or ClassRankings
        As of :func:`featrank.rank`; ``featrank.report.ranking_report`` writes it.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     featrank.datasets.load("iris").write(f"{folder}/iris.csv")
    ...     featrank.rank_file(f"{folder}/iris.csv", "species", "fisher").top(1)
    ['petal length (cm)']
    """
    file = TableFile(Path(path), target, target_bins, groups, drop, categorical)
    return _ranked(file, method, missing, top, per_class, n_jobs, params)[1]


@dataclass(frozen=True, eq=False)
class Selection:
    """What ``select_file`` kept.

    Attributes
    ----------
    kept : list of str
        Names of the features that were written, in the order of the input.
    n_features, n_samples : int
        The size of the input.
    output : Path
        The file that was written.
    lost : str
        What a file of its format does not hold ("no labels and no names"), or nothing.
    ranking : Ranking
        By which they were chosen.
    """

    kept: list[str]
    n_features: int
    n_samples: int
    output: Path
    lost: str
    ranking: Ranking


def select_file(
    path: str | os.PathLike[str],
    output: str | os.PathLike[str],
    target: str | int | None = None,
    method: str = "ec-fs",
    *,
    top: int | float,
    target_bins: int | None = None,
    groups: str | None = None,
    drop: str | Sequence[str] = (),
    missing: Missing = "error",
    categorical: Categorical = "error",
    n_jobs: int | None = -1,
    **params: Any,
) -> Selection:
    """Write the best features of a file, and its target, to another: ``featrank select``.

    Values that ``missing`` filled in and columns that ``categorical`` encoded are written as they
    were ranked, the target as it was read.

    Parameters
    ----------
    path, target, method, target_bins, groups, drop, missing, categorical, n_jobs, **params
        As for :func:`rank_file`.
    output : str or path
        The file to write, another one than ``path``; its suffix names the format.
    top : int or float
        How many features to keep, a number or a share of all.

    Returns
    -------
    selection : Selection
        The features kept, and the ranking.

    Examples
    --------
    >>> import featrank, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, small = f"{folder}/iris.csv", f"{folder}/small.parquet"
    ...     featrank.datasets.load("iris").write(path)
    ...     featrank.select_file(path, small, "species", "fisher", top=2).kept
    ['petal length (cm)', 'petal width (cm)']
    """
    output = Path(output)
    tables.require_writable(output)
    if output.exists() and output.samefile(path):
        raise UsageError(
            f"{str(output)!r} is the input itself. Give another name (--output, in Python output=)."
        )
    file = TableFile(Path(path), target, target_bins, groups, drop, categorical)
    table, ranking = _ranked(file, method, missing, top, False, n_jobs, params)
    kept = ranking.ranker.get_support(indices=True).tolist()
    names = [table.feature_names[column] for column in kept]
    with stage(f"Writing {output.name}"):
        tables.write(output, Table(table.X[:, kept], names, table.y, table.target_name))
    written = formats.format_of(output)
    lost = "" if written is None else written.losses
    return Selection(names, len(ranking), table.X.shape[0], output, lost, ranking)


def _ranked(
    file: TableFile,
    method: str,
    missing: Missing,
    top: int | float | None,
    per_class: bool,
    n_jobs: int | None,
    params: dict[str, Any],
) -> tuple[Table, Any]:
    """Read the table and rank its features; whatever can be refused early is."""
    cls = find_method(method)
    check_params(cls, params)
    without = f"{method} needs class labels, and none are named."
    if cls.supervised:
        file.require_labels(without)
    table = file.read("keep" if cls.accepts_nan and missing == "error" else missing)
    if cls.supervised and table.y is None:
        raise file.without_labels(without)
    _require_enough(table, top, file.path.name)
    threads = {"n_jobs": n_jobs} if "n_jobs" in cls().get_params() else {}
    y, groups = file.classes(table), file.group_labels()
    count = f"{len(table.feature_names):,} features"
    done = f"Ranked {count} of {table.X.shape[0]:,} samples by {method}"
    with stage(f"Ranking {count}", done):
        found = rank(
            _values(table, cls),
            y,
            method,
            top=top,
            feature_names=table.feature_names,
            per_class=per_class,
            groups=groups,
            **threads,
            **params,
        )
    return table, found


def _values(table: Table, cls: type[Ranker]) -> Any:
    dense = isinstance(table.X, np.ndarray) or cls.accepts_sparse
    return table.X if dense else table.X.toarray()


def _require_enough(table: Table, top: int | float | None, name: str) -> None:
    count = len(table.feature_names)
    if isinstance(top, Integral) and top > count:
        raise UsageError(
            f"--top {top} is more than the {count} features of {name!r}. Give at most {count} "
            "(in Python top=)."
        )
