"""Small rankers that keep every promise, one for each kind of method."""

from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from featrank.base.ranker import Ranker


class Sound(Ranker):
    """Rank features by the spread of the class means over the spread within classes.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select.

    References
    ----------
    .. [1] None: it exists to be right.

    Examples
    --------
    >>> Sound().fit([[0, 1], [0, 2], [1, 1], [1, 3]], [0, 0, 1, 1]).ranking_
    array([1, 2])
    """

    name = "sound"
    purpose = "Class separation"
    family = "statistics"
    complexity = published_complexity = "O(Tn)"
    reference = "none"
    invariances: ClassVar[frozenset[str]] = frozenset({"shift", "scale"})

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        return separation(np.asarray(X, dtype=np.float64), y)


def separation(X, y):
    """Return 0 for a constant, at most 1e12 for a feature without spread within classes."""
    groups = [X[y == code] for code in np.unique(y)]
    between = np.var([group.mean(axis=0) for group in groups], axis=0)
    within = np.mean([group.var(axis=0) for group in groups], axis=0)
    floor = 1e-12 * np.var(X, axis=0)
    constant = X.max(axis=0) == X.min(axis=0)
    return np.where(constant, 0.0, between / np.where(constant, 1.0, np.maximum(within, floor)))


class TakesSparse(Sound):
    __doc__ = Sound.__doc__
    accepts_sparse = True

    def _score(self, X, y):
        return super()._score(X if isinstance(X, np.ndarray) else X.toarray(), y)


class Selects(Sound):
    __doc__ = Sound.__doc__
    selects = True

    def _own_count(self):
        return int(np.sum(self.scores_ > 1))


class TakesMissing(Sound):
    __doc__ = Sound.__doc__
    accepts_nan = True

    def _score(self, X, y):
        return super()._score(np.where(np.isnan(X), np.nanmean(X, axis=0), X), y)


class TwoClasses(Sound):
    __doc__ = Sound.__doc__
    multiclass = False


class Unsupervised(Sound):
    __doc__ = Sound.__doc__
    supervised = False
    invariances: ClassVar[frozenset[str]] = frozenset({"shift"})

    def _score(self, X, y):
        X = np.asarray(X, dtype=np.float64)
        return np.where(X.max(axis=0) == X.min(axis=0), 0.0, X.var(axis=0))


class Stochastic(Sound):
    """Rank features by their separation of the classes in half of the samples.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select.
    random_state : int, RandomState instance or None, default=None
        Chooses the samples.

    References
    ----------
    .. [1] None: it exists to be right.

    Examples
    --------
    >>> Stochastic(random_state=0).fit([[0, 1], [0, 2], [1, 1], [1, 3]], [0, 0, 1, 1]).ranking_
    array([1, 2])
    """

    stochastic = True
    _parameter_constraints: ClassVar[dict] = {
        **Sound._parameter_constraints,
        "random_state": ["random_state"],
    }

    def __init__(self, n_features_to_select=None, *, random_state=None):
        self.n_features_to_select = n_features_to_select
        self.random_state = random_state

    def _score(self, X, y):
        rng = check_random_state(self.random_state)
        X = np.asarray(X, dtype=np.float64)
        weights = rng.permutation(np.arange(len(X)) % 8 > 0)
        chosen = weights | ~np.isin(y, y[weights])
        return separation(X[chosen], y[chosen])


class Greedy(Sound):
    """Rank features one by one: separation less the likeness to those that came before.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select; only these are ordered by the search.

    References
    ----------
    .. [1] None: it exists to be right.

    Examples
    --------
    >>> Greedy().fit([[0, 1], [0, 2], [1, 1], [1, 3]], [0, 0, 1, 1]).ranking_
    array([1, 2])
    """

    def _score(self, X, y):
        X = np.asarray(X, dtype=np.float64)
        relevance = np.log1p(separation(X, y))
        likeness = np.abs(_correlations(X))
        redundancy = np.zeros(X.shape[1])
        scores = np.zeros(X.shape[1])
        left = np.ones(X.shape[1], dtype=bool)
        for place in range(self._n_selected):
            value = np.where(left, relevance - redundancy / max(place, 1), -np.inf)
            best = np.argmax(np.round(value, 12))
            scores[best] = X.shape[1] - place
            left[best] = False
            redundancy += likeness[best]
        return scores


def _correlations(X):
    centred = X - X.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    unit = centred / np.where(length > 0, length, 1)
    return unit.T @ unit


SOUND = [Sound, Selects, TakesSparse, TakesMissing, TwoClasses, Unsupervised, Stochastic, Greedy]
