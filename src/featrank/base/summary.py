"""Base of the methods that need only per-class moments and histograms of each feature."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from featrank._utils.sklearn import check_sample_weight, fit_context
from featrank.base.ranker import Floats, Ranker, best_first
from featrank.base.tuning import CV
from featrank.data.matrix import Matrix
from featrank.data.protocol import Data, Fold
from featrank.exceptions import DataError, UsageError
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.histogram import auto_bins
from featrank.summaries.moments import Moments
from featrank.values.classes import encode_labels, numeric_vector, require_two_classes
from featrank.values.containers import as_numbers
from featrank.values.numbers import EXACT, in_range, require_usable

if TYPE_CHECKING:
    from featrank.summaries.ranges import FeatureRanges
    from featrank.summaries.summary import ClassSummary


def _ranks_for_classes(ranker: Ranker) -> bool:
    return not ranker._regresses


class SummaryRanker(Ranker):
    """Base of the methods that need only per-class moments and histograms of each feature.

    A method turns the summary of a block of features into vectors, one value per feature, in
    ``_describe``. The vectors of all blocks are concatenated, and ``_combine`` turns them into
    scores. For regression, the bins of the target are the classes of the summary, and
    ``_of_correlation`` returns vectors computed from the correlations with the target.
    """

    accepts_sparse = True

    @abstractmethod
    def _describe(self, digest: ColumnStats) -> dict[str, Floats]:
        """Return named vectors with one value per feature of the block."""

    @abstractmethod
    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        """Return the scores from the vectors of all features."""

    def _of_correlation(self, r: Floats) -> dict[str, Floats]:
        """Return the vectors that replace class statistics for regression."""
        raise NotImplementedError

    def _bins(self, n_samples: int) -> tuple[int | None, str]:
        """Return the number and kind of bins, or None for methods without these parameters.

        Without bins, no histogram is computed.
        """
        bins, binning = getattr(self, "bins", None), getattr(self, "binning", "width")
        return auto_bins(n_samples) if bins == "auto" else bins, binning

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, **reading: Any
    ) -> SummaryRanker:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix, AnnData or dataset (n_samples, n_features)
            The samples. An out-of-core dataset (:func:`featrank.sources.open_dataset`), a Dask
            collection, a lazy frame or a backed AnnData is read in chunks, with the same result.
        y : array-like of shape (n_samples,), or str
            Class labels of any type. For a lazy frame or an AnnData, the name of their column. Not
            needed for a dataset that includes labels.
        sample_weight : array-like of shape (n_samples,), optional
            Number of samples each row represents. A row of weight 2 counts as two identical rows,
            and a row of weight 0 is ignored.
        **reading
            For an AnnData: ``layer`` or ``use_raw=True`` ranks a layer or raw instead of X. For
            datasets: ``memory``, ``missing``, ``engine``, ``client``, ``checkpoint`` and
            ``ranges``. See :class:`featrank.tables.options.ReadOptions`.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.
        """
        return self._fit_to(X, y, reading, sample_weight=sample_weight)

    def _scores_of(self, data: Data) -> Floats:
        return self._combine(data.vectors(self))

    def _fold_orders(
        self, data: Data, fold: Fold, candidates: Sequence[Mapping[str, Any]], count: int
    ) -> NDArray[np.int64]:
        values = [value for candidate in candidates for value in candidate.values()]
        return np.array([best_first(scores)[:count] for scores in self._each(data, fold, values)])

    def _each(
        self, data: Data, fold: Fold | None, values: Sequence[Any], tol: float | None = None
    ) -> Iterator[Floats]:
        """Yield the scores of all rows or a fold's training rows for each value of ``tunable``.

        Override this to reuse the vectors. Without ``tol``, the scores only need to be precise
        enough to order the features.
        """
        assert self.tunable is not None
        for value in values:
            ranker = self._untuned(**{self.tunable.name: value})
            yield ranker._combine(data.vectors(ranker, fold))

    def _rank_candidates(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]]
    ) -> NDArray[np.integer]:
        """Rank for several values of the tunable parameter from one pass over the data."""
        values = (
            [candidate.get(self.tunable.name) for candidate in candidates] if self.tunable else []
        )
        if not values or any(
            len(c) != 1 or v in (None, CV) for c, v in zip(candidates, values, strict=True)
        ):
            return self._rank_clones(X, y, candidates)
        ranker = clone(self)
        for candidate in candidates:
            ranker.set_params(**candidate)._validate_params()
        each = ranker._each(ranker._matrix(X, y), None, values, getattr(self, "tol", None))
        return np.stack([best_first(scores) for scores in each])

    def _matrix(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Matrix:
        X, target, weights = self._validated_weighted(X, y, sample_weight)
        n_classes = 0 if self._regresses else len(self.classes_)
        return Matrix(X, target, n_classes, weights, groups)

    def _validated_weighted(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[np.intp], Floats | None]:
        self.__dict__.pop("summary_", None)  # from partial_fit
        X, target = self._validated(X, y)
        assert target is not None
        if sample_weight is None:
            return X, target, None
        weights = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if weights.sum() > EXACT:
            raise DataError(
                f"sample_weight sums to {weights.sum():.3g}, too large for exact counts. "
                "Divide the weights, e.g. `sample_weight=weights / weights.mean()`."
            )
        if self._regresses:
            numeric_vector(target[weights > 0], int((weights > 0).sum()))
            return X, target, weights
        return X, self._of_counted(target, weights), weights

    def _of_counted(self, codes: NDArray[np.intp], weights: Floats) -> NDArray[np.intp]:
        """Return the codes of the classes that have rows with positive weight."""
        counted = np.flatnonzero(weights)
        self.classes_, codes[counted] = encode_labels(self.classes_[codes[counted]], len(counted))
        sizes = np.bincount(codes[counted], weights[counted])
        if np.any((sizes <= 1) & (np.bincount(codes[counted]) > 1)):
            raise DataError(
                "sample_weight is the number of samples per row, but the weights of a class sum to "
                f"{sizes.min():.3g}, at most one sample. Multiply the weights, e.g. "
                "`sample_weight=weights / weights.mean()`."
            )
        return codes

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether ``fit`` reads a dataset in chunks: always, except for regression."""
        return not self._regresses

    def _require_classes(self, what: str) -> None:
        if self._regresses:
            raise UsageError(
                f"{what} needs class labels, but {type(self).__name__} ranks for regression. "
                'Leave out `task="regression"` and bin the target with `featrank.bin_target(y, 3)`.'
            )

    def fit_summary(
        self,
        summary: ClassSummary,
        *,
        feature_names: Sequence[str] | None = None,
        missing: str = "error",
    ) -> SummaryRanker:
        """Rank features from a summary of all rows.

        Parameters
        ----------
        summary : ClassSummary
            The merged summaries of all blocks of rows.
        feature_names : sequence of str, optional
            Names of the features.
        missing : {"error", "skip", "mean"}, default="error"
            How to handle missing values (NaN): raise an error, ignore them, or replace them by the
            feature's mean.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.

        Notes
        -----
        Without the rows, EC-FS cannot choose ``alpha`` by cross-validation, and quantile bins raise
        an error.
        """
        self._validate_params()
        self._require_classes("fit_summary")
        summary.require_all_rows()
        self._fit_rows_of(summary, feature_names, missing)
        from featrank._utils.warn import warn_user

        for sentence in self.notes():
            warn_user(sentence)
        return self

    def _fit_rows_of(
        self, summary: ClassSummary, names: Sequence[str] | None, missing: str = "error"
    ) -> SummaryRanker:
        from featrank.data.summary_only import SummaryOnly

        summary = summary.of_classes_seen()
        require_two_classes(summary.ranges.classes)
        self.classes_ = summary.ranges.classes
        self._set_fitted_shape(summary.ranges.n_features, names)
        self._fit(SummaryOnly(summary, missing, self._names()))
        return self

    @available_if(_ranks_for_classes)
    def partial_fit(
        self, X: Any, y: Any, *, ranges: FeatureRanges | None = None, sample_weight: Any = None
    ) -> SummaryRanker:
        """Add rows to those seen so far, and rank again.

        The result equals that of ``fit_summary`` on all rows so far, in any order. ``notes()`` says
        which parameters could not be tuned without the rows.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_rows, n_features)
            More rows.
        y : array-like of shape (n_rows,)
            Their labels.
        ranges : FeatureRanges, optional
            Ranges of all rows to come, from a first pass or from ``FeatureRanges.given``. By
            default, the ranges of the first call are used, and later values outside them raise an
            error. New ranges start a new summary.
        sample_weight : array-like of shape (n_rows,), optional
            Number of samples each row represents.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.
        """
        from featrank.data.summary_only import MANY_ROWS
        from featrank.summaries.ranges import FeatureRanges
        from featrank.summaries.summary import ClassSummary

        self._validate_params()
        before: ClassSummary | None = None if ranges is not None else self.__dict__.get("summary_")
        X = validate_data(
            self,
            as_numbers(X),
            accept_sparse=["csc", "csr"],
            ensure_all_finite=False,
            reset=before is None,
        )
        if before is not None:
            ranges = before.ranges
        elif ranges is None:  # more rows may follow
            ranges = replace(FeatureRanges.of(X, y, sample_weight=sample_weight), rows=None)
        n_bins = self._bins(ranges.n_rows or MANY_ROWS)[0]
        added = ClassSummary.of(X, y, ranges, bins=n_bins, sample_weight=sample_weight)
        self.summary_ = added if before is None else before.merge(added)
        if len(self.summary_.of_classes_seen().size) < 2:  # not enough to rank yet
            return self
        return self._fit_rows_of(self.summary_, getattr(self, "feature_names_in_", None))

    def fit_per_class(self, X: Any, y: Any = None, **reading: Any) -> dict[Any, Ranker]:
        """Rank the features of X for each class against the rest, in one pass over X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,), or str
            Class labels of any type. For an AnnData, also the name of an obs column.
        **reading
            For an AnnData: ``layer`` and ``use_raw``. For datasets, which are loaded into memory:
            ``memory``, ``missing``, ``engine`` and ``client``.

        Returns
        -------
        rankers : dict of label to SummaryRanker
            For each class, a clone of this ranker fitted to ``y == label``. Folds for tuning are
            stratified by all classes, so that they are also read only once.
        """
        self._validate_params()
        self._require_classes("A ranking per class")
        X, y = self._in_memory(X, y, reading)
        first = clone(self)
        from featrank.data.one_vs_rest import OneVsRest, SharedPasses

        shared = SharedPasses(first._matrix(X, y))
        rankers = [first._for_class() for _ in first.classes_]
        for code, ranker in enumerate(rankers):
            ranker._fit(OneVsRest(shared, code))
        return dict(zip(first.classes_.tolist(), rankers, strict=True))

    def _for_class(self) -> SummaryRanker:
        """Return a ranker for one class against the rest, with the shape and names of X set."""
        ranker = clone(self)
        for name in ("n_features_in_", "feature_names_in_", "_n_selected"):
            if hasattr(self, name):
                setattr(ranker, name, getattr(self, name))
        ranker.classes_ = np.array([False, True])
        return ranker

    def _score(self, X: Any, y: NDArray[Any] | None) -> Floats:
        n_classes = 0 if self._regresses else len(self.classes_)
        return self._scores_of(Matrix(X, y, n_classes))

    def _require_usable(self, X: Any, moments: Moments) -> None:
        """Check the moments of X, which saves a pass over X itself."""
        seen = in_range(moments.low.min(), moments.high.max())  # these ignore NaN
        if moments.has_missing or not (seen and np.isfinite(moments.mean).all()):
            require_usable(X, self._names())
