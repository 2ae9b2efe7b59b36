"""The base of the methods that need only per-class moments and histograms of each feature."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import validate_data

from featrank._utils import threads
from featrank._utils.sklearn import Interval, StrOptions, check_sample_weight, fit_context
from featrank.base.ranker import Floats, Ranker
from featrank.data.annotated import samples_of
from featrank.data.opening import PLAIN, Reading, is_source, kept_names, labels_mark, source_of
from featrank.data.passes import Found, Wanted, describe_source
from featrank.data.reader import Reader
from featrank.data.row_labels import KnownLabels, OwnLabels, RowLabels, small_codes
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.sources import Source
from featrank.summaries import (
    Digest,
    Location,
    Moments,
    Ranges,
    RowClasses,
    Summary,
    auto_bins,
    auto_target_bins,
    correlation_with,
    quantity_bins,
    summarise_columns,
    treated,
)
from featrank.summaries.one_vs_rest import one_against_rest
from featrank.values.classes import doubt_quantity, encode_labels, quantities
from featrank.values.containers import as_numbers
from featrank.values.numbers import EXACT, in_range, require_usable

# What a parameter ``target_bins`` takes.
TARGET_BINS = [StrOptions({"auto"}), Interval(Integral, 2, 2**15, closed="both")]
# Features whose summary is digested at a time, and rows where their number is not known.
PANEL = 2**14
MANY_ROWS = 2**31


def _ranks_for_classes(ranker: Ranker) -> bool:
    return not ranker.regresses


class SummaryRanker(Ranker):
    """Base of the methods that need only per-class moments and histograms of each feature.

    A method turns the summary of a block of features into vectors, one value a feature, in
    ``_describe``; the vectors of all blocks are joined, and ``_combine`` makes the scores. Where
    the target is a quantity, its bins are the classes of the summary, and ``_of_correlation``
    makes vectors of the features' correlations with it.
    """

    accepts_sparse = True

    n_jobs: int | None
    binning: str
    target_bins: int | str

    @abstractmethod
    def _describe(self, digest: Digest) -> dict[str, Floats]:
        """Return named vectors, one value a feature of the block."""

    @abstractmethod
    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        """Return the scores from the vectors of all features."""

    def _of_correlation(self, r: Floats) -> dict[str, Floats]:
        """Return vectors in the place of those that only classes have, for a quantity."""
        raise NotImplementedError

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
        self, X: Any, y: Any = None, sample_weight: Any = None, **reading: Any
    ) -> SummaryRanker:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix, AnnData or source (n_samples, n_features)
            The samples. A source (:func:`featrank.sources.open_source`), a Dask collection, a
            lazy frame or a backed AnnData is read in parts, with the same result.
        y : array-like of shape (n_samples,), or str
            Class labels of any type; not needed for a source that has labels, and the name of
            their column for a lazy frame or an AnnData.
        sample_weight : array-like of shape (n_samples,), optional
            How many samples each row stands for. A row of weight 2 counts as two equal rows,
            one of weight 0 as none.
        **reading
            For an AnnData: ``layer`` or ``use_raw=True`` rank a layer or raw in the place of X.
            For sources: ``memory``, ``missing``, ``engine``, ``client``, ``checkpoint`` and
            ``ranges``, as :class:`featrank.data.opening.Reading` explains them.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.
        """
        X, y, reading = samples_of(X, y, reading)
        if is_source(X) and not self.regresses:
            return self._fit_source(X, y, reading, sample_weight=sample_weight)
        X, y = self._in_memory(X, y, reading)
        return self._ranked(self._score(*self._validated_weighted(X, y, sample_weight)))

    def _validated_weighted(
        self, X: Any, y: Any, sample_weight: Any
    ) -> tuple[Any, NDArray[np.intp], Floats | None]:
        self.__dict__.pop("summary_", None)  # of rows that partial_fit was given
        X, target = self._validated(X, y)
        assert target is not None
        if sample_weight is None:
            return X, target, None
        weights = check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        if weights.sum() > EXACT:
            raise DataError(
                "sample_weight says how many samples each row stands for, but the weights add up "
                f"to {weights.sum():.3g}, too many to count. Divide them by a number."
            )
        if self.regresses:
            quantities(target[weights > 0], int((weights > 0).sum()))
            return X, target, weights
        return X, self._of_counted(target, weights), weights

    def _of_counted(self, codes: NDArray[np.intp], weights: Floats) -> NDArray[np.intp]:
        """Return the codes of the classes that rows with weights have."""
        counted = np.flatnonzero(weights)
        self.classes_, codes[counted] = encode_labels(self.classes_[codes[counted]], len(counted))
        sizes = np.bincount(codes[counted], weights[counted])
        if np.any((sizes <= 1) & (np.bincount(codes[counted]) > 1)):
            raise DataError(
                "sample_weight says how many samples each row stands for, but the weights of a "
                f"class add up to {sizes.min():.3g}, not even one sample. Multiply them, e.g. by "
                "len(sample_weight) / sum(sample_weight)."
            )
        return codes

    def reads_in_parts(self, source: Source, y: Any = None, options: Reading = PLAIN) -> bool:
        """Whether ``fit`` reads a source part by part: yes, but for a quantity."""
        return not self.regresses

    def _require_classes(self, what: str, instead: str) -> None:
        if self.regresses:
            raise UsageError(
                f"{what} is for classes, and {type(self).__name__} ranks for a quantity. For the "
                f'quantity {instead}; for classes leave out task="regression" and make them of it: '
                "featrank.bin_target(y, 3), on the command line --target-bins 3 without --task."
            )

    def _fit_source(self, X: Any, y: Any, given: Mapping[str, Any], **further: Any) -> Any:
        """Rank the features of data that is read in parts."""
        options = Reading.of(given)
        if further.pop("sample_weight", None) is not None:
            raise UsageError(
                "Data that is read in parts takes no sample_weight. Make summaries of blocks with "
                "weights, featrank.Summary.of(X, y, ranges, sample_weight=...), for fit_summary."
            )
        source, y = source_of(X, y)
        wanted = Wanted(clone(self)._describe, clone(self)._bins, options.missing)
        with options.reader(source, self.n_jobs, self._question(further), y) as reader:
            labels, folds = self._views(source, y, options, reader, **further)
            found = describe_source(source, labels, wanted, reader, options.ranges)
            if y is not None and found.sizes.sum() != np.size(y):
                raise DataError(
                    f"{source.name!r} has {found.sizes.sum():,} rows, and y has {np.size(y):,} "
                    "labels. Pass one label a row."
                )
            self._take_shape(source.shape[1], found.classes, kept_names(source.names))
            if isinstance(labels, OwnLabels):  # others were doubted when they were known
                doubt_quantity(found.classes, int(found.sizes.sum()))
            self._class_sizes = found.sizes
            self._tune_source(source, labels, folds, found, reader)
            return self._ranked(self._combine(found.vectors[0]))

    def _question(self, further: Mapping[str, Any]) -> str:
        """Return all that the result depends on besides the data, for checkpoints."""
        asked = {name: value for name, value in self.get_params().items() if name != "n_jobs"}
        for name, value in further.items():
            if value is not None:
                asked[name] = labels_mark(value)
        said = ", ".join(f"{name}={value!r}" for name, value in asked.items())
        return f"{type(self).__name__}({said})"

    def _views(
        self, source: Source, y: Any, options: Reading, reader: Reader, **further: Any
    ) -> tuple[RowLabels, list[Any] | None]:
        """Return the labels of the rows, and the folds that there are views for; here none."""
        for name, value in further.items():
            if value is not None:
                self._refuse_unknown({name: value})
        if y is not None:
            classes, codes = encode_labels(y, source.shape[0] or np.size(y))
            return KnownLabels(classes, small_codes(codes, len(classes))[None], {}), None
        if not source.labelled:
            raise DataError(
                f"{type(self).__name__} requires y to be passed, but {source.name!r} has no "
                "labels: name them when it is opened (target=), or pass y."
            )
        return OwnLabels(), None

    def _tune_source(
        self,
        source: Source,
        labels: RowLabels,
        folds: list[Any] | None,
        found: Found,
        reader: Reader,
    ) -> None:
        """Choose what ``fit`` chooses by itself; here nothing."""

    def fit_summary(
        self,
        summary: Summary,
        *,
        feature_names: Sequence[str] | None = None,
        missing: str = "error",
    ) -> SummaryRanker:
        """Rank features from the summary of all rows, wherever it was made.

        Parameters
        ----------
        summary : Summary
            The merged summaries of all blocks of rows.
        feature_names : sequence of str, optional
            Names of the features.
        missing : {"error", "skip", "mean"}, default="error"
            What to do about missing values (NaN): refuse them, rank each feature by the values
            that it has, or put its mean in their place.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.

        Notes
        -----
        Whatever would need the rows themselves is not there: EC-FS cannot choose ``alpha`` by
        cross-validation, and bins of equal content are refused.
        """
        self._validate_params()
        self._require_classes("A summary", "fit to the data itself")
        summary.require_all_rows()
        summary = summary.of_classes_seen()
        self._take_shape(summary.ranges.n_features, summary.ranges.classes, feature_names)
        self._require_bins(summary)
        self._tune_without_rows()
        for sentence in self.remarks():
            warnings.warn(sentence, FeatrankWarning, stacklevel=2)
        return self._ranked(self._combine(self._summary_vectors(summary, missing)))

    @available_if(_ranks_for_classes)
    def partial_fit(
        self, X: Any, y: Any, *, ranges: Ranges | None = None, sample_weight: Any = None
    ) -> SummaryRanker:
        """Add rows to those that the ranker has seen, and rank anew.

        The result is that of ``fit_summary`` on all rows so far, whatever the order; what it could
        not choose without the rows is told by ``remarks()``.

        Parameters
        ----------
        X : ndarray or sparse matrix of shape (n_rows, n_features)
            More rows.
        y : array-like of shape (n_rows,)
            Their labels.
        ranges : Ranges, optional
            Of all rows that will come: from a first pass, or ``Ranges.given``. By default those
            of the first call's rows; values beyond them are refused. Ranges start anew.
        sample_weight : array-like of shape (n_rows,), optional
            How many samples each row stands for.

        Returns
        -------
        self : SummaryRanker
            The fitted ranker.
        """
        self._validate_params()
        before: Summary | None = None if ranges is not None else self.__dict__.get("summary_")
        X = validate_data(
            self,
            as_numbers(X),
            accept_sparse=["csc", "csr"],
            ensure_all_finite=False,
            reset=before is None,
        )
        if before is not None:
            ranges = before.ranges
        elif ranges is None:  # of rows that are not all
            ranges = replace(Ranges.of(X, y, sample_weight=sample_weight), rows=None)
        n_bins = self._bins(ranges.n_rows or MANY_ROWS)[0]
        found = Summary.of(X, y, ranges, bins=n_bins, sample_weight=sample_weight)
        self.summary_ = found if before is None else before.merge(found)
        return self._fitted_so_far(getattr(self, "feature_names_in_", None))

    def _fitted_so_far(self, names: Any) -> SummaryRanker:
        summary = self.summary_.of_classes_seen()
        if len(summary.size) < 2:  # too little to rank by, as yet
            return self
        self._take_shape(summary.ranges.n_features, summary.ranges.classes, names)
        self._require_bins(summary)
        self._tune_without_rows()
        return self._ranked(self._combine(self._summary_vectors(summary, "error")))

    def _take_shape(
        self, n_features: int, classes: NDArray[Any], names: Sequence[str] | None
    ) -> None:
        if len(classes) < 2:
            raise DataError(
                f"y holds one class only ({', '.join(map(str, classes)) or 'or none'}); a "
                "supervised ranking compares classes and needs samples of at least two."
            )
        self.classes_, self.n_features_in_ = classes, n_features
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            if len(names) != n_features:
                raise UsageError(
                    f"{len(names)} feature_names were given for {n_features} features."
                )
            self.feature_names_in_ = np.asarray(names, dtype=object)
        self._n_selected = self._count_to_select(n_features)

    def _require_bins(self, summary: Summary) -> None:
        wanted, binning = self._bins(summary.ranges.n_rows or MANY_ROWS)
        if wanted is None:
            return
        if binning != "width":
            raise UsageError(
                "Bins of equal content need whole columns, which a summary does not hold. Use "
                'binning="width", or fit to the data.'
            )
        if summary.n_bins != wanted:
            raise UsageError(
                f"{type(self).__name__} wants {wanted} bins, and the summary has {summary.n_bins}. "
                f"Make it with bins={wanted}, or give the ranker bins={summary.n_bins}."
            )

    def _tune_without_rows(self) -> None:
        """Choose what ``fit`` chooses by itself where the rows are not at hand; here nothing."""

    def _summary_vectors(self, summary: Summary, missing: str) -> dict[str, Floats]:
        found: dict[str, Floats] = {}
        n_features = summary.ranges.n_features
        for columns in threads.blocks(n_features, PANEL):
            digest = treated(summary.columns(columns), missing, self._names(), columns.start)
            for name, values in self._describe(digest).items():
                found.setdefault(name, np.empty(n_features))[columns] = values
        return found

    def fit_per_class(self, X: Any, y: Any = None, **reading: Any) -> dict[Any, Ranker]:
        """Rank the features of X once for each class, against the rest, from one pass over X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,), or str
            Class labels of any type; for an AnnData, also the name of a column of obs.
        **reading
            For an AnnData: ``layer`` and ``use_raw``. For sources, which are brought into memory:
            ``memory``, ``missing``, ``engine`` and ``client``.

        Returns
        -------
        rankers : dict of label to SummaryRanker
            For each class a clone of this ranker, as if fitted to ``y == label``; folds that a
            method cuts to tune itself are by all classes, so that they too are read once.
        """
        self._validate_params()
        self._require_classes("A ranking for each class", "leave out --per-class and --of-class")
        X, y = self._in_memory(X, y, reading)
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

    def _score(self, X: Any, y: NDArray[Any] | None, weights: Floats | None = None) -> Floats:
        return self._combine(self._vectors(X, y, weights))

    def _vectors(
        self, X: Any, y: NDArray[Any] | None, weights: Floats | None = None
    ) -> dict[str, Floats]:
        if self.regresses:
            return self._vectors_for_quantity(X, y, weights)
        return self._gathered(X, y, weights, lambda digest: [digest])[0]

    def _vectors_for_quantity(
        self, X: Any, y: Any, weights: Floats | None = None
    ) -> dict[str, Floats]:
        """Return the vectors for a quantity; rows where it is NaN take no part."""
        codes = self._bins_of_target(y, weights)
        found = self._gathered(X, codes, weights, lambda digest: [digest])[0]
        location = Location.taken_from(found)
        if location is None:
            return found
        r = correlation_with(X, y, location, weights, self.n_jobs)
        return {**found, **self._of_correlation(r)}

    def _bins_of_target(self, y: Floats, weights: Floats | None) -> NDArray[np.intp]:
        """Return the bins of a quantity; one where the method has no use for them."""
        wanted = getattr(self, "target_bins", None)
        if wanted is None:
            return np.where(np.isnan(y), -1, 0)
        known = ~np.isnan(y)
        size = known.sum() if weights is None else weights[known].sum()
        bins = auto_target_bins(round(size)) if wanted == "auto" else int(wanted)
        return quantity_bins(y, bins, weights)

    def _gathered(
        self,
        X: Any,
        y: NDArray[np.intp] | None,
        weights: Floats | None,
        views: Callable[[Digest], Iterable[Digest]],
    ) -> list[dict[str, Floats]]:
        """Return the vectors of each view of the data, from one pass over X."""
        assert y is not None
        counted = y >= 0
        n_classes = int(y.max()) + 1 if self.regresses else len(self.classes_)
        size = int(counted.sum()) if weights is None else round(weights[counted].sum())
        n_bins, binning = self._bins(size)

        # Blocks write into their place: joining them would cost a copy of every vector.
        found: dict[tuple[int, str], Floats] = {}

        def keep(columns: slice, digest: Digest) -> None:
            self._require_usable(X, digest.moments)
            for place, view in enumerate(views(digest)):
                for name, values in self._describe(view).items():
                    found.setdefault((place, name), np.empty(X.shape[1]))[columns] = values

        summarise_columns(
            X,
            RowClasses(y, n_classes, weights),
            keep,
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
        if moments.has_missing or not (seen and np.isfinite(moments.mean).all()):
            require_usable(X, self._names())
