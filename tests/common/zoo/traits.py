"""Rankers that are not what their class says."""

from typing import ClassVar

import numpy as np

from featrank.base.ranker import Ranker

from ..checks import traits
from ..sound import Sound, Stochastic, TakesMissing, TakesSparse, Unsupervised, separation
from .cage import caught_by


@caught_by(traits.check_class_says_what_it_is)
class DoesNotSayItsCost(Sound):
    complexity = ""


@caught_by(traits.check_class_says_what_it_is)
class TagsOtherwise(Sound):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.accepts_sparse
        return tags


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


@caught_by(traits.check_how_many_to_keep_as_declared)
class KeepsAll(Sound):
    selects = True

    def _own_count(self):
        return self.n_features_in_


@caught_by(traits.check_how_many_to_keep_as_declared)
class KeepsWhatItDoesNotDeclare(Sound):
    def require_own_count(self):
        pass

    def _own_count(self):
        return 2


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
class TakesInfinityForMissing(TakesMissing):
    def fit(self, X, y=None):
        return super().fit(np.where(np.isinf(X), np.nan, X), y)


@caught_by(traits.check_values_too_large_are_refused)
class ClipsLargeValues(Sound):
    def fit(self, X, y=None):
        return super().fit(np.clip(X, -1e100, 1e100), y)


@caught_by(traits.check_values_too_large_are_refused)
class TakesThePowerOfFour(Sound):
    def _score(self, X, y):
        return super()._score(X, y) + 1e-9 * np.mean((X - X.mean(axis=0)) ** 4, axis=0)


@caught_by(traits.check_unusable_columns_are_named)
class ForgetsTheNames(Sound):
    def _names(self):
        return None


@caught_by(traits.check_what_is_no_number_is_refused)
class TurnsAllIntoFloats(Sound):
    def fit(self, X, y=None):
        return super().fit(np.asarray(X, dtype=np.float64), y)


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
