"""What is looked at before the first trial: splits that cannot be made, rows that mislead."""

from __future__ import annotations

from typing import Any

import numpy as np

from featrank.exceptions import DataError, FeatrankError
from featrank.labels import label_array

from .guards import row_numbers, warn_copied_rows, warn_thin_classes, warn_unsupported
from .protocol import Data, Protocol, RowNumbers


def look_ahead(data: Data, y: Any, protocol: Protocol) -> float:
    """Warn, once for all trials, of what makes scores doubtful; return the share of test rows.

    ``y`` are the labels as they were given, for the messages.
    """
    train, test = _first_split(data, protocol)
    warn_thin_classes(label_array(y)[train], protocol.folds, lowered=True)
    warn_unsupported(protocol.ks[-1], data.X[train])
    _warn_of_copies(data, protocol)
    return len(test) / (len(train) + len(test))


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
    for trial in range(protocol.trials):
        train, test = protocol.split(data, trial)
        if np.isin(numbers[test], numbers[train]).any():
            warn_copied_rows(numbers, train, test)
            return
