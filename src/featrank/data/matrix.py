"""Values in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.folds import class_folds, masked_target, numeric_folds, strata_of_target
from featrank.data.protocol import Data, Fold, Rectangle, Vectors, View
from featrank.kernels import Floats
from featrank.kernels.dense import dense_block, float_type
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.columns import RowClasses, column_bins, summarise_columns
from featrank.summaries.regression import (
    Location,
    auto_target_bins,
    bin_regression_target,
    correlation_with,
)

Split = Callable[[ColumnStats], Iterable[ColumnStats]]


@dataclass(eq=False)
class Matrix(Data):
    """A validated matrix with its target; ``n_classes`` is 0 for a regression target."""

    X: Any
    y: Any
    n_classes: int = 0
    weights: Floats | None = None
    groups: Any = None

    @property
    def n_features(self) -> int:
        """Number of columns."""
        return int(self.X.shape[1])

    @cached_property
    def strata(self) -> Any:
        """Class codes, or bins of a regression target."""
        return self.y if self.n_classes else strata_of_target(self.y, self.weights)

    def matrix(self) -> Any:
        """Return all values."""
        return self.X

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes."""
        return self.split_vectors(method, view, lambda digest: [digest])[0]

    def split_vectors(self, method: Any, view: View | None, split: Split) -> list[Vectors]:
        """Return the vectors of each view that ``split`` makes of a digest, from one pass."""
        y = masked_target(self.y, view)
        codes = y if self.n_classes else self._target_bins(method, y)
        vectors = self._described(method, codes, split)
        location = None if self.n_classes else Location.taken_from(vectors[0])
        if location is not None:
            r = correlation_with(self.X, y, location, self.weights, method.n_jobs)
            vectors[0].update(method._of_correlation(r))
        return vectors

    def _described(self, method: Any, codes: NDArray[np.intp], split: Split) -> list[Vectors]:
        counted = codes >= 0
        size = counted.sum() if self.weights is None else self.weights[counted].sum()
        n_bins, binning = method._bins(round(float(size)))
        # Blocks write in place: joining them would copy every vector.
        whole: dict[tuple[int, str], Floats] = {}

        def describe(columns: slice, digest: ColumnStats) -> None:
            method._require_usable(self.X, digest.moments)
            for place, view in enumerate(split(digest)):
                for name, values in method._describe(view).items():
                    whole.setdefault((place, name), np.empty(self.n_features))[columns] = values

        rows = RowClasses(codes, self.n_classes or int(codes.max()) + 1, self.weights)
        summarise_columns(
            self.X, rows, describe, n_bins=n_bins, binning=binning, n_jobs=method.n_jobs
        )
        vectors: list[Vectors] = [{} for _ in range(1 + max(whole)[0])]
        for (place, name), values in whole.items():
            vectors[place][name] = values
        return vectors

    def _target_bins(self, method: Any, y: Floats) -> NDArray[np.intp]:
        """Return bins of a regression target; a single one if the method does not use them."""
        wanted = getattr(method, "target_bins", None)
        known = ~np.isnan(y)
        if wanted is None:
            return np.where(known, 0, -1)
        size = known.sum() if self.weights is None else self.weights[known].sum()
        bins = auto_target_bins(round(float(size))) if wanted == "auto" else int(wanted)
        return bin_regression_target(y, bins, self.weights)

    def pair_tables(self, method: Any) -> Any:
        """Return contingency tables of the binned features."""
        from featrank.pairwise.contingency import Contingency
        from featrank.pairwise.sparse_columns import is_sparse
        from featrank.pairwise.sparse_contingency import SparseContingency

        X = self._by_columns
        rows = RowClasses(self.y, int(self.y.max()) + 1)
        bins = column_bins(X, rows, method.bins, method.binning, method.n_jobs)
        kind = SparseContingency if is_sparse(X) else Contingency
        return kind.of(X, rows.groups(), bins, method.n_jobs)

    def folds(self, random_state: Any) -> list[Fold]:
        """Return folds by class, or by strata of a regression target."""
        if self.n_classes:
            return class_folds(self.y, self.weights, self.groups, random_state)
        return numeric_folds(self.y, self.strata, self.weights, self.groups, random_state)

    def cells(self, rectangles: Sequence[Rectangle]) -> list[NDArray[Any]]:
        """Return the values of some rows and columns."""
        return [_dense(self._cells(*one)) for one in rectangles]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values that ``columns`` returns."""
        return float_type(self.X.dtype)

    @cached_property
    def _by_columns(self) -> Any:
        from featrank.pairwise.sparse_columns import by_columns

        return self.X if isinstance(self.X, np.ndarray) else by_columns(self.X)

    def columns(self, features: NDArray[np.integer]) -> NDArray[Any]:
        """Return all values of some features."""
        return dense_block(self._by_columns[:, features], slice(None))

    def _cells(self, rows: NDArray[np.integer], columns: NDArray[np.integer]) -> Any:
        if len(rows) == self.X.shape[0]:
            return self.X[:, columns][rows]
        return self.X[rows][:, columns]


def _dense(values: Any) -> NDArray[Any]:
    return values if isinstance(values, np.ndarray) else values.toarray()
