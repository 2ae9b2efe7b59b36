"""Base class of every ranking method: validation, ranking, selection and names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import field
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import ClassifierTags, RegressorTags, Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from featrank import kernels
from featrank._utils.sklearn import StrOptions, fit_context, output_config
from featrank.base.cost import EstimatesCost
from featrank.base.parameters import HasParameters
from featrank.base.shown_values import ShownValues
from featrank.base.tuning import CV, Choice, Tunable, choose
from featrank.data.protocol import Data, Fold
from featrank.exceptions import DataError, MethodError, UsageError
from featrank.values.classes import encode_labels, labels_mark, numeric_vector
from featrank.values.containers import (
    as_matrix,
    as_numbers,
    is_anndata,
    refuse_sparse,
    require_size,
    without_names,
)
from featrank.values.numbers import label, require_usable

if TYPE_CHECKING:
    from featrank.data.matrix import Matrix

Floats = NDArray[np.float64]

# Number of features shown in a notebook.
SHOWN = 10
# Parameters that do not affect scores.
ASIDE = ("n_features_to_select", "n_jobs")
# What a method is based on. Tables of methods are grouped in this order.
FAMILIES = {
    "graph": "Graphs of features or samples",
    "statistics": "Statistics of single features",
    "information": "Information",
    "neighbours": "Neighbours",
    "margin": "Margins of linear SVMs",
    "sparse": "Sparse models",
    "wrapper": "Wrappers",
}
# A target holds class labels or numbers.
TASKS = ("classification", "regression")


class Ranker(HasParameters, EstimatesCost, SelectorMixin, BaseEstimator, ABC):
    """Base of every method: a scikit-learn estimator and selector.

    A method declares its properties as class attributes and computes one score per feature in
    ``_score``. This class does validation, ranking, selection and names.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Score of each feature as float64. Higher is better. A score is finite, or ``inf`` for a
        feature with perfect separation: constant within each class but not overall. The docstrings
        of methods that return ``inf`` say so.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, where 1 is best. Ties go to the lower index.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first.
    support_ : ndarray of shape (n_features,)
        True for the selected features.
    n_features_in_ : int
        Number of features seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if the input has string names.
    """

    name: ClassVar[str]
    # What it ranks by, in at most 26 characters, for tables of methods.
    purpose: ClassVar[str]
    kind: ClassVar[str] = "filter"
    # One of FAMILIES.
    family: ClassVar[str]
    supervised: ClassVar[bool] = True
    multiclass: ClassVar[bool] = True
    # Supported targets, of TASKS. A method that supports regression has a parameter ``task``.
    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    accepts_sparse: ClassVar[bool] = False
    accepts_nan: ClassVar[bool] = False
    stochastic: ClassVar[bool] = False
    # Whether a feature ranks lower if a better one has the same information.
    redundancy_aware: ClassVar[bool] = False
    # Whether the method chooses the number of features: n_features_to_select="auto".
    selects: ClassVar[bool] = False
    # Any of "shift", "scale" and "monotone": transforms of single features that do not change the
    # ranking, at the default parameters and up to rounding in X's type.
    invariances: ClassVar[frozenset[str]] = frozenset()
    complexity: ClassVar[str]
    published_complexity: ClassVar[str]
    reference: ClassVar[str]
    # The parameter that accepts "cv": ``fit`` chooses it by cross-validation.
    tunable: ClassVar[Tunable | None] = None
    # The default number of features of `featrank.rank`. None is all.
    default_top: ClassVar[int | None] = None

    def __init_subclass__(cls, **further: Any) -> None:
        super().__init_subclass__(**further)
        if cls.tunable is not None:
            accepted: Any = cls._parameter_constraints[cls.tunable.name]
            if not any(isinstance(each, StrOptions) and CV in each.options for each in accepted):
                cls._parameter_constraints[cls.tunable.name] = [*accepted, StrOptions({CV})]

    @property
    def _regresses(self) -> bool:
        """Whether the target is numeric."""
        return str(getattr(self, "task", "")) == "regression"  # any value may be set here

    @property
    def _tunes_itself(self) -> bool:
        """Whether ``fit`` chooses a parameter by cross-validation."""
        return self.tunable is not None and self.tunable.is_asked(self)

    def _self_tuned(self) -> dict[str, Any]:
        """Return the parameter that ``fit`` chose by cross-validation, with its value."""
        if self.tunable is None or not self._tunes_itself:
            return {}
        return {self.tunable.name: getattr(self, f"{self.tunable.name}_")}

    def _fold_groups(self, groups: Any) -> dict[str, Any]:
        """Return the keyword of ``fit`` that keeps groups together during tuning."""
        return {} if groups is None or not self._tunes_itself else {"groups": groups}

    def _untuned(self, **params: Any) -> Self:
        """Return a copy that scores without tuning its parameter first."""
        ranker = copy(self).set_params(**params)
        if self.tunable is not None:
            name = self.tunable.name
            value = self.tunable.fallback if ranker._tunes_itself else getattr(ranker, name)
            ranker.set_params(**{name: value})
            setattr(ranker, f"{name}_", value)
        return ranker

    def _count_fits(self) -> float:
        """Return the number of full fits that tuning and the last fit are equivalent to."""
        if self.tunable is None or not self._tunes_itself:
            return 1.0
        from featrank.data.folds import N_FOLDS

        return 1 + (N_FOLDS - 1) * len(self.tunable.grid(self))

    def score_components(self) -> dict[str, Floats]:
        """Return the components of the scores by name, as vectors with one value per feature.

        ``Ranking.to_frame(details=True)`` and ``featrank rank --details`` show them next to the
        scores.
        """
        return {}

    def shown_values(self) -> ShownValues:
        """Return the values that results show next to each feature: the scores, as a rule.

        Methods whose scores only encode an order return their criterion instead.
        """
        return ShownValues(self.scores_)

    def tuned_params(self) -> dict[str, Any]:
        """Return the tuned parameter and how clear the choice was, or nothing if not tuned.

        ``auc`` (or ``r2``) and ``standard_error`` are the cross-validated score of the choice.
        """
        choice: Choice | None = getattr(self, "_choice", None)
        return {} if choice is None else choice.facts(*self._choice_names())

    def notes(self) -> list[str]:
        """Return sentences about the fit to show next to its result."""
        choice: Choice | None = getattr(self, "_choice", None)
        notes = [] if choice is None else choice.notes(*self._choice_names(), self._meaning(choice))
        if self.selects:
            own, total = self._own_count(), len(self.scores_)
            notes.append(f"{self.name} itself keeps {own:,} of {total:,} features.")
        return notes

    def _meaning(self, choice: Choice) -> str:
        return "" if self.tunable is None else self.tunable.meaning(choice.value)

    def _choice_names(self) -> tuple[str, str]:
        assert self.tunable is not None
        return self.tunable.name, "r2" if self._regresses else "auc"

    def _checked_grid(self, values: Any) -> Any:
        """Return the values for tuning. A method may reject some."""
        return values

    n_features_to_select: int | float | str | None = field(default=None, kw_only=False)

    @abstractmethod
    def _score(self, X: Any, y: NDArray[Any] | None) -> Floats:
        """Return one score per feature, where higher is better.

        A score is finite, or ``inf`` for a feature with perfect separation. ``X`` is validated:
        real numbers without infinity, and without NaN unless ``accepts_nan``. ``y`` holds class
        codes 0 … n_classes - 1, float64 values for regression, or None for an unsupervised method.
        """

    def _own_count(self) -> int:
        """Return how many of the best features a method that ``selects`` keeps, after scoring."""
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, **unknown: Any) -> Ranker:
        """Rank the features of X.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
            The samples, sparse only if the method accepts it. An out-of-core dataset
            (:func:`featrank.sources.open_dataset`), a Dask collection, a lazy frame or a backed
            AnnData is loaded into memory if it fits.
        y : array-like of shape (n_samples,), or str
            Class labels of any type, or numbers with ``task="regression"``. Ignored by unsupervised
            methods. For an AnnData, also the name of an obs column.
        **unknown
            For an AnnData: ``layer`` or ``use_raw=True`` ranks a layer or raw instead of X. For
            datasets: ``memory``, ``missing``, ``engine`` and ``client``. See
            :class:`featrank.tables.options.ReadOptions`. Other keywords raise an error.

        Returns
        -------
        self : Ranker
            The fitted ranker.
        """
        groups = unknown.pop("groups", None) if self._tunes_itself else None
        return self._fit_to(X, y, unknown, groups=groups)

    def _fit_to(self, X: Any, y: Any, options: Mapping[str, Any], **rows: Any) -> Any:
        """Open the data and fit to it. Every public fit calls this."""
        from featrank.data.opening import open_data

        with open_data(self, X, y, options, **rows) as data:
            return self._fit(data)

    def _fit(self, data: Data) -> Ranker:
        if self.tunable is not None:
            self._settle(choose(self, data, self.tunable))
        return self._ranked(self._scores_of(data))

    def _settle(self, choice: Choice) -> None:
        """Store the value of the tunable parameter, and the values it was compared with."""
        assert self.tunable is not None
        self._choice = choice
        values = self.tunable.values if isinstance(self.tunable.values, str) else "cv_values"
        fitted = {f"{values}_": choice.values, "cv_scores_": choice.scores}
        for name, value in fitted.items():
            self.__dict__.pop(name, None)
            if value is not None:
                setattr(self, name, value)
        setattr(self, f"{self.tunable.name}_", choice.value)

    def _scores_of(self, data: Data) -> Floats:
        """Return one score per feature. Bases of methods that need less than X override this."""
        return self._score(data.matrix(), data.y)

    def _fold_orders(
        self, data: Data, fold: Fold, candidates: Sequence[Mapping[str, Any]], count: int
    ) -> NDArray[np.int64]:
        """Return the top features of a fold's training rows for each candidate."""
        X, y = data.matrix(), data.y
        return self.rank_candidates(X[fold[0]], y[fold[0]], candidates)[:, :count]

    def _matrix(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None) -> Matrix:
        """Return validated data in memory."""
        from featrank.data.matrix import Matrix

        X, codes = self._validated(X, y)
        require_usable(X, self._names(), accepts_nan=self.accepts_nan)
        self._require_memory(*X.shape)
        n_classes = 0 if codes is None or self._regresses else len(getattr(self, "classes_", ()))
        return Matrix(X, codes, n_classes, groups=groups)

    def _reject_unknown(self, keywords: Mapping[str, Any]) -> None:
        """Reject unsupported keywords.

        Weights and groups are not parameters of this ``fit``, so that its signature does not
        promise support.
        """
        if "sample_weight" in keywords:
            raise UsageError(
                f"{type(self).__name__} does not support sample_weight. Use a single-pass method, "
                "such as ec-fs, fisher or mi, or repeat the rows."
            )
        if "groups" in keywords:
            raise UsageError(
                f"{type(self).__name__} does not support groups, because this fit uses no "
                "cross-validation. Leave them out."
            )
        for name in keywords:
            raise TypeError(f"{type(self).__name__}.fit() got an unexpected keyword {name!r}")

    def reads_in_chunks(self, source: Any, y: Any = None, missing: str = "error") -> bool:
        """Whether ``fit`` reads a dataset in chunks instead of loading it into memory."""
        return False

    def _require_options(self, options: Any) -> None:
        """Reject options for reading in chunks that the method cannot use."""

    def _checkpoint_key(self, groups: Any = None) -> str:
        """Return a string of everything that the result depends on except the data."""
        asked = {name: value for name, value in self.get_params().items() if name != "n_jobs"}
        if groups is not None:
            asked["groups"] = labels_mark(groups)
        said = ", ".join(f"{name}={value!r}" for name, value in asked.items())
        return f"{type(self).__name__}({said})"

    def _set_fitted_shape(self, n_features: int, names: Sequence[str] | None) -> None:
        self.n_features_in_ = n_features
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            if len(names) != n_features:
                raise UsageError(
                    f"feature_names has {len(names)} names for {n_features} features. Pass one per "
                    "feature."
                )
            self.feature_names_in_ = np.asarray(names, dtype=object)
        self._n_selected = self._count_to_select(n_features)

    def _in_memory(self, X: Any, y: Any, options: Mapping[str, Any]) -> tuple[Any, Any]:
        """Load an AnnData or a dataset into memory."""
        from featrank.data.opening import load

        return load(self, X, y, options)

    def fit_per_class(self, X: Any, y: Any = None, **reading: Any) -> dict[Any, Ranker]:
        """Rank the features of X for each class against the rest.

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
        rankers : dict of label to Ranker
            For each class, a clone of this ranker fitted to ``y == label``.
        """
        X, y = self._in_memory(X, y, reading)
        classes, codes = self._classes_to_rank(y)
        members = (codes == code for code in range(len(classes)))
        return {name: clone(self).fit(X, own) for name, own in zip(classes, members, strict=True)}

    def _classes_to_rank(self, y: Any) -> tuple[list[Any], NDArray[np.intp]]:
        if not self.supervised:
            raise UsageError(
                f"{type(self).__name__} is unsupervised, so it cannot rank per class. Use a "
                "supervised method, such as ec-fs."
            )
        if self._regresses:
            raise UsageError(
                f"A ranking per class needs class labels, but {type(self).__name__} ranks for "
                'regression. Leave out `task="regression"` and bin the target with '
                "`featrank.bin_target(y, 3)`."
            )
        if y is None:
            raise DataError("A ranking per class needs y. Pass one class label per sample.")
        classes, codes = encode_labels(y, np.size(y))
        return classes.tolist(), codes

    def _ranked(self, scores: Floats) -> Ranker:
        self.scores_ = self._checked_scores(scores)
        self.order_ = best_first(self.scores_)
        self.ranking_ = kernels.places(self.order_)
        if self.n_features_to_select == "auto":
            self._n_selected = self._own_count()
        self.support_ = self.ranking_ <= self._n_selected
        return self

    def _checked_scores(self, scores: Any) -> Floats:
        """Return the scores of a method as float64, or raise an error if they are invalid."""
        method, n_features = f"{type(self).__name__}._score", self.n_features_in_
        given = _as_array(scores)
        if given.dtype.kind not in "biuf":
            raise MethodError(
                f"{method} must return one real number per feature, but returned "
                f"{_describe_type(scores, given)}. Return an array of floats."
            )
        if given.shape != (n_features,):
            raise MethodError(
                f"{method} must return one score per feature: expected shape ({n_features},), "
                f"got {given.shape}."
            )
        checked = given.astype(np.float64, copy=False)
        if not checked.min() > -np.inf:  # also finds NaN
            bad = np.flatnonzero(~(checked > -np.inf))
            raise MethodError(
                f"{method} returned NaN or -inf for {len(bad)} of {n_features} features, first for "
                f"{label(bad[0], self._names())}. Return finite scores, or inf for a feature with "
                "perfect separation."
            )
        return checked

    def rank_candidates(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]], groups: Any = None
    ) -> NDArray[np.int64]:
        """Rank the features for each of several parameter settings.

        Some methods need fewer passes over the data than there are settings. The ranker itself is
        neither fitted nor changed.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,), str or None
            Class labels of any type. Ignored by unsupervised methods. For an AnnData, also the name
            of an obs column.
        candidates : sequence of mappings
            Names and values of parameters. Other parameters keep their values in this ranker.
        groups : array-like of shape (n_samples,), optional
            Rows of the same group stay together in the folds of candidates with "cv".

        Returns
        -------
        orders : ndarray of shape (len(candidates), n_features)
            Row k is the ``order_`` of a clone fitted with ``candidates[k]``.

        Examples
        --------
        >>> from featrank import MRMR
        >>> from sklearn.datasets import load_iris
        >>> X, y = load_iris(return_X_y=True)
        >>> MRMR().rank_candidates(X, y, [{"criterion": "mid"}, {"criterion": "fcq"}])
        array([[3, 2, 1, 0],
               [2, 3, 0, 1]])
        """
        from featrank.base.candidates import require_orders, shortcut_holds

        settings = list(candidates)
        X, y = self._in_memory(X, y, {})
        if not settings:
            return np.empty((0, np.shape(X)[1]), dtype=np.int64)
        if groups is None and shortcut_holds(type(self)):
            orders = np.asarray(self._rank_candidates(X, y, settings))
        else:
            orders = np.asarray(self._rank_clones(X, y, settings, groups))
        require_orders(orders, (len(settings), np.shape(X)[1]), type(self).__name__)
        return orders.astype(np.int64, copy=False)

    def _rank_candidates(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]]
    ) -> NDArray[np.integer]:
        """Implement ``rank_candidates``. Methods override this to share work."""
        return self._rank_clones(X, y, candidates)

    def _rank_clones(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]], groups: Any = None
    ) -> NDArray[np.integer]:
        clones = (clone(self).set_params(**candidate) for candidate in candidates)
        return np.stack([one.fit(X, y, **one._fold_groups(groups)).order_ for one in clones])

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features, in the order of the input's columns.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix or AnnData of shape (n_samples, n_features)
            The samples. An AnnData needs the ``var_names`` that were fitted, in X or in raw.

        Returns
        -------
        X_selected : array, data frame or AnnData of shape (n_samples, n_selected)
            The selected columns. An AnnData keeps its obs, layers and everything else. If only raw
            has the fitted genes, raw becomes X, without layers. A backed AnnData returns a view,
            and a view of a backed one is loaded into memory.
        """
        if is_anndata(X):
            return self._subset(X)
        return super().transform(as_matrix(X))

    def _subset(self, adata: Any) -> Any:
        """Return an AnnData of the selected features. Names must be those seen in ``fit``."""
        import pandas as pd

        check_is_fitted(self)
        wanted = output_config("transform", self)["dense"]
        if wanted != "default":
            raise UsageError(
                f"The output is set to {wanted} frames, but the output for an AnnData is an "
                'AnnData. Use `set_output(transform="default")`.'
            )
        if self._fitted_to_raw(adata):
            adata = adata.raw.to_adata()
        names = pd.DataFrame(columns=adata.var_names.astype(object))
        validate_data(self, names, reset=False, skip_check_array=True)
        if adata.isbacked and adata.is_view:  # which has no views
            adata = adata.to_memory()
        kept = adata[:, self.get_support()]
        return kept if adata.isbacked else kept.copy()

    def _fitted_to_raw(self, adata: Any) -> bool:
        """Whether the fitted features are the genes of raw and not those of X."""
        if adata.raw is None or not hasattr(self, "feature_names_in_"):
            return False
        fitted = self.feature_names_in_.tolist()
        return adata.var_names.tolist() != fitted and adata.raw.var_names.tolist() == fitted

    def _validated(self, X: Any, y: Any) -> tuple[Any, NDArray[Any] | None]:
        needs_target = self.supervised or self._tunes_itself
        if needs_target and y is None:
            why = "it is a supervised method"
            if not self.supervised and self.tunable is not None:
                why = f"{self.tunable.name}='cv' evaluates rankings"
            raise DataError(
                f"{type(self).__name__} requires y to be passed, but the target y is None: "
                f"{why} and needs one label per sample."
            )
        X, names = without_names(X)
        X = as_numbers(X)
        if not self.accepts_sparse:
            refuse_sparse(X, type(self).__name__)
        require_size(X, 2, type(self).__name__)
        X = validate_data(
            self,
            X,
            accept_sparse=["csc", "csr"] if self.accepts_sparse else False,
            ensure_all_finite=False,
            ensure_min_samples=2,
        )
        if names is not None:
            self.feature_names_in_ = names
        self._n_selected = self._count_to_select(X.shape[1])
        return X, self._target(X, y) if needs_target else None

    def _target(self, X: Any, y: Any) -> NDArray[Any]:
        """Return class codes, or the regression target."""
        if not self._regresses:
            return self._encoded(X, y)
        self.__dict__.pop("classes_", None)  # of an earlier fit
        return numeric_vector(y, X.shape[0])

    def _encoded(self, X: Any, y: Any) -> NDArray[np.intp]:
        self.classes_, codes = encode_labels(y, X.shape[0])
        if not self.multiclass and len(self.classes_) > 2:
            raise DataError(
                f"Only binary classification is supported. {type(self).__name__} needs two "
                f"classes, but y has {len(self.classes_)}. Rank one class against the rest, or use "
                "a method for several classes."
            )
        return codes

    def _names(self) -> NDArray[np.object_] | None:
        return getattr(self, "feature_names_in_", None)

    def _count_to_select(self, n_features: int) -> int:
        wanted = self.n_features_to_select
        if wanted is None:
            return n_features
        if isinstance(wanted, str):
            self.require_own_count()
            return n_features  # until the method has chosen the number
        if not isinstance(wanted, Integral):
            # 0.29 of 100 is 29, though the product of the floats is slightly less, and that of a
            # float32 much less.
            return max(1, int(float(str(wanted)) * n_features + 1e-9))
        if wanted > n_features:
            raise DataError(
                f"n_features_to_select={wanted} is more than the {n_features} features of X. Use "
                f"at most {n_features}."
            )
        return int(wanted)

    def require_own_count(self) -> None:
        """Raise an error unless the method chooses the number of features itself."""
        if not self.selects:
            from featrank._utils.method_lists import SELECT

            raise UsageError(
                f"{type(self).__name__} cannot choose the number of features. Use "
                f"`n_features_to_select=20`, or a method that can: {', '.join(SELECT)}."
            )

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """Return scikit-learn's diagram for notebooks, with the best features if fitted."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += self._best_html()
        return bundle

    def _repr_html_inner(self) -> str:
        """Return the same for callers of ``_repr_html_``."""
        return str(super()._repr_html_inner()) + self._best_html()

    def _best_html(self) -> str:
        if not hasattr(self, "order_"):
            return ""
        from featrank._utils.notebook import best_features

        known, shown = self._names(), self.shown_values()
        best = self.order_[:SHOWN]
        names = [f"x{j}" if known is None else str(known[j]) for j in best.tolist()]
        title = f"The best {len(best)} of {len(self.order_)} features"
        return best_features(title, shown.cells(names, best), shown.bar_values(best))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.supervised
        tags.input_tags.sparse = self.accepts_sparse
        tags.input_tags.allow_nan = self.accepts_nan
        tags.non_deterministic = False
        if self._regresses:
            tags.regressor_tags = RegressorTags()
        elif self.supervised:
            tags.classifier_tags = ClassifierTags(multi_class=self.multiclass)
        return tags


def name_of(ranker: Ranker) -> str:
    """Return the method's name, or the class name of a ranker without one."""
    return getattr(ranker, "name", None) or type(ranker).__name__


def settings_of(ranker: Ranker) -> dict[str, Any]:
    """Return the parameters that affect the scores."""
    return {name: value for name, value in ranker.get_params().items() if name not in ASIDE}


def _as_array(scores: Any) -> NDArray[Any]:
    try:
        return np.asarray(scores)
    except ValueError:  # lists of different lengths
        return np.array(None)


def _describe_type(scores: Any, given: NDArray[Any]) -> str:
    kind = type(scores).__name__
    return kind if scores is None else f"{kind} of type {given.dtype}"


def best_first(scores: Floats) -> NDArray[np.int64]:
    """Return indices by descending score, with ties in ascending order of index.

    Examples
    --------
    >>> best_first(np.array([1.0, 3.0, 1.0, 2.0]))
    array([1, 3, 0, 2])
    """
    return kernels.argsort(-scores)
