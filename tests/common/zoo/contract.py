"""Rankers that break the contract of inputs and outputs."""

from typing import ClassVar

import numpy as np

from featrank.base.ranker import Ranker

from ..checks import contract, edges
from ..sound import Sound, Stochastic, separation
from .cage import caught_by


@caught_by(contract.check_inputs_are_untouched)
class CentresInPlace(Sound):
    def _score(self, X, y):
        X -= X.mean(axis=0)
        return super()._score(X, y)


@caught_by(contract.check_inputs_are_untouched)
class SortsTheLabels(Sound):
    def fit(self, X, y=None):
        super().fit(X, y)
        y.sort()
        return self


@caught_by(contract.check_inputs_are_untouched)
class ChangesItsParameter(Sound):
    def _score(self, X, y):
        self.n_features_to_select = X.shape[1]
        return super()._score(X, y)


@caught_by(contract.check_refit_forgets)
class Remembers(Sound):
    def _score(self, X, y):
        self._total = getattr(self, "_total", 0) + X.shape[1]
        return super()._score(X, y) + self._total


@caught_by(contract.check_refit_forgets)
class KeepsOldNames(Sound):
    def fit(self, X, y=None):
        names = getattr(self, "feature_names_in_", None)
        super().fit(X, y)
        if names is not None:
            self.feature_names_in_ = names
        return self


@caught_by(contract.check_names)
class LosesNames(Sound):
    def _validated(self, X, y):
        return super()._validated(np.asarray(X), y)


@caught_by(contract.check_set_output)
class GivesArrays(Sound):
    def transform(self, X):
        return np.asarray(X)[:, self.support_]

    def set_output(self, *, transform=None):
        return self


@caught_by(contract.check_fitted_attributes, edges.check_dull_columns)
class GivesNaN(Sound):
    def _score(self, X, y):
        scores = super()._score(X, y)
        return np.where(scores < np.median(scores) + 1e-9, np.nan, scores)


@caught_by(contract.check_infinite_scores_mean_exact_separation)
class BoastsOfItsBest(Sound):
    def _score(self, X, y):
        scores = super()._score(X, y)
        return np.where(scores > 1, np.inf, scores)


@caught_by(contract.check_infinite_scores_mean_exact_separation)
class KeepsInfinityToItself(Sound):
    def _score(self, X, y):
        exact = np.all([np.ptp(X[y == code], axis=0) == 0 for code in np.unique(y)], axis=0)
        return np.where(exact & (np.ptp(X, axis=0) > 0), np.inf, super()._score(X, y))


@caught_by(contract.check_can_be_shown_whatever_is_set)
class ShowsWhatIsSet(Sound):
    @property
    def share_(self):
        return (self.n_features_to_select or 1) / self.n_features_in_


@caught_by(contract.check_fitted_attributes)
class GivesOneScoreTooFew(Sound):
    def _score(self, X, y):
        return super()._score(X, y)[:-1]


@caught_by(contract.check_fitted_attributes, contract.check_number_of_features)
class NotAPermutation(Sound):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.ranking_ = np.where(self.support_, 1, self.ranking_)
        return self


@caught_by(contract.check_fitted_attributes)
class CountsFromZero(Sound):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.ranking_ = self.ranking_ - 1
        return self


@caught_by(contract.check_fitted_attributes)
class ReturnsNothing(Sound):
    def fit(self, X, y=None):
        super().fit(X, y)


@caught_by(contract.check_equal_scores_go_to_the_lower_index)
class TiesToTheHigherIndex(Sound):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.order_ = np.argsort(self.scores_, kind="stable")[::-1].copy()
        self.ranking_ = np.argsort(self.order_) + 1
        return self


@caught_by(contract.check_number_of_features)
class KeepsOneTooMany(Sound):
    def _count_to_select(self, n_features):
        return min(super()._count_to_select(n_features) + 1, n_features)


@caught_by(contract.check_number_of_features)
class SelectsTheWorst(Sound):
    def fit(self, X, y=None):
        super().fit(X, y)
        self.support_ = self.support_[self.order_[::-1]]
        return self


@caught_by(contract.check_impossible_numbers_of_features_are_refused)
class ClipsTheNumber(Sound):
    def _count_to_select(self, n_features):
        return min(self.n_features_to_select or n_features, n_features)


@caught_by(contract.check_transform)
class TransformsByRank(Sound):
    def transform(self, X):
        return np.asarray(X)[:, self.order_[: self.support_.sum()]]


@caught_by(contract.check_pipeline_and_grid_search)
class HidesItsParameter(Sound):
    def __init__(self, n_features_to_select=None):
        self._wanted = n_features_to_select

    def set_params(self, **params):
        return self

    def get_params(self, deep=True):
        return {"n_features_to_select": getattr(self, "n_features_to_select", None)}

    def _count_to_select(self, n_features):
        self.n_features_to_select = self._wanted
        return super()._count_to_select(n_features)


@caught_by(contract.check_clone_and_pickle)
class PicklesNoScores(Sound):
    def __getstate__(self):
        state = super().__getstate__()
        return {key: value for key, value in state.items() if key != "scores_"}


@caught_by(contract.check_same_seed_same_bits)
class UsesGlobalRandomness(Sound):
    def _score(self, X, y):
        return super()._score(X, y) + 1e-9 * np.random.mtrand._rand.random(X.shape[1])


@caught_by(contract.check_same_seed_same_bits)
class IgnoresItsSeed(Stochastic):
    __doc__ = Stochastic.__doc__

    def _score(self, X, y):
        chosen = np.random.default_rng().random(len(X)) < 0.9
        return separation(X[chosen], y[chosen])


@caught_by(contract.check_memory_layout)
class ReadsMemoryInItsOrder(Sound):
    def _score(self, X, y):
        return super()._score(X.ravel(order="K").reshape(X.shape), y)


@caught_by(contract.check_memory_mapped_files)
class ReadsAnEmptyMap(Sound):
    def fit(self, X, y=None):
        return super().fit(np.cos(X) if isinstance(X, np.memmap) else X, y)


@caught_by(contract.check_float32)
class RoundsFloat32(Sound):
    def _score(self, X, y):
        return super()._score(X.astype(np.float16) if X.dtype == np.float32 else X, y)


@caught_by(contract.check_numbers_of_any_type)
class OverflowsIntegers(Sound):
    def _score(self, X, y):
        return super()._score(X + X + X + X, y)


@caught_by(contract.check_blocks_and_workers)
class DependsOnWorkers(Sound):
    """Rank features with some help of the number of threads.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select.
    n_jobs : int or None, default=None
        Threads.
    """

    _parameter_constraints: ClassVar[dict] = {
        **Ranker._parameter_constraints,
        "n_jobs": [None, int],
    }

    def __init__(self, n_features_to_select=None, *, n_jobs=None):
        self.n_features_to_select = n_features_to_select
        self.n_jobs = n_jobs

    def _score(self, X, y):
        return super()._score(X, y) * (1 + 1e-15 * (self.n_jobs == 2))
