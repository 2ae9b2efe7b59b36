"""What a file contains about its samples in addition to values: IDs and annotations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank.tables.batch_columns import batch_columns
from featrank.tables.columns import asked_column, columns_named, target_column
from featrank.tables.labels import as_labels, checked_groups, checked_labels, read_label_file
from featrank.tables.options import ReadOptions
from featrank.tables.table import Table
from featrank.values.usable_labels import LabelRule


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
    key : str or None
        The table's column that a sample sheet was joined by, if any. It is not a feature.
    notes : tuple of str
        Sentences on how the sample sheet was read.
    """

    names: Sequence[str] = ()
    get: Callable[[str], np.ndarray] = lambda name: np.empty(0)
    ids: Sequence[Any] | np.ndarray | None = None
    id_name: str | None = None
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
    """Return the rows that take part (None for all), and a table without features.

    The table has labels, groups, ids and columns to keep. ``y`` are labels that the file itself
    contains. Those of a sample sheet take precedence.
    """
    label_file = options.label_file
    if label_file is not None:
        y, target_name = read_label_file(label_file, n_samples), label_file.stem
    elif options.target is not None and (y is None or options.sample_sheet is not None):
        target_name = samples.names[target_column(samples.names, options.target) or 0]
        y = samples.get(target_name)
    rows = None
    if y is not None:
        rule = LabelRule(target_name, options.na_values, options.min_class_size)
        labels, rows = rule.apply(checked_labels(y, n_samples, str(target_name)), samples.ids)

    def stay(values: Any) -> Any:
        return values if rows is None else values[rows]

    kept = {name: stay(samples.get(name)) for name in _kept_names(samples, options)}
    groups = None
    if options.groups is not None:
        name = _known_name(samples, options.groups, "as the groups")
        found = stay(as_labels(samples.get(name)))
        groups = checked_groups(found, n_samples if rows is None else len(rows), name)
    used = (target_name, options.groups)
    asides = (
        [] if y is None else [name for name in batch_columns(samples.names) if name not in used]
    )
    return rows, Table(
        None,
        [],
        y=None if y is None else checked_labels(labels, len(labels), str(target_name)),
        target_name=None if y is None else target_name,
        ids=None if samples.ids is None else stay(np.asarray(samples.ids)),
        id_name=samples.id_name,
        kept=kept,
        groups=groups,
        batches={name: stay(np.asarray(samples.get(name)).astype(str)) for name in asides},
        preprocessing={} if rows is None else {"samples_left_out": n_samples - len(rows)},
        notes=samples.notes,
    )


def _kept_names(samples: Samples, options: ReadOptions) -> list[str]:
    """Return the columns to keep, without the IDs, which are always kept."""
    known = {*samples.names, samples.id_name}
    wanted = columns_named(options.keep, known)
    return [_known_name(samples, name, "in `keep`") for name in wanted if name != samples.id_name]


def _known_name(samples: Samples, wanted: str, why: str) -> str:
    return samples.names[asked_column(samples.names, wanted, why)]
