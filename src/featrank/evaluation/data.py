"""The rows of a comparison: values, target and groups."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array

from featrank.base.ranker import TASKS
from featrank.exceptions import DataError
from featrank.ranking.feature_details import Classes
from featrank.summaries.regression import strata_of
from featrank.values.classes import encode_labels, group_codes, numeric_vector
from featrank.values.containers import as_numbers
from featrank.values.numbers import LARGEST, in_range, require_usable


@dataclass(frozen=True, eq=False)
class Data:
    """The rows of a comparison: values, target, groups if given, and class labels.

    The target ``y`` contains class codes, or float64 values for regression, which has no classes.
    """

    X: NDArray[Any]
    y: NDArray[Any]
    groups: NDArray[Any] | None
    name: str
    classes: tuple[str, ...] = ()

    @classmethod
    def of(cls, X: Any, y: Any, groups: Any, name: str, task: str = TASKS[0]) -> Data:
        """Return validated data; sparse values become dense."""
        X = dense_values(X)
        groups = None if groups is None else group_codes(groups)
        if task == "regression":
            return cls(X, _numeric_target(y, X.shape[0]), groups, name)
        labels, codes = encode_labels(y, X.shape[0])
        names = tuple(Classes(labels.tolist(), codes).names())
        sizes = np.bincount(codes)
        if sizes.min() < 2:
            raise DataError(
                f"Class {names[sizes.argmin()]!r} has only one sample, which cannot be in both "
                "the training and the test rows. Drop it, or merge it with another class."
            )
        return cls(X, codes, groups, name, names)

    @property
    def is_regression(self) -> bool:
        """Whether the target is numeric."""
        return is_numeric(self.y)

    def describe(self) -> dict[str, Any]:
        """Return the size of the data and a hash of the values, the target and the groups."""
        return {
            "name": self.name,
            "samples": self.X.shape[0],
            "features": self.X.shape[1],
            **({} if self.is_regression else self._described_classes()),
            # The number of groups is part of what a resumed run must match.
            **({} if self.groups is None else {"groups": len(np.unique(self.groups))}),
            "sha256": digest(self.X, self.y, self.groups),
        }

    def _described_classes(self) -> dict[str, Any]:
        return {"classes": int(self.y.max()) + 1, "class_labels": list(self.classes)}


def is_numeric(y: NDArray[Any]) -> bool:
    """Whether a target holds numbers for regression rather than class codes."""
    return y.dtype.kind == "f"


def strata(y: NDArray[Any], least: int) -> NDArray[np.intp]:
    """Return the strata for splits: class codes, or bins of a numeric target.

    Bins have at least ``least`` rows.
    """
    return strata_of(y, least) if is_numeric(y) else y


def _numeric_target(y: Any, n_samples: int) -> NDArray[np.float64]:
    values = numeric_vector(y, n_samples)
    if not in_range(values.min(), values.max()):
        raise DataError(
            f"y contains numbers beyond {LARGEST:.0e}, whose squares overflow. Divide the target "
            "by a constant. The scores stay the same."
        )
    return values


def dense_values(X: Any) -> NDArray[Any]:
    """Return the samples as a dense array of floats, which may contain NaN."""
    X = as_numbers(X)
    names = getattr(X, "columns", None)
    X = check_array(X.toarray() if issparse(X) else X, ensure_all_finite=False)
    require_usable(X, names, accepts_nan=True)
    return X.astype(np.float64) if X.dtype.kind in "biu" else X


def digest(*parts: NDArray[Any] | None) -> str:
    """Return a hash of arrays, skipping those that are None."""
    state = hashlib.sha256()
    for part in parts:
        if part is not None:
            state.update(f"{part.dtype.str}{part.shape}".encode())
            state.update(np.ascontiguousarray(part).data)
    return state.hexdigest()
