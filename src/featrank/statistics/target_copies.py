"""Features that duplicate the target, a sign of data leakage."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln
from scipy.stats import rankdata

from featrank.values.numbers import by_power_of_two

Floats = NDArray[np.float64]

# A correlation with a regression target of at least this is that of a copy.
COPY = 0.9999
# Duplicates are not reported if this many or more are expected by chance.
EXPECTED = 0.01
# Monotone transforms of the target that occur in practice have a Pearson correlation above this.
_RELATED = 0.1


def class_copies(X: Floats, codes: NDArray[np.integer], n_features: int) -> NDArray[np.intp]:
    """Return the features that are recoded class labels: one value per class, all different.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        Values of some features. NaN is ignored.
    codes : ndarray of shape (n_samples,)
        Class codes 0, 1, ….
    n_features : int
        Number of features among which these were found. Features that could match the target by
        chance, such as a binary one in a few samples, are not returned.

    Returns
    -------
    columns : ndarray
        Indices of columns of ``X``.

    Examples
    --------
    >>> codes = np.repeat([0, 1], 10)
    >>> X = np.column_stack([np.arange(20.0), 5.0 - codes])
    >>> class_copies(X, codes, 100).tolist()
    [1]
    """
    present = np.unique(codes)
    known = ~np.isnan(X)
    members = [codes == code for code in present]
    low = np.array([np.where(known[own], X[own], np.inf).min(axis=0) for own in members])
    high = np.array([np.where(known[own], X[own], -np.inf).max(axis=0) for own in members])
    constant = (low == high).all(axis=0)
    distinct = (np.diff(np.sort(low, axis=0), axis=0) > 0).all(axis=0)
    found = np.flatnonzero(constant & distinct)
    orders = gammaln(len(present) + 1)
    return _beyond_chance(X, found, orders, n_features)


def regression_copies(X: Floats, y: Floats, n_features: int) -> NDArray[np.intp]:
    """Return the features that duplicate a regression target or are a monotone function of it.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
        Values of some features. NaN is ignored.
    y : ndarray of shape (n_samples,)
        The target.
    n_features : int
        Number of features among which these were found, as for :func:`class_copies`.

    Returns
    -------
    columns : ndarray
        Indices of columns of ``X``.

    Examples
    --------
    >>> y = np.arange(20.0)
    >>> X = np.column_stack([y % 7, np.exp(y)])
    >>> regression_copies(X, y, 100).tolist()
    [1]
    """
    found = [place for place, column in enumerate(X.T) if _copies(column, y)]
    return _beyond_chance(X, np.array(found, dtype=np.intp), np.log(2), n_features)


def _copies(column: Floats, y: Floats) -> bool:
    known = ~np.isnan(column)
    # Squares of numbers in extreme units would be infinite, or 0.
    pair = by_power_of_two(column[known])[0], by_power_of_two(y[known])[0]
    if len(pair[0]) < 2 or not all(np.ptp(each) > 0 for each in pair):
        return False
    pearson = abs(np.corrcoef(*pair)[0, 1])
    if not _RELATED < pearson < COPY:
        return bool(pearson >= COPY)
    return bool(abs(np.corrcoef(*map(rankdata, pair))[0, 1]) >= COPY)


def _beyond_chance(
    X: Floats, found: NDArray[np.intp], log_orders: float, n_features: int
) -> NDArray[np.intp]:
    """Return the matches that are not expected among ``n_features`` shuffled features.

    A shuffled feature with m₁, m₂, … samples per value is a copy with probability
    ``orders · m₁! m₂! … / n!``, where ``orders`` counts the arrangements that match.
    """
    kept = []
    for place in found:
        counts = np.unique(X[~np.isnan(X[:, place]), place], return_counts=True)[1]
        log_chance = log_orders + gammaln(counts + 1).sum() - gammaln(counts.sum() + 1)
        if np.log(max(n_features, 1)) + log_chance < np.log(EXPECTED):
            kept.append(int(place))
    return np.array(kept, dtype=np.intp)
