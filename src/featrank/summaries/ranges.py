"""The first pass over data: the classes, and the range of each feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from featrank._utils import serialise
from featrank.exceptions import DataError, UsageError
from featrank.kernels import Floats, Groups, RangeArrays, weight_unit
from featrank.kernels.dense import float_type
from featrank.summaries.blocks import Block, as_block, pieces_of
from featrank.values.classes import all_classes, block_labels, places_among

KIND = "FeatureRanges"
# Number of columns that an error lists.
SHOWN = 3


@dataclass(frozen=True, eq=False)
class FeatureRanges:
    """Result of a first pass over the data: classes, rows, smallest and largest values.

    It defines the units of the sums in a :class:`ClassSummary`, so that these do not depend on how
    rows are split, on the order of blocks, or on how summaries are merged.

    Attributes
    ----------
    classes : ndarray of shape (n_classes,)
        The labels in sorted order.
    rows : ndarray of shape (n_classes,) or None
        Number of rows of each class, or None if the ranges were given and the rows not read.
    minimum, maximum : ndarray of shape (n_classes, n_features)
        Extremes of each class, or infinities if a class has no value. NaN is a missing value.
    whole : ndarray of shape (n_features,)
        1 where every value is an integer.
    dtype : numpy.dtype
        Type in which values are read: float32 or float64.
    largest_weight : float or None
        The largest weight, if rows have weights.
    complete : bool
        Whether it is known that no value is missing.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.summaries import FeatureRanges
    >>> X, y = np.array([[1.0, 5.0], [2.0, 6.0], [4.0, 7.0]]), ["a", "b", "a"]
    >>> ranges = FeatureRanges.of(X[:2], y[:2]).merge(FeatureRanges.of(X[2:], y[2:]))
    >>> ranges.classes.tolist(), ranges.rows.tolist(), ranges.maximum.tolist()
    (['a', 'b'], [2, 1], [[4.0, 7.0], [2.0, 6.0]])
    """

    classes: NDArray[Any]
    rows: NDArray[np.int64] | None
    minimum: Floats
    maximum: Floats
    whole: NDArray[np.uint8]
    dtype: np.dtype[np.floating]
    largest_weight: float | None = None
    complete: bool = False

    @classmethod
    def of(cls, X: Any, y: Any, *, sample_weight: ArrayLike | None = None) -> FeatureRanges:
        """Return the ranges of a block of rows.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_rows, n_features)
            Some rows, with all features to summarise.
        y : array-like of shape (n_rows,)
            Labels of the rows. A block need not contain all classes.
        sample_weight : array-like of shape (n_rows,), optional
            Number of samples that each row represents.

        Returns
        -------
        ranges : FeatureRanges
            The ranges of the block, to be merged with others.
        """
        X = as_block(X)
        classes, codes = block_labels(y, X.shape[0])
        return cls.of_rows(X, codes, classes, checked_weights(sample_weight, X.shape[0]))

    @classmethod
    def of_rows(
        cls,
        X: Any,
        codes: NDArray[np.integer],
        classes: NDArray[Any],
        weights: Floats | None = None,
    ) -> FeatureRanges:
        """Return the ranges of rows with class codes. Rows with a negative code are ignored."""
        parts = (
            cls.of_block(block, codes[rows], classes, None if weights is None else weights[rows])
            for rows, block in pieces_of(X)
        )
        return reduce(cls.merge, parts)

    @classmethod
    def of_block(
        cls,
        block: Block,
        codes: NDArray[np.integer],
        classes: NDArray[Any],
        weights: Floats | None = None,
    ) -> FeatureRanges:
        """Return the ranges of a block that fits into the cache."""
        taking_part = codes if weights is None else np.where(weights > 0, codes, -1)
        groups = Groups.of(taking_part, len(classes))
        found = block.ranges(groups)
        largest = None if weights is None else float(weights.max(initial=0.0))
        complete = bool(np.all(found.present == groups.sizes[:, None]))
        return cls(classes, groups.sizes, *found[:2], found.whole, block.dtype, largest, complete)

    @classmethod
    def given(
        cls,
        classes: ArrayLike,
        minimum: ArrayLike,
        maximum: ArrayLike,
        *,
        whole: ArrayLike = False,
        dtype: Any = np.float64,
        largest_weight: float | None = None,
    ) -> FeatureRanges:
        """Set the ranges, so that data which can be read only once needs no first pass.

        Parameters
        ----------
        classes : array-like of shape (n_classes,)
            All labels that may occur.
        minimum, maximum : array-like of shape (n_features,)
            Bounds of each feature: the ends of its bins. Values outside raise an error.
        whole : bool or array-like of shape (n_features,), default=False
            Which features contain only integers.
        dtype : dtype, default=float64
            Type of the data.
        largest_weight : float, optional
            The largest weight that may occur, if rows have weights.

        Returns
        -------
        ranges : FeatureRanges
            The ranges, without a number of rows.
        """
        labels, _ = block_labels(classes, np.size(classes))
        low, high = (np.atleast_1d(np.asarray(bound, np.float64)) for bound in (minimum, maximum))
        if low.shape != high.shape or not (np.isfinite([low, high]).all() and np.all(low <= high)):
            raise UsageError(
                "minimum and maximum must be finite bounds, one per feature, with minimum ≤ "
                f"maximum. Got {low.size} and {high.size} values."
            )
        each = (len(labels), len(low))
        flags = np.broadcast_to(np.asarray(whole, np.uint8), low.shape).copy()
        kind = float_type(np.dtype(dtype))
        tables = [np.broadcast_to(bound, each).copy() for bound in (low, high)]
        return cls(labels, None, tables[0], tables[1], flags, kind, largest_weight)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return self.minimum.shape[1]

    @property
    def n_rows(self) -> int | None:
        """Number of rows, or None if they were not read."""
        return None if self.rows is None else int(self.rows.sum())

    @property
    def weight_unit(self) -> float:
        """Power of two that divides all weights."""
        if self.largest_weight is None:
            return 1.0
        return weight_unit(2**40 if self.n_rows is None else self.n_rows, self.largest_weight)

    @property
    def low(self) -> Floats:
        """Smallest value of each feature."""
        return self.minimum.min(axis=0, initial=np.inf)

    @property
    def high(self) -> Floats:
        """Largest value of each feature."""
        return self.maximum.max(axis=0, initial=-np.inf)

    @property
    def arrays(self) -> RangeArrays:
        """The ranges as arrays for the kernels."""
        return RangeArrays(self.minimum, self.maximum, self.maximum, self.whole)

    def merge(self, other: FeatureRanges) -> FeatureRanges:
        """Return the ranges of the rows of both."""
        if self.n_features != other.n_features:
            raise DataError(
                f"Cannot merge blocks of {self.n_features} and {other.n_features} features. All "
                "blocks need the same columns."
            )
        classes = self.classes
        if not np.array_equal(classes, other.classes):
            classes = all_classes(classes, other.classes)
        mine, theirs = self.among(classes), other.among(classes)
        known = mine.rows is not None and theirs.rows is not None
        weights = [w for w in (self.largest_weight, other.largest_weight) if w is not None]
        return FeatureRanges(
            classes,
            mine.rows + theirs.rows if known else None,  # type: ignore[operator]
            np.minimum(mine.minimum, theirs.minimum),
            np.maximum(mine.maximum, theirs.maximum),
            self.whole & other.whole,
            np.result_type(self.dtype, other.dtype),
            max(weights, default=None),
            self.complete and other.complete,
        )

    def among(self, classes: NDArray[Any]) -> FeatureRanges:
        """Return the same ranges for a larger set of classes."""
        if classes is self.classes:
            return self
        places = places_among(classes, self.classes)
        tables = []
        for table, empty in ((self.minimum, np.inf), (self.maximum, -np.inf)):
            wider = np.full((len(classes), self.n_features), empty)
            wider[places] = table
            tables.append(wider)
        rows = None
        if self.rows is not None:
            rows = np.zeros(len(classes), np.int64)
            rows[places] = self.rows
        return replace(self, classes=classes, rows=rows, minimum=tables[0], maximum=tables[1])

    def codes_of(self, codes: NDArray[np.integer], own: NDArray[Any]) -> NDArray[np.integer]:
        """Translate codes of a block's own classes to these classes. Negative codes stay."""
        if own is self.classes or np.array_equal(own, self.classes):
            return codes
        places = places_among(self.classes, own)
        if np.any(places < 0):
            unknown = own[np.flatnonzero(places < 0)[0]]
            raise DataError(
                f"The label {unknown!s} is not one of the {len(self.classes)} classes of the "
                "ranges. Compute the ranges from all blocks."
            )
        return np.where(codes < 0, -1, places[codes]) if len(own) else codes

    def columns(self, some: slice) -> FeatureRanges:
        """Return the ranges of some of the features."""
        return replace(
            self,
            minimum=np.ascontiguousarray(self.minimum[:, some]),
            maximum=np.ascontiguousarray(self.maximum[:, some]),
            whole=self.whole[some].copy(),
        )

    @staticmethod
    def join(parts: Sequence[FeatureRanges]) -> FeatureRanges:
        """Concatenate the ranges of several blocks of columns, for the same rows."""
        return replace(
            parts[0],
            minimum=np.concatenate([part.minimum for part in parts], axis=1),
            maximum=np.concatenate([part.maximum for part in parts], axis=1),
            whole=np.concatenate([part.whole for part in parts]),
            complete=all(part.complete for part in parts),
        )

    def require_inside(self, found: RangeArrays) -> None:
        """Raise an error for values outside the ranges, as their sums would be wrong."""
        beyond = (found.minimum < self.minimum) | (found.maximum > self.maximum)
        if beyond.any():
            columns = np.flatnonzero(beyond.any(axis=0))
            shown = ", ".join(str(column) for column in columns[:SHOWN])
            more = ", …" if len(columns) > SHOWN else ""
            raise DataError(
                f"{len(columns)} features have values outside their ranges (features {shown}"
                f"{more}). Compute the ranges from all blocks, or use wider ranges."
            )
        broken = np.flatnonzero((self.whole != 0) & (found.whole == 0))
        if broken.size:
            raise DataError(
                f"{len(broken)} features are declared as integers but have fractions, first "
                f"feature {broken[0]}. Use `whole=False` for these features."
            )

    def to_bytes(self) -> bytes:
        """Return the ranges as bytes, for another process or computer."""
        arrays: dict[str, NDArray[Any]] = {
            "minimum": self.minimum,
            "maximum": self.maximum,
            "whole": self.whole,
        }
        if self.rows is not None:
            arrays["rows"] = self.rows
        facts = {
            "classes": label_facts(self.classes),
            "dtype": self.dtype.name,
            "largest_weight": self.largest_weight,
            "complete": self.complete,
        }
        return serialise.pack(KIND, facts, arrays)

    @classmethod
    def from_bytes(cls, blob: bytes) -> FeatureRanges:
        """Return the ranges that ``to_bytes`` wrote, or raise an error for damaged bytes."""
        facts, arrays = serialise.unpack(blob, KIND)
        return cls(
            labels_of(facts["classes"]),
            arrays.get("rows"),
            arrays["minimum"],
            arrays["maximum"],
            arrays["whole"],
            np.dtype(facts["dtype"]),
            facts["largest_weight"],
            facts["complete"],
        )


def checked_weights(sample_weight: ArrayLike | None, n_rows: int) -> Floats | None:
    """Return the weights of the rows as floats, or None."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, np.float64)
    if weights.shape != (n_rows,) or not np.all(np.isfinite(weights) & (weights >= 0)):
        raise DataError(
            f"sample_weight must be {n_rows} finite nonnegative numbers, one per row. Got shape "
            f"{weights.shape}."
        )
    return weights


def label_facts(classes: NDArray[Any]) -> dict[str, Any]:
    """Return labels in a form that JSON can store."""
    kind = classes.dtype.str if classes.dtype.kind != "O" else "O"
    return {"dtype": kind, "values": [_stored(label) for label in classes.tolist()]}


def labels_of(facts: dict[str, Any]) -> NDArray[Any]:
    """Return the labels that ``label_facts`` described."""
    labels = np.empty(len(facts["values"]), dtype=np.dtype(facts["dtype"]))
    labels[:] = [_restored(value) for value in facts["values"]]
    return labels


def _stored(label: Any) -> Any:
    """Return a label in a form that JSON can store."""
    plain = label.item() if isinstance(label, np.generic) else label
    if isinstance(plain, bytes):
        return {"bytes": plain.hex()}
    if isinstance(plain, Decimal):
        return {"Decimal": str(plain)}
    if not isinstance(plain, str | int | float):
        raise UsageError(
            f"Labels of type {type(plain).__name__!r} cannot be sent as bytes ({label!r}). Use "
            "strings or numbers."
        )
    return plain


def _restored(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return bytes.fromhex(value["bytes"]) if "bytes" in value else Decimal(value["Decimal"])
