"""Columns that say how samples were processed, by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_WORDS = "batch|plate|run|lane|centre|center|chip|slide|flow_?cell"
_BATCH_NAME = re.compile(
    rf"(.*[_ .-])?({_WORDS})([_ .-]?(id|no|nr|name))?|((study|collection)[_ .-])?site([_ .-]?id)?"
)


def batch_columns(names: Iterable[Any]) -> list[str]:
    """Return the names that look like those of a batch.

    Examples
    --------
    >>> batch_columns(["dx", "Batch", "plate_id", "scan.batch", "RUNX1", "age", "tumour_site"])
    ['Batch', 'plate_id', 'scan.batch']
    """
    return [name for name in names if isinstance(name, str) and _BATCH_NAME.fullmatch(name.lower())]
