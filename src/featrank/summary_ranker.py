"""The base of the methods that need only per-class moments and histograms of each feature."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from featrank._sklearn import check_sample_weight, fit_context
from featrank.base import Floats, Ranker
from featrank.exceptions import DataError
from featrank.labels import encode_labels
from featrank.summaries import (
    Moments,
    RowClasses,
    Summary,
    auto_bins,
    one_against_rest,
    summarise_columns,
)
from featrank.values import EXACT, in_range, require_usable


class SummaryRanker(Ranker):
    """Base of the methods that need only per-class moments and histograms of each feature.

    A method turns the summary of a block of features into vectors, one value a feature, in
    ``_describe``; the vectors of all blocks are joined, and ``_combine`` makes the scores.
    """

    accepts_sparse = True

    n_jobs: int | None
    binning: str

    @abstractmethod
    def _describe(self, summary: Summary) -> dict[str, Floats]:
        """Return named vectors, one value a feature of the block."""

    @abstractmethod
    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        """Return the scores from the vectors of all features."""

    def _bins(self, n_samples: int) -> tuple[int | None, str]:
        """Return the number and the kind of bins of a method that has such parameters.

        Without them no histogram is made.
        """
        bins = getattr(self, "bins", None)
        if bins is None:
            return None, "width"
        return (auto_bins(n_samples) if bins == "auto" else int(bins)), self.binning

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, **unknown: Any
    ) -> SummaryRanker:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels of any type.
        sample_weight : array-like of shape (n_samples,), optional
            How many samples each row stands for. A row of weight 2 counts as two equal rows,
            one of weight 0 as none.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.
        """
        self._refuse_unknown(unknown)
        return self._ranked(self._score(*self._validated_weighted(X, y, sample_weight)))

    def _validated_weighted(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[np.intp], Floats | None]:
        X, codes = self._validated(X, y)
        assert codes is not None
        if sample_weight is None:
            return X, codes, None
        weights = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        counted = np.flatnonzero(weights)
        self.classes_, codes[counted] = encode_labels(self.classes_[codes[counted]], len(counted))
        if weights.sum() > EXACT:
            raise DataError(
                "sample_weight says how many samples each row stands for, but the weights add up "
                f"to {weights.sum():.3g}, too many to count. Divide them by a number."
            )
        sizes = np.bincount(codes[counted], weights[counted])
        if np.any((sizes <= 1) & (np.bincount(codes[counted]) > 1)):
            raise DataError(
                "sample_weight says how many samples each row stands for, but the weights of a "
                f"class add up to {sizes.min():.3g}, not even one sample. Multiply them, e.g. by "
                "len(sample_weight) / sum(sample_weight)."
            )
        return X, codes, weights

    def fit_per_class(self, X: Any, y: Any) -> dict[Any, Ranker]:
        """Rank the features of X once for each class, against the rest, from one pass over X.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels of any type.

        Returns
        -------
        rankers : dict of label to SummaryRanker
            For each class a clone of this ranker, as if fitted to ``y == label``; folds that a
            method cuts to tune itself are by all classes, so that they too are read once.
        """
        self._validate_params()
        first = clone(self)
        X, codes, _ = first._validated_weighted(X, y, None)
        rankers = [first._for_class() for _ in first.classes_]
        first._tune_classes(rankers, X, codes)
        each = first._gathered(X, codes, None, one_against_rest)
        for ranker, vectors in zip(rankers, each, strict=True):
            ranker._ranked(ranker._combine(vectors))
        return dict(zip(first.classes_.tolist(), rankers, strict=True))

    def _for_class(self) -> SummaryRanker:
        """Return a ranker for one class against the rest, to which X is known."""
        ranker = clone(self)
        for name in ("n_features_in_", "feature_names_in_", "_n_selected"):
            if hasattr(self, name):
                setattr(ranker, name, getattr(self, name))
        ranker.classes_ = np.array([False, True])
        return ranker

    def _tune(self, X: Any, codes: NDArray[np.intp], weights: Floats | None) -> None:
        """Choose what ``fit`` chooses by itself, before the scores are made; here nothing."""

    def _tune_classes(
        self, rankers: Sequence[SummaryRanker], X: Any, codes: NDArray[np.intp]
    ) -> None:
        """Do the same for each class against the rest."""
        for code, ranker in enumerate(rankers):
            ranker._tune(X, (codes == code).astype(np.intp), None)

    def _score(self, X: Any, y: NDArray[np.intp] | None, weights: Floats | None = None) -> Floats:
        return self._combine(self._vectors(X, y, weights))

    def _vectors(
        self, X: Any, y: NDArray[np.intp] | None, weights: Floats | None = None
    ) -> dict[str, Floats]:
        return self._gathered(X, y, weights, lambda summary: [summary])[0]

    def _gathered(
        self,
        X: Any,
        y: NDArray[np.intp] | None,
        weights: Floats | None,
        views: Callable[[Summary], Iterable[Summary]],
    ) -> list[dict[str, Floats]]:
        """Return the vectors of each view of the data, from one pass over X."""
        assert y is not None
        counted = y >= 0
        size = int(counted.sum()) if weights is None else round(weights[counted].sum())
        n_bins, binning = self._bins(size)
        X = X if isinstance(X, np.ndarray) else X.tocsc()

        # Blocks write into their place: joining them would cost a copy of every vector.
        found: dict[tuple[int, str], Floats] = {}

        def digest(columns: slice, summary: Summary) -> None:
            self._require_usable(X, summary.moments)
            for place, view in enumerate(views(summary)):
                for name, values in self._describe(view).items():
                    found.setdefault((place, name), np.empty(X.shape[1]))[columns] = values

        summarise_columns(
            X,
            RowClasses(y, len(self.classes_), weights),
            digest,
            n_bins=n_bins,
            binning=binning,
            n_jobs=self.n_jobs,
        )
        vectors: list[dict[str, Floats]] = [{} for _ in range(1 + max(found)[0])]
        for (place, name), values in found.items():
            vectors[place][name] = values
        return vectors

    def _require_usable(self, X: Any, moments: Moments) -> None:
        """Look at the moments of X, which saves a pass over X itself."""
        seen = in_range(moments.low.min(), moments.high.max())  # these pass over NaN
        if not (seen and np.isfinite(moments.mean).all()):
            require_usable(X, self._names())
