"""What is looked at before the first trial: splits that cannot be made, rows that mislead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.checks import (
    require_classes_in_groups,
    row_numbers,
    warn_batch_is_class,
    warn_batch_is_target,
    warn_copied_rows,
    warn_repeated_splits,
    warn_thin_classes,
    warn_unsupported,
)
from featrank.evaluation.data import Data
from featrank.evaluation.protocol import Protocol, RowNumbers
from featrank.exceptions import DataError, FeatrankError
from featrank.values.classes import label_array
from featrank.values.transforms import require_transformable

# Of more groups than these, splits seldom repeat.
FEW_GROUPS = 6


def look_ahead(data: Data, y: Any, protocol: Protocol, names: Sequence[str] | None = None) -> float:
    """Warn, once for all trials, of what makes scores doubtful; return the share of test rows.

    ``y`` are the labels as they were given, and ``names`` those of the features, for messages.
    """
    require_transformable(data.X, protocol.transform, names)
    if data.groups is not None:
        _look_at_groups(data, data.groups, protocol)
    train, test = _first_split(data, protocol)
    _warn_of_few_groups(data, protocol)
    if not data.is_quantity:
        warn_thin_classes(label_array(y)[train], protocol.inner_cv, lowered=True)
    warn_unsupported(protocol.feature_counts[-1], _kept(data.X[train], protocol))
    _warn_of_copies(data, protocol)
    return len(test) / (len(train) + len(test))


def _look_at_groups(data: Data, groups: NDArray[Any], protocol: Protocol) -> None:
    if data.is_quantity:
        warn_batch_is_target(data.y, groups)
        return
    if protocol.cv is None:
        require_classes_in_groups(data.y, groups, data.classes)
    warn_batch_is_class(data.y, groups)


def _warn_of_few_groups(data: Data, protocol: Protocol) -> None:
    """Warn of trials that hold out the same groups."""
    if data.groups is None or protocol.cv or len(np.unique(data.groups)) > FEW_GROUPS:
        return
    held_out = {protocol.split(data, trial)[1].tobytes() for trial in range(protocol.n_repeats)}
    warn_repeated_splits(len(held_out), protocol.n_repeats)


def _kept(train: NDArray[Any], protocol: Protocol) -> NDArray[Any]:
    kept = protocol.treatment.kept(train)
    return train if kept.all() else train[:, kept]


def _first_split(data: Data, protocol: Protocol) -> tuple[RowNumbers, RowNumbers]:
    try:
        return protocol.split(data, 0)
    except FeatrankError:
        raise
    except ValueError as error:
        raise DataError(f"The rows cannot be split into training and test rows: {error}") from error


def _warn_of_copies(data: Data, protocol: Protocol) -> None:
    numbers = row_numbers(data.X)
    if numbers.max() + 1 == len(numbers):
        return
    for trial in range(protocol.n_repeats):
        train, test = protocol.split(data, trial)
        if np.isin(numbers[test], numbers[train]).any():
            warn_copied_rows(numbers, train, test)
            return
