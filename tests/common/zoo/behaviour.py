"""Rankers whose scores make no sense, or change with what must not matter."""

import numpy as np

from ..checks import edges, invariance, sense
from ..sound import Greedy, Sound, Stochastic, separation
from .cage import caught_by


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
