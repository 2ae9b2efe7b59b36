"""What a file contains about its samples in addition to values: IDs and annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError
from featrank.tables.columns import asked_column, columns_named, listed, target_column
from featrank.tables.labels import as_labels, checked_labels, missing_labels, read_label_file
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table


@dataclass(frozen=True, eq=False)
class Samples:
    """IDs and annotations of the samples of a file.

    Attributes
    ----------
    names : sequence of str
        The annotation columns.
    get : callable
        Returns the values of a column, one per sample. Missing ones are None or NaN.
    ids : sequence, ndarray or None
        The IDs of the samples.
    id_name : str or None
        The name of the IDs. Empty if they have none.
    lenient : bool
        Whether to leave out samples without a label, with a warning, as annotations are often
        incomplete. Otherwise they are an error.
    unmatched : ndarray of bool or None
        Samples without annotations that a warning was already issued about.
    key : str or None
        The table's column that a sample sheet was joined by, if any. It is not a feature.
    notes : tuple of str
        Sentences on how the sample sheet was read.
    """

    names: Sequence[str] = ()
    get: Callable[[str], np.ndarray] = lambda name: np.empty(0)
    ids: Sequence[Any] | np.ndarray | None = None
    id_name: str | None = None
    lenient: bool = False
    unmatched: np.ndarray | None = None
    key: str | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Any],
        ids: Sequence[Any] | np.ndarray | None = None,
        **further: Any,
    ) -> Samples:
        """Return samples with annotation columns that are in memory."""
        return cls(list(columns), lambda name: np.asarray(columns[name]), ids, **further)


def select_samples(
    samples: Samples,
    n_samples: int,
    options: ReadOptions,
    y: Any = None,
    target_name: str | None = None,
) -> tuple[np.ndarray | None, Table]:
    """Return the rows that stay (None for all), and a table of labels, groups, IDs and columns.

    The table has no features yet.

    ``y`` are the labels in the file itself. Those of a sample sheet take precedence.
    """
    label_file = options.label_file
    if label_file is not None:
        y, target_name = read_label_file(label_file, n_samples), label_file.stem
    elif options.target is not None and (y is None or options.sample_sheet is not None):
        target_name = samples.names[target_column(samples.names, options.target) or 0]
        y = samples.get(target_name)
    rows = None if y is None else _with_label(samples, y, n_samples, str(target_name))

    def stay(values: Any) -> Any:
        return values if rows is None else values[rows]

    def checked(values: Any, name: str) -> np.ndarray:
        return checked_labels(stay(as_labels(values)), len(stay(np.arange(n_samples))), name)

    kept = {name: stay(samples.get(name)) for name in _kept_names(samples, options)}
    groups = None
    if options.groups is not None:
        name = _known_name(samples, options.groups, "as the groups")
        groups = checked(samples.get(name), name)
    return rows, Table(
        None,
        [],
        y=None if y is None else checked(y, str(target_name)),
        target_name=None if y is None else target_name,
        ids=None if samples.ids is None else stay(np.asarray(samples.ids)),
        id_name=samples.id_name,
        kept=kept,
        groups=groups,
        preprocessing={} if rows is None else {"samples_without_label": n_samples - len(rows)},
        notes=samples.notes,
    )


def _kept_names(samples: Samples, options: ReadOptions) -> list[str]:
    """Return the columns to keep, without the IDs, which are always kept."""
    known = {*samples.names, samples.id_name}
    wanted = columns_named(options.keep, known)
    return [
        _known_name(samples, name, "in `keep=...`") for name in wanted if name != samples.id_name
    ]


def _known_name(samples: Samples, wanted: str, why: str) -> str:
    return samples.names[asked_column(samples.names, wanted, why)]


def _with_label(samples: Samples, y: Any, n_samples: int, name: str) -> np.ndarray | None:
    """Return the rows that have a label if others may be left out, and None otherwise."""
    labels = as_labels(y)
    if not samples.lenient or len(labels) != n_samples:
        return None
    absent = missing_labels(labels)
    if not absent.any():
        return None
    if absent.all():
        raise DataError(f"No sample has a value of {name!r}. Choose another target.")
    unreported = absent if samples.unmatched is None else absent & ~samples.unmatched
    if unreported.any():
        which = "" if samples.ids is None else f" ({_some(samples.ids, unreported)})"
        warn_user(
            f"{unreported.sum()} of {n_samples} samples have no {name!r} and are left out{which}."
        )
    return np.flatnonzero(~absent)


def _some(ids: Sequence[Any] | np.ndarray, mask: np.ndarray) -> str:
    return listed([str(ids[place]) for place in np.flatnonzero(mask).tolist()])
