"""EC-FS: features ranked by eigenvector centrality in a graph of relevance and spread."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from featrank import kernels
from featrank._utils.sklearn import Interval, StrOptions, fit_context
from featrank.base.ranker import TASKS, Floats, best_first
from featrank.base.summary import TARGET_BINS, SummaryRanker
from featrank.data.annotated import obs_labels, samples_of
from featrank.data.opening import Reading, is_source
from featrank.data.passes import Found
from featrank.data.reader import Reader
from featrank.data.row_labels import KnownLabels, RowLabels, all_labels, small_codes
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.graph import Graph
from featrank.rankers.ec_fs_folds import (
    FOLDS,
    folds_of,
    inside,
    judged_in_parts,
    on_each,
    quantity_folds,
    strata_for_folds,
)
from featrank.rankers.ec_fs_graph import Terms, graph_of
from featrank.solvers.evaluate_orders import MOST_FEATURES, judged
from featrank.solvers.one_standard_error import (
    ALIKE,
    Fold,
    at_best_setting,
    choice,
    choice_sentence,
    last_within_one_error,
)
from featrank.sources import Source
from featrank.summaries import Digest, Location, fisher_score, mutual_information, spreads
from featrank.summaries.one_vs_rest import one_against_rest

ALPHAS = tuple(step / 10 for step in range(11))
# Where folds cannot be cut: relevance alone, which needs no choice.
WITHOUT_FOLDS = 1.0
NO_FOLDS = (
    "alpha cannot be chosen by cross-validation: a class has a single member, or the groups leave "
    "no two folds with all classes on one side and two on the other. "
    f"alpha={WITHOUT_FOLDS:g}, relevance alone, is taken; give alpha a number to choose it "
    "yourself."
)
NO_QUANTITY_FOLDS = (
    "alpha cannot be chosen by cross-validation: the target does not vary on both sides of two "
    f"folds. alpha={WITHOUT_FOLDS:g}, relevance alone, is taken; give alpha a number to choose it "
    "yourself."
)
NO_SECOND_LOOK = (
    "alpha cannot be chosen by cross-validation from data that is read once. "
    f"alpha={WITHOUT_FOLDS:g}, relevance alone, is taken; give alpha a number to choose it "
    "yourself."
)
NO_ROWS = (
    "alpha cannot be chosen by cross-validation from a summary, which holds no rows. "
    f"alpha={WITHOUT_FOLDS:g}, relevance alone, is taken; give alpha a number to choose it "
    "yourself."
)
# Parameters that a pass over the data does not read.
OF_ALPHA = ("alpha", "alphas", "random_state")
# Numbers of features that "cv" judges by, up to the one that is asked for. That one alone would
# say nothing of the order, and people read a list from its head.
COUNTS = (1, 5, 20, 50)


class ECFS(SummaryRanker):
    r"""Rank features by eigenvector centrality: relevance and spread on one graph.

    .. math::
        A = \alpha\, k + (1 - \alpha)\, \Sigma, \qquad
        k_{ij} = f_i m_j, \qquad \Sigma_{ij} = \max(\sigma_i, \sigma_j)

    where f is the Fisher score, m the mutual information with the class and σ the standard
    deviation, each scaled to [0, 1] over the features. The scores are the eigenvector of A's
    largest eigenvalue. A is never built: f·mᵀ has rank one, and with the features sorted by σ
    a product with Σ is two running sums, so the whole costs O(Tn + n log n) time and O(n)
    memory.

    For a quantity f is the absolute correlation of feature and target, and m the mutual
    information with the target's bins.

    A constant feature scores 0 and comes last. A feature that separates the classes exactly (no
    spread within classes) has relevance 1, above every finite one, and for ``alpha > 0`` comes
    before all others, which is the limit of the model as its Fisher score grows. Copies of a
    feature get bit-equal scores.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    alpha : float or "cv", default="cv"
        Weight of relevance against spread, in [0, 1]. "cv" chooses it from ``alphas`` by
        cross-validation inside the rows given, as the paper does: 5 folds by class (fewer where
        a class has fewer members), ranked anew in each, judged by the AUC of a linear SVM on the
        best ``n_features_to_select`` features (200 at most; the largest of 1, 5, 20 and 50 within
        half of the features if it is beyond that half), or by the mean over the best 1, 5, 20
        and 50 if that is None; of many rows 1,000 train and 4,000 judge. Of the values that cannot
        be told from the best one, by one standard error of the difference over the folds, but by
        one point of AUC at least, the largest is taken. If the mean over 1, 5, 20 and 50, as far as
        they are fewer, and the number asked for speaks for a larger one, that is taken: the head of
        the list counts, too. Where a class has a single member alpha is 1, with a warning. For a
        quantity it is R² of a ridge regression in the place of the SVM's AUC.
    alphas : sequence of float, default=(0, 0.1, …, 1)
        What "cv" chooses from.
    kernel : {"product", "symmetric", "toolbox"}, default="product"
        "product" is the published f·mᵀ; "symmetric" is (f·mᵀ + m·fᵀ)/2, an undirected graph;
        "toolbox" is what the authors' MATLAB toolbox computes: v·vᵀ for v = (f + m)/2 with
        unscaled f and m = 2·MI/(H(x) + H(y)), scaled to [0, 1] as a matrix.
    normalize : {"l1", None}, default="l1"
        "l1" divides each feature by its sum of absolute values before σ is taken, which frees
        the ranking of the features' units; None takes σ as it is. Standardised features, whose
        deviations are all equal, have no spread to compare: relevance alone ranks them.
    bins : int or "auto", default="auto"
        Bins for the mutual information; "auto" is 20 for more than 200 samples, else a tenth
        of the samples, at least 10.
    binning : {"width", "quantile"}, default="width"
        Bins of equal width, or of about equal content.
    task : {"classification", "regression"}, default="classification"
        Whether the target names classes or is a quantity.
    target_bins : int or "auto", default="auto"
        Bins of a target that is a quantity, of about equal content; "auto" is a twentieth of the
        samples, 3 to 10.
    tol : float, default=1e-12
        Largest relative residual of the eigenvector.
    random_state : int, RandomState instance or None, default=0
        Draws the folds of "cv".
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    alpha_ : float
        The weight that the scores are for.
    alphas_ : ndarray of shape (n_alphas,)
        With "cv": the values that were tried, ascending.
    cv_scores_ : ndarray of shape (n_alphas, n_folds)
        With "cv": the AUC, or R², of each value in each fold, for ``n_features_to_select``
        features or as many as judge in their place, or the mean over some numbers if that is
        None.
    fisher_, information_, spread_ : ndarray of shape (n_features,)
        f, m and σ as they enter the graph.
    eigenvalue_ : float
        The largest eigenvalue of A.
    n_iter_ : int
        Products with A that the eigenvector took.

    References
    ----------
    .. [1] G. Roffo and S. Melzi, "Ranking to learn: feature ranking and selection via
       eigenvector centrality", New Frontiers in Mining Complex Patterns (2017).

    Examples
    --------
    >>> from featrank import ECFS
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> ranker = ECFS(n_features_to_select=3).fit(X, y)
    >>> ranker.get_feature_names_out().tolist()
    ['mean concave points', 'worst perimeter', 'worst concave points']
    """

    name = "ec-fs"
    family = "graph"
    invariances = frozenset({"scale"})
    complexity = "O(Tn + n log n)"
    published_complexity = "O(Tn + n²)"
    reference = "Roffo and Melzi 2017"
    stochastic = True
    tasks = TASKS
    tunable: ClassVar = {"alpha": ALPHAS}

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SummaryRanker._parameter_constraints,
        "alpha": [StrOptions({"cv"}), Interval(Real, 0, 1, closed="both")],
        "alphas": ["array-like"],
        "kernel": [StrOptions({"product", "symmetric", "toolbox"})],
        "normalize": [StrOptions({"l1"}), None],
        "bins": [StrOptions({"auto"}), Interval(Integral, 2, 2**15, closed="both")],
        "binning": [StrOptions({"width", "quantile"})],
        "task": [StrOptions(set(TASKS))],
        "target_bins": TARGET_BINS,
        "tol": [Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        alpha: float | str = "cv",
        alphas: Sequence[float] = ALPHAS,
        kernel: str = "product",
        normalize: str | None = "l1",
        bins: int | str = "auto",
        binning: str = "width",
        task: str = "classification",
        target_bins: int | str = "auto",
        tol: float = 1e-12,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ):
        self.n_features_to_select = n_features_to_select
        self.alpha = alpha
        self.alphas = alphas
        self.kernel = kernel
        self.normalize = normalize
        self.bins = bins
        self.binning = binning
        self.task = task
        self.target_bins = target_bins
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def tunes_itself(self) -> bool:
        """Whether ``fit`` chooses alpha by cross-validation."""
        return self.alpha == "cv"

    def to_tune(self) -> Mapping[str, Sequence[Any]]:
        """Return the values of alpha to choose from; nothing where alpha is given."""
        return {"alpha": tuple(self.alphas)} if self.tunes_itself else {}

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self, X: Any, y: Any = None, sample_weight: Any = None, groups: Any = None, **reading: Any
    ) -> ECFS:
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
            one of weight 0 as none; the folds of "cv" are cut by rows, and its SVMs count rows.
        groups : array-like of shape (n_samples,), optional
            Rows of one group stay together in the folds of "cv". For an AnnData, also the name
            of a column of obs.
        **reading
            For an AnnData: ``layer`` or ``use_raw=True`` rank a layer or raw in the place of X.
            For sources: ``memory``, ``missing``, ``engine``, ``client``, ``checkpoint`` and
            ``ranges``, as :class:`featrank.data.opening.Reading` explains them.

        Returns
        -------
        self : ECFS
            The fitted ranker.
        """
        groups = obs_labels(X, groups)
        X, y, reading = samples_of(X, y, reading)
        if is_source(X) and not self.regresses:
            return self._fit_source(X, y, reading, sample_weight=sample_weight, groups=groups)
        X, y = self._in_memory(X, y, reading)
        X, codes, weights = self._validated_weighted(X, y, sample_weight)
        self._tune(X, codes, weights, groups)
        return self._ranked(self._score(X, codes, weights))

    def _tune(
        self, X: Any, codes: NDArray[np.intp], weights: Floats | None, groups: Any = None
    ) -> None:
        if self.alpha == "cv":
            self.alpha_ = self._choose_alpha(X, codes, weights, groups)
            return
        self.alpha_ = float(self.alpha)
        for name in ("alphas_", "cv_scores_"):
            self.__dict__.pop(name, None)

    def _tune_without_rows(self) -> None:
        self.__dict__.pop("alphas_", None)
        self.__dict__.pop("cv_scores_", None)
        self.alpha_ = WITHOUT_FOLDS if self.alpha == "cv" else float(self.alpha)

    def _views(
        self, source: Source, y: Any, options: Reading, reader: Reader, **further: Any
    ) -> tuple[RowLabels, list[Fold] | None]:
        """Return labels for all rows and for the training rows of each fold of "cv"."""
        labels, _ = super()._views(source, y, options, reader)
        if self.alpha != "cv" or options.ranges is not None or not source.again:
            return labels, None
        known = labels if isinstance(labels, KnownLabels) else all_labels(source, reader)
        codes = known.codes[0].astype(np.intp)
        folds = folds_of(codes, None, further.get("groups"), self.random_state)
        views = [known.codes[0], *(inside(codes, fold) for fold in folds)]
        return known.viewed([small_codes(view, len(known.classes)) for view in views]), folds

    def _tune_source(
        self,
        source: Source,
        labels: RowLabels,
        folds: list[Fold] | None,
        found: Found,
        reader: Reader,
    ) -> None:
        if folds is None or not isinstance(labels, KnownLabels):
            self._tune_without_rows()
            if self.alpha == "cv":
                warnings.warn(NO_SECOND_LOOK, FeatrankWarning, stacklevel=4)
            return
        if not folds:
            warnings.warn(NO_FOLDS, FeatrankWarning, stacklevel=4)
        asked = [self._orders_to_judge(one, source.shape[1]) for one in found.vectors[1:]]
        self.alpha_ = self._best_alpha(
            judged_in_parts(source, labels, folds, asked, reader, self.n_jobs)
        )

    def _choose_alpha(
        self, X: Any, codes: NDArray[Any], weights: Floats | None, groups: Any
    ) -> float:
        strata = strata_for_folds(codes, weights) if self.regresses else None
        folds = (
            folds_of(codes, weights, groups, self.random_state)
            if strata is None
            else quantity_folds(codes, strata, weights, groups, self.random_state)
        )
        if not folds:
            told = NO_FOLDS if strata is None else NO_QUANTITY_FOLDS
            warnings.warn(told, FeatrankWarning, stacklevel=5)

        def work(number: int) -> Floats:
            fold = folds[number]
            vectors = self._vectors(X, inside(codes, fold), weights)
            return self._judged(X, codes, fold, vectors, strata)

        return self._best_alpha(on_each(work, len(folds), self.n_jobs))

    def _tune_classes(
        self, rankers: Sequence[SummaryRanker], X: Any, codes: NDArray[np.intp]
    ) -> None:
        # Small classes would make the folds of all of them few.
        if self.alpha != "cv" or np.bincount(codes).min() < FOLDS:
            super()._tune_classes(rankers, X, codes)
            return
        folds = folds_of(codes, None, None, self.random_state)

        def work(number: int) -> list[Floats]:
            fold = folds[number]
            each = self._gathered(X, inside(codes, fold), None, one_against_rest)
            return [
                self._judged(X, (codes == code).astype(np.intp), fold, vectors)
                for code, vectors in enumerate(each)
            ]

        scores = on_each(work, len(folds), self.n_jobs)
        for code, ranker in enumerate(rankers):
            ranker.alpha_ = ranker._best_alpha([fold[code] for fold in scores])

    def _judged(
        self,
        X: Any,
        y: NDArray[Any],
        fold: Fold,
        vectors: dict[str, Floats],
        strata: NDArray[np.intp] | None = None,
    ) -> Floats:
        """Return the AUC, or R², of each alpha in a fold, by number of features, alpha and C."""
        orders, ks = self._orders_to_judge(vectors, X.shape[1])
        return judged(X, y, fold, orders, ks, strata)

    def _orders_to_judge(
        self, vectors: dict[str, Floats], n_features: int
    ) -> tuple[NDArray[np.int64], list[int]]:
        """Return the best features by each alpha, and how many of them to judge by."""
        ks = self._counts_to_judge(n_features)
        terms = Terms(vectors, self.kernel)
        alphas = _checked_alphas(self.alphas)
        return np.array([terms.best(alpha, ks[-1]) for alpha in alphas]), ks

    def _best_alpha(self, folds: Sequence[Floats]) -> float:
        """Keep the scores of all folds, and return the alpha that they speak for."""
        self.alphas_ = _checked_alphas(self.alphas)
        if not folds:
            self.cv_scores_ = np.empty((len(self.alphas_), 0))
            return WITHOUT_FOLDS
        by_count = at_best_setting(np.array(folds))[0]
        mean = by_count.mean(axis=1)
        scores = mean if self.n_features_to_select is None else by_count[:, -1]
        self.cv_scores_ = scores.T.copy()
        # Spread gets weight where both the set and the mean speak for it: the set does not see
        # what its head is, and the judges of one feature err much.
        places = [last_within_one_error(one, ALIKE) for one in (scores, mean)]
        return float(self.alphas_[max(places)])

    def _counts_to_judge(self, n_features: int) -> list[int]:
        asked = COUNTS[-1]
        if self.n_features_to_select is not None:
            asked = min(self._n_selected, MOST_FEATURES)
        # All features tell nothing of their order, and nearly all of them little.
        most = min(asked, n_features / 2)
        return [count for count in sorted({*COUNTS, asked}) if count <= most] or [1]

    def _describe(self, digest: Digest) -> dict[str, Floats]:
        moments = digest.moments
        return {
            **spreads(moments, self.normalize),
            **(
                Location.of(moments)._asdict()
                if self.regresses
                else {"fisher": fisher_score(moments)}
            ),
            "information": mutual_information(digest, normalized=self.kernel == "toolbox"),
        }

    def _of_correlation(self, r: Floats) -> dict[str, Floats]:
        return {"fisher": np.abs(r)}

    def _combine(self, vectors: dict[str, Floats]) -> Floats:
        terms = Terms(vectors, self.kernel)
        self.fisher_, self.information_, self.spread_ = terms.vectors
        self._kernel = self.kernel
        scores, centrality = terms.scores(self.alpha_, self.tol)
        self.eigenvalue_, self.n_iter_ = centrality.eigenvalue, centrality.n_iter
        return scores

    def parts(self) -> dict[str, Floats]:
        """Return f, m and σ as they enter the graph; for a quantity f is a correlation."""
        first = "correlation" if self.regresses else "fisher"
        return {first: self.fisher_, "information": self.information_, "spread": self.spread_}

    def chosen(self) -> dict[str, Any]:
        """Return alpha and the AUC, or R², that it was chosen by; empty where alpha was given."""
        scores = getattr(self, "cv_scores_", None)
        if scores is None or np.isnan(scores).all():
            return {}
        metric = "r2" if self.regresses else "auc"
        return choice("alpha", self.alphas_, scores.T, self.alpha_, metric)

    def remarks(self) -> list[str]:
        """Return a sentence on the choice of alpha; nothing where alpha was given."""
        facts = self.chosen()
        if not facts and self.tunes_itself and not hasattr(self, "cv_scores_"):
            return [NO_ROWS]
        return [choice_sentence("alpha", facts)] if facts else []

    @property
    def graph_(self) -> Graph:
        """The graph of the fitted ranker, features in the order of X's columns."""
        # Of the parameters that were fitted, whatever has been set since.
        return graph_of(self.fisher_, self.information_, self.spread_, self.alpha_, self._kernel)

    def alpha_path(self, X: Any, y: Any, alphas: Sequence[float]) -> NDArray[np.int64]:
        """Rank the features for each of many values of alpha, from one pass over the data.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,)
            Class labels.
        alphas : sequence of float
            Values in [0, 1]. The ranker's own ``alpha`` is not used.

        Returns
        -------
        rankings : ndarray of shape (len(alphas), n_features)
            Row k is the ``ranking_`` of a fit with ``alpha=alphas[k]``.
        """
        _require_shares(alphas)
        rankings = self.rank_candidates(X, y, [{"alpha": alpha} for alpha in alphas])
        for row in rankings:
            row[:] = kernels.places(row)
        return rankings

    def _rank_candidates(
        self, X: Any, y: Any, candidates: Sequence[Mapping[str, Any]]
    ) -> NDArray[np.int64]:
        rankers = [clone(self).set_params(**candidate) for candidate in candidates]
        for ranker in rankers:
            ranker._validate_params()
        orders: dict[int, NDArray[np.int64]] = {}
        for places in _alike(rankers):
            first = rankers[places[0]]
            if first.alpha == "cv":
                orders.update((place, rankers[place].fit(X, y).order_) for place in places)
                continue
            terms = Terms(first._vectors(*first._validated(X, y)), first.kernel)
            for place in places:
                orders[place] = best_first(terms.scores(rankers[place].alpha, first.tol)[0])
        return np.stack([orders[place] for place in range(len(rankers))])


def _alike(rankers: Sequence[ECFS]) -> list[list[int]]:
    """Return the places of the rankers, those together that differ in a given alpha alone."""
    groups: list[tuple[dict[str, Any], list[int]]] = []
    for place, ranker in enumerate(rankers):
        params = ranker.get_params()
        # Of no concern to an alpha that is a number.
        others = {name: params[name] for name in params if name not in OF_ALPHA}
        others["cv"] = ranker.alpha == "cv"
        for known, places in groups:
            if known == others:
                places.append(place)
                break
        else:
            groups.append((others, [place]))
    return [places for _, places in groups]


def _checked_alphas(alphas: Sequence[float]) -> Floats:
    _require_shares(alphas)
    if len(alphas) == 0:
        raise UsageError(
            "alphas is empty: alpha='cv' needs values to choose from, such as (0.5, 1)."
        )
    return np.unique(np.asarray(alphas, dtype=np.float64))


def _require_shares(alphas: Sequence[float]) -> None:
    if np.ndim(alphas) != 1 or not all(0 <= alpha <= 1 for alpha in alphas):
        raise UsageError(f"alphas must lie in [0, 1], got {list(alphas)}.")
