"""The contract of every ranking method: what goes in, what comes out, and what is refused."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from featrank import kernels
from featrank._sklearn import Interval, RealNotInt, check_sample_weight, fit_context
from featrank.candidates import require_orders, shortcut_holds
from featrank.exceptions import DataError, MethodError, UsageError
from featrank.inputs import as_matrix, as_numbers, refuse_sparse
from featrank.labels import encode_labels
from featrank.summaries import (
    Moments,
    Rows,
    Summary,
    auto_bins,
    one_against_rest,
    summarise_columns,
)
from featrank.values import EXACT, in_range, label, require_usable

Floats = NDArray[np.float64]


class Ranker(SelectorMixin, BaseEstimator, ABC):
    """Base of every method: a scikit-learn estimator and selector.

    A method's class says what it is in the class attributes, and computes one score a feature
    in ``_score``. Validation, ranking, selection and names are done here.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Score of each feature as float64; higher is better. A score is finite, or ``inf`` for a
        feature that separates the classes exactly: constant within each class, and not over
        all. Methods that give ``inf`` say so.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature; 1 is best; equal scores go to the lower index.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first.
    support_ : ndarray of shape (n_features,)
        True for the selected features.
    n_features_in_ : int
        Number of features seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where the input has names that are strings.
    """

    name: ClassVar[str]
    kind: ClassVar[str] = "filter"
    supervised: ClassVar[bool] = True
    multiclass: ClassVar[bool] = True
    accepts_sparse: ClassVar[bool] = False
    accepts_nan: ClassVar[bool] = False
    stochastic: ClassVar[bool] = False
    # Of "shift", "scale" and "monotone": maps of single features that leave the ranking alone, at
    # the default parameters and as far as the rounding of X's type allows.
    invariances: ClassVar[frozenset[str]] = frozenset()
    complexity: ClassVar[str]
    published_complexity: ClassVar[str]
    reference: ClassVar[str]
    # Parameters worth choosing by cross-validation, each with the values to try; the later ones
    # are preferred where scores cannot tell them apart.
    tunable: ClassVar[Mapping[str, Sequence[Any]]] = {}
    # How many features `featrank.rank` asks for where the caller does not say; None is all.
    default_top: ClassVar[int | None] = None

    @property
    def tunes_itself(self) -> bool:
        """Whether ``fit`` chooses a parameter by cross-validation.

        The choice may depend on how many features are asked for and on the order of the rows.
        """
        return False

    def parts(self) -> dict[str, Floats]:
        """Return what the scores are made of, by name: vectors of one value a feature.

        A method that has such parts offers them here; ``Ranking.to_frame(details=True)`` and
        ``featrank rank --details`` show them beside the scores.
        """
        return {}

    def chosen(self) -> dict[str, Any]:
        """Return what ``fit`` chose by itself and how clear the choice was; empty if nothing.

        ``auc`` and ``standard_error`` are the cross-validated AUC of the choice, where there is
        one: what does not differ from chance is told.
        """
        return {}

    def remarks(self) -> list[str]:
        """Return sentences on the fit that a user wants to read beside its result."""
        return []

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            None,
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0, 1, closed="right"),
        ],
    }

    n_features_to_select: int | float | None

    @abstractmethod
    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        """Return one score a feature, higher is better.

        A score is finite, or ``inf`` for a feature that separates the classes exactly. ``X`` is
        validated: real numbers without infinity, and without NaN unless ``accepts_nan``; ``y``
        holds class codes 0 … n_classes - 1, or None for a method that takes no labels.
        """

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, **unknown: Any) -> Ranker:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The samples. Sparse input where the method declares it.
        y : array-like of shape (n_samples,)
            Class labels of any type; ignored by unsupervised methods.

        Returns
        -------
        self : Ranker
            The fitted ranker.
        """
        self._refuse_unknown(unknown)
        X, codes = self._validated(X, y)
        require_usable(X, self._names(), accepts_nan=self.accepts_nan)
        return self._ranked(self._score(X, codes))

    def _refuse_unknown(self, keywords: Mapping[str, Any]) -> None:
        """Refuse what ``fit`` does not take; of weights, say who takes them.

        They are no parameter of fit, so that nobody finds one and believes that it works.
        """
        if "sample_weight" in keywords:
            raise UsageError(
                f"{type(self).__name__} takes no sample_weight. Methods on summaries do, such as "
                "ec-fs, fisher and mi; for others repeat the rows, or leave the weights out."
            )
        for name in keywords:
            raise TypeError(f"{type(self).__name__}.fit() got an unexpected keyword {name!r}")

    def fit_per_class(self, X: Any, y: Any) -> dict[Any, Ranker]:
        """Rank the features of X once for each class, against the rest.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels of any type.

        Returns
        -------
        rankers : dict of label to Ranker
            For each class a clone of this ranker, fitted to ``y == label``.
        """
        classes, codes = self._classes_to_tell_apart(y)
        members = (codes == code for code in range(len(classes)))
        return {name: clone(self).fit(X, own) for name, own in zip(classes, members, strict=True)}

    def _classes_to_tell_apart(self, y: Any) -> tuple[list[Any], NDArray[np.intp]]:
        if not self.supervised:
            raise UsageError(
                f"{type(self).__name__} takes no labels, so it has no ranking for each class. "
                "Choose a supervised method (see `featrank methods`)."
            )
        if y is None:
            raise DataError("A ranking for each class needs y: one class label a sample.")
        classes, codes = encode_labels(y, np.size(y))
        return classes.tolist(), codes

    def _ranked(self, scores: Floats) -> Ranker:
        self.scores_ = self._checked_scores(scores)
        self.order_ = best_first(self.scores_)
        self.ranking_ = kernels.places(self.order_)
        self.support_ = self.ranking_ <= self._n_selected
        return self

    def _checked_scores(self, scores: Any) -> Floats:
        """Return the scores of a method as float64; what cannot be ranked is refused."""
        method, n_features = f"{type(self).__name__}._score", self.n_features_in_
        given = _as_array(scores)
        if given.dtype.kind not in "biuf":
            raise MethodError(
                f"{method} must return one real number a feature, but returned "
                f"{_described(scores, given)}. Return an array of floats."
            )
        if given.shape != (n_features,):
            raise MethodError(
                f"{method} must return one score a feature: shape ({n_features},) was expected, "
                f"and it returned {given.shape}."
            )
        checked = given.astype(np.float64, copy=False)
        if not checked.min() > -np.inf:  # NaN is not larger either
            bad = np.flatnonzero(~(checked > -np.inf))
            raise MethodError(
                f"{method} returned NaN or -inf for {len(bad)} of {n_features} features, the first "
                f"of them {label(bad[0], self._names())}. A score is finite, or inf for a feature "
                "that separates the classes exactly."
            )
        return checked

    def rank_candidates(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]]
    ) -> NDArray[np.int64]:
        """Rank the features under each of several settings of the parameters.

        Some methods do so from fewer passes over the data than there are settings. The ranker
        itself is neither fitted nor changed.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,) or None
            Class labels of any type; ignored by unsupervised methods.
        candidates : sequence of mappings
            Names and values of parameters; those not named stay as they are in this ranker.

        Returns
        -------
        orders : ndarray of shape (len(candidates), n_features)
            Row k is the ``order_`` of a clone that is fitted with ``candidates[k]``.

        Examples
        --------
        >>> from featrank import MRMR
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> MRMR().rank_candidates(X, y, [{"criterion": "mid"}, {"criterion": "fcq"}])
        array([[3, 2, 1, 0],
               [2, 3, 0, 1]])
        """
        settings = list(candidates)
        if not settings:
            return np.empty((0, np.shape(X)[1]), dtype=np.int64)
        rank = self._rank_candidates if shortcut_holds(type(self)) else self._rank_clones
        orders = np.asarray(rank(X, y, settings))
        require_orders(orders, (len(settings), np.shape(X)[1]), type(self).__name__)
        return orders.astype(np.int64, copy=False)

    def _rank_candidates(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]]
    ) -> NDArray[np.integer]:
        """Do the work of ``rank_candidates``; a method that can share work between them does."""
        return self._rank_clones(X, y, candidates)

    def _rank_clones(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]]
    ) -> NDArray[np.integer]:
        clones = (clone(self).set_params(**candidate) for candidate in candidates)
        return np.stack([ranker.fit(X, y).order_ for ranker in clones])

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features, in the order of the input's columns.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        X_selected : array or data frame of shape (n_samples, n_selected)
            The selected columns.
        """
        return super().transform(as_matrix(X))

    def _validated(self, X: Any, y: Any) -> tuple[Any, NDArray[np.intp] | None]:
        if self.supervised and y is None:
            raise DataError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: "
                "it is a supervised method and needs one class label a sample."
            )
        X = as_numbers(X)
        if not self.accepts_sparse:
            refuse_sparse(X, type(self).__name__)
        X = validate_data(
            self,
            X,
            accept_sparse=["csc", "csr"] if self.accepts_sparse else False,
            ensure_all_finite=False,
            ensure_min_samples=2,
        )
        self._n_selected = self._count_to_select(X.shape[1])
        codes = self._encoded(X, y) if self.supervised else None
        return X, codes

    def _encoded(self, X: Any, y: Any) -> NDArray[np.intp]:
        self.classes_, codes = encode_labels(y, X.shape[0])
        if not self.multiclass and len(self.classes_) > 2:
            raise DataError(
                f"Only binary classification is supported. {type(self).__name__} takes two "
                f"classes, but y has {len(self.classes_)}. Rank one class against the rest, "
                "or choose a method for several classes (see `featrank methods`)."
            )
        return codes

    def _names(self) -> NDArray[np.object_] | None:
        return getattr(self, "feature_names_in_", None)

    def _count_to_select(self, n_features: int) -> int:
        wanted = self.n_features_to_select
        if wanted is None:
            return n_features
        if not isinstance(wanted, Integral):
            # 0.29 of 100 is 29, though the product of the two floats is a little less.
            return max(1, int(wanted * n_features + 1e-9))
        if wanted > n_features:
            raise DataError(
                f"n_features_to_select={wanted} is more than the {n_features} features of X. "
                f"Give at most {n_features}, a fraction such as 0.1, or None for all of them."
            )
        return int(wanted)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.supervised
        tags.input_tags.sparse = self.accepts_sparse
        tags.input_tags.allow_nan = self.accepts_nan
        tags.non_deterministic = False
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_class = self.multiclass
        return tags


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
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> SummaryRanker:
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
            For each class a clone of this ranker, as if fitted to ``y == label``.
        """
        self._validate_params()
        first = clone(self)
        X, codes, _ = first._validated_weighted(X, y, None)
        vectors = first._gathered(X, codes, None, one_against_rest)
        return {
            name: first._for_class(X, codes == code, own)
            for code, (name, own) in enumerate(zip(first.classes_.tolist(), vectors, strict=True))
        }

    def _for_class(
        self, X: Any, members: NDArray[np.bool_], vectors: dict[str, Floats]
    ) -> SummaryRanker:
        """Return a ranker for one class against the rest, from what is known of the features."""
        ranker = clone(self)
        for name in ("n_features_in_", "feature_names_in_", "_n_selected"):
            if hasattr(self, name):
                setattr(ranker, name, getattr(self, name))
        ranker.classes_, codes = np.unique(members, return_inverse=True)
        ranker._tune(X, codes, None)
        ranker._ranked(ranker._combine(vectors))
        return ranker

    def _tune(self, X: Any, codes: NDArray[np.intp], weights: Floats | None) -> None:
        """Choose what ``fit`` chooses by itself, before the scores are made; here nothing."""

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

        def digest(columns: slice, summary: Summary) -> list[dict[str, Floats]]:
            self._require_usable(X, summary.moments)
            return [self._describe(view) for view in views(summary)]

        blocks = summarise_columns(
            X,
            Rows(y, len(self.classes_), weights),
            digest,
            n_bins=n_bins,
            binning=binning,
            n_jobs=self.n_jobs,
        )
        return [
            {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            for parts in zip(*blocks, strict=True)
        ]

    def _require_usable(self, X: Any, moments: Moments) -> None:
        """Look at the moments of X, which saves a pass over X itself."""
        seen = in_range(moments.low.min(), moments.high.max())  # these pass over NaN
        if not (seen and np.isfinite(moments.mean).all()):
            require_usable(X, self._names())


class GreedyRanker(Ranker):
    """Base of the methods that choose one feature after the other.

    The first ``n_features_to_select`` features rank in the order in which they are chosen, the
    rest after them by relevance. ``scores_`` agree: the relevance for the rest, and above it a
    step of one for each place before the last choice. ``featrank.rank`` and the command line
    choose ``default_top`` features, or as many as asked for; ``fit`` alone chooses all of them
    where ``n_features_to_select`` is None.

    Attributes
    ----------
    criterion_ : ndarray of shape (n_chosen,)
        The criterion's value at each choice, in the order of the choices.
    relevance_ : ndarray of shape (n_features,)
        Relevance of each feature alone.
    """

    default_top = 100

    def parts(self) -> dict[str, Floats]:
        """Return the relevance of each feature alone."""
        return {"relevance": self.relevance_}

    @abstractmethod
    def _choose(
        self, X: Any, y: NDArray[np.intp], count: int
    ) -> tuple[NDArray[np.integer], Floats, Floats]:
        """Return the chosen features in order, the criterion at each choice, all relevances."""

    def _score(self, X: Any, y: NDArray[np.intp] | None) -> Floats:
        assert y is not None
        chosen, self.criterion_, self.relevance_ = self._choose(X, y, self._n_selected)
        scores = np.array(self.relevance_, dtype=np.float64)
        steps = np.arange(len(chosen), 0, -1)
        scores[chosen] = np.max(scores, initial=0.0) + steps
        return scores


def name_of(ranker: Ranker) -> str:
    """Return the method's name; a ranker without one goes by its class."""
    return getattr(ranker, "name", None) or type(ranker).__name__


def _as_array(scores: Any) -> NDArray[Any]:
    try:
        return np.asarray(scores)
    except ValueError:  # lists of several lengths
        return np.array(None)


def _described(scores: Any, given: NDArray[Any]) -> str:
    kind = type(scores).__name__
    return kind if scores is None else f"{kind} of type {given.dtype}"


def best_first(scores: Floats) -> NDArray[np.int64]:
    """Indices by descending score; equal scores in ascending order of index.

    Examples
    --------
    >>> best_first(np.array([1.0, 3.0, 1.0, 2.0]))
    array([1, 3, 0, 2])
    """
    return kernels.argsort(-scores)
