"""Values that are transformed before a ranking."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from featrank.exceptions import UsageError
from featrank.sources import Source
from featrank.values.containers import NamedMatrix, column_names
from featrank.values.transforms import CountTransform, scale_after, step_names


def transformed(X: Any, transform: str) -> Any:
    """Return transformed values; frames and named matrices become data frames."""
    steps = step_names(transform)
    if not steps:
        return X
    if isinstance(X, Source):
        raise UsageError(
            "`transform` needs all values in memory, and the data is read in chunks. Leave it out, "
            "or transform the file first."
        )
    transformer, library = CountTransform(transform), type(X).__module__.split(".")[0]
    if isinstance(X, NamedMatrix):
        new = transformer.fit_transform(X.X)
        return replace(X, X=new, value_scale=scale_after(steps))
    if library in ("pandas", "polars"):
        return transformer.set_output(transform=library).fit_transform(X)
    names = column_names(X) if hasattr(X, "columns") else None
    new = transformer.fit_transform(X)
    return new if names is None else NamedMatrix(new, np.array(names, dtype=object))
