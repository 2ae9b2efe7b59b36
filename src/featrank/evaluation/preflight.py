"""Checks before the first trial: impossible splits and misleading data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from featrank._utils.warn import warn_user
from featrank.evaluation.checks import (
    require_classes_in_groups,
    require_testable_classes,
    require_testable_target,
    require_varying,
    row_numbers,
    warn_confounded_groups,
    warn_duplicate_rows,
    warn_repeated_splits,
    warn_small_classes,
    warn_unsupported,
)
from featrank.evaluation.data import Data
from featrank.evaluation.protocol import Protocol, RowNumbers
from featrank.exceptions import DataError, FeatrankError
from featrank.ranking.design_warnings import batch_warnings, small_classes
from featrank.ranking.value_warnings import value_warning
from featrank.ranking.warnings import caution, likely_leak, serious
from featrank.tables.batch_columns import batch_columns
from featrank.tables.spreadsheet_names import mangled_warning
from featrank.values.classes import label_array
from featrank.values.transforms import require_transformable

# With more groups, splits rarely repeat.
FEW_GROUPS = 6


def look_ahead(data: Data, y: Any, protocol: Protocol, names: Sequence[str] | None = None) -> float:
    """Warn once of what makes scores unreliable; return the share of test rows.

    ``y`` holds the labels as given by the user, and ``names`` the feature names for messages.
    """
    require_varying(data.X)
    require_transformable(data.X, protocol.transform, names)
    if names is not None:
        _warn_of_features(data, names)
    if data.groups is not None:
        if protocol.cv is None and not data.is_regression:
            require_classes_in_groups(data.y, data.groups, data.classes)
        if data.is_regression:
            warn_confounded_groups(data.y, data.groups, is_regression=True)
    elif protocol.cv is None:
        _require_enough_samples(data)
    _warn_of_design(data, protocol, names or [])
    train, test = _first_split(data, protocol)
    _warn_of_few_groups(data, protocol)
    if not data.is_regression:
        warn_small_classes(label_array(y)[train], protocol.inner_cv, lowered=True)
    usable = protocol.treatment.kept(data.X[train])
    X = data.X[train] if usable.all() else data.X[np.ix_(train, usable)]
    warn_unsupported(protocol.feature_counts[-1], X)
    _warn_of_duplicates(data, protocol)
    return len(test) / (len(train) + len(test))


def _warn_of_features(data: Data, names: Sequence[str]) -> None:
    """Warn of duplicates of the target, and of gene names that became dates."""
    codes, target = (None, data.y) if data.is_regression else (data.y, None)
    leak = likely_leak(data.X, names, codes, target, len(names))
    for warning in (serious(leak), caution(mangled_warning(names))):
        if warning is not None:
            warn_user(warning)


def _warn_of_design(data: Data, protocol: Protocol, names: Sequence[str]) -> None:
    """Warn of small classes, batches that go with the class, and values to be transformed."""
    found = [value_warning(data.X, None if data.is_regression else data.y, protocol.transform)]
    if not data.is_regression:
        wanted = {*batch_columns(names)}
        features = {name: data.X[:, place] for place, name in enumerate(names) if name in wanted}
        found += [small_classes(np.bincount(data.y).tolist(), data.classes)]
        found += batch_warnings(data.y, data.groups, features)
    for warning in found:
        if warning is not None:
            warn_user(warning)


def _require_enough_samples(data: Data) -> None:
    if data.is_regression:
        require_testable_target(data.y)
    else:
        require_testable_classes(data.y, data.classes)


def _warn_of_few_groups(data: Data, protocol: Protocol) -> None:
    """Warn of trials that repeat the same split."""
    if data.groups is None or protocol.cv or len(np.unique(data.groups)) > FEW_GROUPS:
        return
    held_out = {protocol.split(data, trial)[1].tobytes() for trial in range(protocol.n_trials)}
    warn_repeated_splits(len(held_out), protocol.n_trials)


def _first_split(data: Data, protocol: Protocol) -> tuple[RowNumbers, RowNumbers]:
    try:
        return protocol.split(data, 0)
    except FeatrankError:
        raise
    except ValueError as error:
        raise DataError(
            f"featrank cannot split the rows into training and test rows: {error}. Check `cv` and "
            "`test_size`."
        ) from error


def _warn_of_duplicates(data: Data, protocol: Protocol) -> None:
    numbers = row_numbers(data.X)
    if numbers.max() + 1 == len(numbers):
        return
    for trial in range(protocol.n_trials):
        train, test = protocol.split(data, trial)
        if np.isin(numbers[test], numbers[train]).any():
            warn_duplicate_rows(numbers, train, test)
            return
