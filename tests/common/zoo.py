"""Rankers that each break one promise, with the check that is meant to catch them."""

from typing import ClassVar

import numpy as np

from featrank.base import Ranker

from .checks import contract, edges, invariance, sense, traits
from .sound import Greedy, Sound, Stochastic, TakesMissing, TakesSparse, Unsupervised, separation

ZOO = []


def caught_by(*checks):
    """Put a class into the zoo; it inherits its docstring, as the docstring is checked too."""

    def enter(cls):
        cls.__doc__ = cls.__doc__ or Sound.__doc__
        ZOO.extend((cls, check) for check in checks)
        return cls

    return enter


@caught_by(sense.check_planted_signal_wins, sense.check_standardised_signal_wins)
class Reversed(Sound):
    def _score(self, X, y):
        return -super()._score(X, y)


@caught_by(sense.check_planted_signal_wins, sense.check_noise_shows_no_index_bias)
class AlwaysTheSame(Sound):
    def _score(self, X, y):
        return -np.abs(np.arange(X.shape[1]) - 4.0)


@caught_by(sense.check_noise_shows_no_index_bias)
class IndexBiased(Sound):
    def _score(self, X, y):
        return super()._score(X, y) - 0.005 * np.arange(X.shape[1])


@caught_by(sense.check_constant_is_never_best)
class ConstantWins(Sound):
    def _score(self, X, y):
        return np.where(np.ptp(X, axis=0) == 0, 1e15, super()._score(X, y))


@caught_by(sense.check_copy_ties_or_is_demoted)
class PrefersCopies(Sound):
    def _score(self, X, y):
        scores = super()._score(X, y)
        _, first = np.unique(np.asarray(X), axis=1, return_index=True)
        return np.where(np.isin(np.arange(X.shape[1]), first), scores, scores + 1)


@caught_by(edges.check_large_means)
class KeepsHalfOfTheDigits(Sound):
    def _score(self, X, y):
        return super()._score(np.asarray(X, dtype=np.float16), y)


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


@caught_by(contract.check_too_many_features_are_refused)
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


@caught_by(contract.check_integers)
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


@caught_by(invariance.check_column_order)
class LeansOnItsNeighbour(Sound):
    def _score(self, X, y):
        scores = super()._score(X, y)
        return scores + 0.01 * np.roll(scores, 1)


@caught_by(invariance.check_row_order)
class LooksAtTheFirstRows(Sound):
    def _score(self, X, y):
        return super()._score(X[:50], y[:50])


@caught_by(invariance.check_row_order)
class TakesRowsAsTheyCome(Stochastic):
    __doc__ = Stochastic.__doc__

    def _score(self, X, y):
        return np.abs(X[0] - X[1])


@caught_by(invariance.check_label_names)
class CalculatesWithLabels(Sound):
    def _score(self, X, y):
        return super()._score(X, y) + 0.01 * float(str(self.classes_[0]) == "0")


@caught_by(invariance.check_label_names)
class TrustsTheFirstClass(Sound):
    def _score(self, X, y):
        return separation(X, y) / (1 + X[y == 0].var(axis=0))


@caught_by(traits.check_class_says_what_it_is)
class DoesNotSayItsCost(Sound):
    complexity = ""


@caught_by(traits.check_signature)
class TakesParametersByPosition(Sound):
    _parameter_constraints: ClassVar[dict] = {**Ranker._parameter_constraints, "power": [int]}

    def __init__(self, n_features_to_select=None, power=1):
        self.n_features_to_select = n_features_to_select
        self.power = power


@caught_by(traits.check_signature)
class HidesThatItIsStochastic(Stochastic):
    __doc__ = Stochastic.__doc__
    stochastic = False


@caught_by(traits.check_docstring)
class IsNotDocumented(Sound):
    """Rank features."""


@caught_by(traits.check_labels_are_used_as_declared)
class PeeksAtLabels(Unsupervised):
    def fit(self, X, y=None):
        super().fit(X, y)
        if y is not None:
            self.scores_ = separation(np.asarray(X), np.asarray(y))
        return self


@caught_by(traits.check_labels_are_used_as_declared)
class InventsLabels(Sound):
    def fit(self, X, y=None):
        return super().fit(X, np.arange(len(X)) % 2 if y is None else y)


@caught_by(traits.check_several_classes_as_declared)
class SeesTwoClasses(Sound):
    def _score(self, X, y):
        return separation(X[y < 2], y[y < 2])


@caught_by(traits.check_several_classes_as_declared)
class TakesMoreThanItDeclares(Sound):
    multiclass = False

    def _encoded(self, X, y):
        return np.unique(y, return_inverse=True)[1]


@caught_by(traits.check_sparse_as_declared)
class SkipsZeros(TakesSparse):
    def _score(self, X, y):
        if isinstance(X, np.ndarray):
            return super()._score(X, y)
        return super()._score(np.where(X.toarray() == 0, 1, X.toarray()), y)


@caught_by(traits.check_sparse_as_declared)
class TakesSparseUndeclared(Sound):
    def fit(self, X, y=None):
        return super().fit(X.toarray() if hasattr(X, "toarray") else X, y)


@caught_by(traits.check_missing_values_as_declared)
class FillsInQuietly(Sound):
    def fit(self, X, y=None):
        return super().fit(np.nan_to_num(X), y)


@caught_by(traits.check_missing_values_as_declared)
class DropsMissingFeatures(TakesMissing):
    def _score(self, X, y):
        return np.where(np.isnan(X).any(), -1, 1) * super()._score(X, y)


@caught_by(traits.check_infinity_is_refused)
class LetsInfinityThrough(Sound):
    _finds_nonfinite = True

    def _score(self, X, y):
        return super()._score(np.where(np.isfinite(X), X, 0), y)


@caught_by(traits.check_declared_invariances)
class ClaimsShift(Sound):
    invariances: ClassVar[frozenset[str]] = frozenset({"shift"})

    def _score(self, X, y):
        return super()._score(X, y) / np.maximum(np.abs(X.mean(axis=0)), 1)


@caught_by(traits.check_declared_invariances)
class ClaimsScale(Unsupervised):
    invariances: ClassVar[frozenset[str]] = frozenset({"scale"})


@caught_by(traits.check_declared_invariances)
class ClaimsMonotone(Sound):
    invariances: ClassVar[frozenset[str]] = frozenset({"monotone"})


@caught_by(edges.check_one_feature)
class ScalesByTheRange(Sound):
    def _score(self, X, y):
        scores = super()._score(X, y)
        with np.errstate(invalid="ignore"):
            return (scores - scores.min()) / np.ptp(scores)


@caught_by(edges.check_two_samples_a_class)
class NeedsManySamples(Sound):
    def _score(self, X, y):
        return super()._score(X, y) + np.where(len(y) < 5, np.nan, 0)


@caught_by(edges.check_one_class_is_refused)
class TakesOneClass(Sound):
    def _encoded(self, X, y):
        return np.unique(y, return_inverse=True)[1]


@caught_by(edges.check_far_more_features_than_samples)
class StopsAtTheNumberOfSamples(Greedy):
    __doc__ = Greedy.__doc__

    def _score(self, X, y):
        return np.where(np.arange(X.shape[1]) < len(X), super()._score(X, y), 0)


@caught_by(edges.check_dull_columns)
class DividesByZero(Sound):
    def _score(self, X, y):
        return np.nan_to_num(super()._score(X, y) + 0 / X.var(axis=0))
