"""The names of the features: given, from a data frame, or numbered."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from featrank.exceptions import DataError


def feature_names_of(X: Any, given: Any, n_features: int) -> list[str]:
    """Return one name per feature: the given ones, else those of a frame, else x0, x1, ...

    Examples
    --------
    >>> import numpy as np
    >>> feature_names_of(np.zeros((2, 3)), None, 3)
    ['x0', 'x1', 'x2']
    """
    names = given
    if given is None:  # the columns of pyarrow are values
        names = getattr(X, "column_names", getattr(X, "columns", None))
    if names is None:
        return [f"x{number}" for number in range(n_features)]
    names = [str(name) for name in names]
    if len(names) != n_features:
        raise DataError(
            f"feature_names has {len(names)} names, but X has {n_features} features. Pass one name "
            "per column of X."
        )
    if len(set(names)) < len(names):
        twice = [name for name, count in Counter(names).items() if count > 1]
        raise DataError(
            f"feature_names contains {', '.join(map(repr, twice[:5]))} more than once. Feature "
            "names must be unique."
        )
    return names


def names_digest(names: Sequence[str]) -> str:
    """Return a hash of the names, in their order."""
    return hashlib.sha256(json.dumps(list(names)).encode()).hexdigest()
