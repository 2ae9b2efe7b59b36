"""FDRSelector: select the features that can be claimed at a false discovery rate."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, get_tags
from sklearn.utils.validation import check_is_fitted

from featrank._utils.sklearn import Interval, StrOptions, fit_context
from featrank.base.selectors import as_ranker
from featrank.data.opening import open_data
from featrank.error_control.draws import TIME_BUDGET, control_fdr, require_target
from featrank.exceptions import UsageError
from featrank.values.containers import as_matrix


class FDRSelector(SelectorMixin, MetaEstimatorMixin, BaseEstimator):
    r"""Select the features that can be claimed at a false discovery rate.

    The ranker ranks the features next to decoys: the same features with their rows in another
    order. Decoys have the values of the features, and the correlations among them, but no
    information on the target. They show how many features without information would rank as high
    as each feature. This is repeated for several draws of decoys. Only ranks are used, so any
    ranker will do.

    A false feature carries no information on the target, as the ranker sees it. The feature is not
    compared with other features: a feature that duplicates a true one is not false.

    Parameters
    ----------
    ranker : Ranker, str, estimator or callable
        A ranker, the name of a method, or what :class:`featrank.SelectorRanker` accepts: a selector
        of another package, or a function of X and y that returns one score per feature.
    fdr : float, default=0.1
        The level: the expected share of false features in the list is at most this.
    n_draws : int or "auto", default="auto"
        Number of draws of decoys. "auto" is between 20 and 50, by ``time_budget``. The run stops
        after 10, 20, … draws if no feature is in a list at level 0.5.
    time_budget : float, default=3.0
        Seconds on one quiet core that "auto" may take, for draws and for up to 5 subsets of the
        rows in each. The cost of each method was measured once, so both numbers depend on the
        method and the shape of X, not on the speed of the computer.
    random_state : int, default=0
        Seed of the decoys.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    q_values_ : ndarray of shape (n_features,)
        The smallest level at which each feature is in the list.
    support_ : ndarray of shape (n_features,)
        True for the features in the list at level ``fdr``.
    control_ : FDRControl
        The whole result: the expected number of false features, the smallest level at which
        something can be claimed, and a sentence about it.
    n_features_in_ : int
        Number of features seen by ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, if the input has string names.

    See Also
    --------
    featrank.error_control.run_gauntlet : Measures the false discovery rate on your own data.

    Notes
    -----
    Read more in docs/error-control.md.

    Examples
    --------
    >>> from featrank.error_control import FDRSelector
    >>> from sklearn.datasets import make_classification
    >>> X, y = make_classification(
    ...     200, 100, n_informative=5, n_redundant=0, shuffle=False, random_state=0
    ... )
    >>> selector = FDRSelector("fisher", fdr=0.1).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 1, 2, 4])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fdr": [Interval(Real, 0, 1, closed="neither")],
        "n_draws": [Interval(Integral, 2, None, closed="left"), StrOptions({"auto"})],
        "time_budget": [Interval(Real, 0, None, closed="neither")],
        "random_state": [Interval(Integral, 0, None, closed="left")],
        "n_jobs": [None, Integral],
    }

    def __init__(
        self,
        ranker: Any,
        fdr: float = 0.1,
        *,
        n_draws: int | str = "auto",
        time_budget: float = TIME_BUDGET,
        random_state: int = 0,
        n_jobs: int | None = None,
    ):
        self.ranker = ranker
        self.fdr = fdr
        self.n_draws = n_draws
        self.time_budget = time_budget
        self.random_state = random_state
        self.n_jobs = n_jobs

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, groups: Any = None, **reading: Any) -> FDRSelector:
        """Estimate the false discovery rates.

        Parameters
        ----------
        X : array-like, data frame, sparse matrix, AnnData or dataset (n_samples, n_features)
            The samples. Single-pass methods read out-of-core data in chunks.
        y : array-like of shape (n_samples,), or str
            Class labels, or numbers for a ranker with ``task="regression"``.
        groups : array-like of shape (n_samples,), optional
            Rows that belong together, such as those of one patient. Decoys permute whole groups.
        **reading
            As for the ranker's ``fit``.

        Returns
        -------
        self : FDRSelector
            The fitted selector.
        """
        ranker = clone(as_ranker(self.ranker))
        require_target(ranker)
        if reading.get("checkpoint") is not None:
            raise UsageError("`fdr` does not support `checkpoint`. Leave it out.")
        rows = {} if groups is None else {"groups": groups}
        with open_data(ranker, X, y, reading, **rows) as data:
            self.control_ = control_fdr(
                ranker,
                data,
                self.fdr,
                n_draws=None if isinstance(self.n_draws, str) else int(self.n_draws),
                time_budget=self.time_budget,
                random_state=self.random_state,
                n_jobs=self.n_jobs,
            )
        self.q_values_, self.support_ = self.control_.q_values, self.control_.support
        self.__dict__.pop("feature_names_in_", None)
        self.n_features_in_ = ranker.n_features_in_
        if hasattr(ranker, "feature_names_in_"):
            self.feature_names_in_ = ranker.feature_names_in_
        return self

    def transform(self, X: Any) -> Any:
        """Reduce X to the features in the list, in the order of the input's columns."""
        return super().transform(as_matrix(X))

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        inner = get_tags(as_ranker(self.ranker))
        tags.target_tags.required = True
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        return tags
