"""JSON that every parser reads: NaN and infinity become null."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def dumps(value: Any) -> str:
    """Return a value as indented JSON with unescaped Unicode. NaN and infinity become null.

    Examples
    --------
    >>> import numpy as np
    >>> print(dumps({"score": float("inf"), "rank": np.int64(1)}))
    {
      "score": null,
      "rank": 1
    }
    """
    return json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False, default=str)


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):  # NumPy numbers and arrays
        value = value.tolist()
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not isfinite(value) else value
