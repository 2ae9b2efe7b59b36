"""Log2 fold changes on the scale of the values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from featrank.statistics.value_scales import FeatureFacts, ValueScales

Floats = NDArray[np.float64]

# Keeps the ratio of two means defined if one is 0.
SMALL = 1e-9
# Linear values get a pseudocount unless this share of the features has positive values only.
POSITIVE_SHARE = 0.95


def _of_log1p(own: Floats, rest: Floats) -> Floats:
    return np.log2((np.expm1(own) + SMALL) / (np.expm1(rest) + SMALL))


#: Scales of values, with the log2 fold change from the means of a class and of the rest. "linear"
#: expects means to which ``fold_changes`` has added a pseudocount.
FOLD_CHANGES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "log2": lambda own, rest: own - rest,
    "ln": lambda own, rest: (own - rest) / np.log(2),
    "log10": lambda own, rest: (own - rest) * np.log2(10),
    "log1p": _of_log1p,
    "linear": lambda own, rest: np.log2(
        np.where(own > 0, own, np.nan) / np.where(rest > 0, rest, np.nan)
    ),
    "ct": lambda own, rest: rest - own,
    "none": lambda own, rest: np.full_like(own, np.nan),
}

#: What each scale is called in sentences.
SCALE_NAMES = {
    "log2": "log2 values",
    "ln": "natural logarithms",
    "log10": "log10 values",
    "log1p": "natural logarithms of 1 + x",
    "linear": "linear values (not logarithms)",
    "ct": "qPCR cycles (Ct), which fall as expression rises",
    "none": "no ratio scale",
}


def assumption(scales: ValueScales) -> str:
    """Return a warning that names a guessed scale, and how to set another one.

    Without fold changes the warning is empty.
    """
    if scales.warning or scales.usual == "none":
        return scales.warning
    others = [name for name in ("log2", "ln", "log1p", "log10", "linear") if name != scales.usual]
    first, *between, last = [f"`{name!r}`".replace("'", '"') for name in others]
    set_it = ", ".join([f"`values={first[1:-1]}`", *between])
    return (
        f"Fold changes assume {SCALE_NAMES[scales.usual]}, which is a guess. If the values have "
        f"another scale, set it with {set_it} or {last}."
    )


def fold_changes(own: Floats, rest: Floats, scales: ValueScales, facts: FeatureFacts) -> Floats:
    """Return log2 fold changes from means, one row per class. NaN where undefined."""
    changes = np.full_like(own, np.nan)
    with np.errstate(all="ignore"):
        for scale in np.unique(scales.of_features):
            here = scales.of_features == scale
            added = _pseudocount(facts) if scale == "linear" else 0.0
            changes[:, here] = FOLD_CHANGES[scale](own[:, here] + added, rest[:, here] + added)
    return changes


def _pseudocount(facts: FeatureFacts) -> float:
    """Return 1 for data with zeros, such as counts, and 0 for intensities and ratios."""
    return 0.0 if np.mean(facts.low[facts.varies] > 0) >= POSITIVE_SHARE else 1.0
