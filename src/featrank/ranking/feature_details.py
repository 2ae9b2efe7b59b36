"""Descriptions of features that do not depend on the ranking method.

Arrays in, columns out. Everything is computed from the columns of the features shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.values.numbers import by_power_of_two

Floats = NDArray[np.float64]
Columns = dict[str, Any]

# Features whose correlations with all others are in memory at a time.
BLOCK = 256


@dataclass(frozen=True)
class Classes:
    """The classes of the samples.

    Attributes
    ----------
    labels : sequence
        The labels of the classes.
    codes : ndarray of shape (n_samples,)
        The class of each sample, as an index into the labels.
    of_interest : int or None
        The class that the ranking is for. None if it is for all classes.
    """

    labels: Sequence[Any]
    codes: NDArray[np.intp]
    of_interest: int | None = None

    def names(self) -> list[str]:
        """Return the labels as distinct strings."""
        names = [str(label) for label in self.labels]
        return names if len(set(names)) == len(names) else [repr(label) for label in self.labels]


def feature_details(
    values: Floats,
    names: Sequence[str],
    classes: Classes | None,
    regression_target: Floats | None = None,
) -> Columns:
    """Return details of features as columns, best feature first.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_features)
        The features' values, best feature first. NaN where missing.
    names : sequence of str
        The features' names.
    classes : Classes or None
        The classes. None describes all samples together.
    regression_target : ndarray of shape (n_samples,) or None
        The target of a regression.

    Returns
    -------
    columns : dict of str to sequence
        ``high_in``: the class with the largest mean (omitted if one class is of interest).
        ``auc``: the share of pairs, one sample of that class (or of the class of interest) and one
        of the rest, in which the former has the larger value. Ties count half.
        ``effect``: Cohen's d, the difference of the two means over the pooled standard deviation.
        ``pearson``, ``spearman``: correlations with a regression target, without missing values.
        ``zeros``, ``missing``: shares of the samples.
        ``most_correlated``, ``r``: the better-ranked feature with the largest absolute correlation,
        over the samples without missing values.
        ``mean_…``, ``sd_…``: mean and standard deviation (ddof 1) of each class, or of the class
        of interest (``mean_class``) and the rest (``mean_rest``), or of all samples.
    """
    known = ~np.isnan(values)
    columns: Columns = {}
    if classes is not None:
        columns |= _separation(values, known, classes)
    if regression_target is not None:
        columns |= dependence(values, known, regression_target)
    columns["zeros"] = np.mean(values == 0, axis=0)
    columns["missing"] = np.mean(~known, axis=0)
    columns |= _most_correlated(values, known, names)
    return columns | _class_moments(values, known, classes)


def dependence(values: Floats, known: NDArray[np.bool_], regression_target: Floats) -> Columns:
    """Return Pearson's and Spearman's correlations with the target. NaN for a constant."""
    from scipy.stats import rankdata

    pearson, spearman = np.full((2, values.shape[1]), np.nan)
    for place, (column, rows) in enumerate(zip(values.T, known.T, strict=True)):
        # Squares of numbers in extreme units would be infinite, or 0.
        pair = by_power_of_two(column[rows])[0], by_power_of_two(regression_target[rows])[0]
        if len(pair[0]) > 1 and all(np.ptp(each) > 0 for each in pair):
            pearson[place] = np.corrcoef(*pair)[0, 1]
            spearman[place] = np.corrcoef(*map(rankdata, pair))[0, 1]
    return {"pearson": pearson, "spearman": spearman}


def _separation(values: Floats, known: NDArray[np.bool_], classes: Classes) -> Columns:
    n_features = values.shape[1]
    if classes.of_interest is not None:
        high = np.full(n_features, classes.of_interest)
        columns: Columns = {}
    else:
        means = [_moments(values, known, classes.codes == c)[1] for c in range(len(classes.labels))]
        high = np.where(np.isnan(means), -np.inf, means).argmax(axis=0)
        columns = {"high_in": [classes.labels[code] for code in high]}
    own = classes.codes[:, np.newaxis] == high
    return columns | {"auc": auc(values, own), "effect": cohens_d(values, own)}


def auc(values: Floats, members: NDArray[np.bool_]) -> Floats:
    """Return for each feature how often a member's value is above another's. Ties count half.

    ``members`` has the shape of ``values``. Missing values are ignored. Without a pair of values
    the AUC is NaN.

    Examples
    --------
    >>> auc(np.array([[1.0], [2.0], [2.0], [5.0]]), np.array([[False], [False], [True], [True]]))
    array([0.875])
    """
    from scipy.stats import rankdata

    known = ~np.isnan(values)
    # Missing values rank last and are not part of any sum.
    ranks = rankdata(np.where(known, values, np.inf), axis=0)
    own = (known & members).sum(axis=0)
    others = known.sum(axis=0) - own
    above = np.where(known & members, ranks, 0).sum(axis=0) - own * (own + 1) / 2
    pairs = own * others
    return np.divide(above, pairs, out=np.full(len(pairs), np.nan), where=pairs > 0)


def cohens_d(values: Floats, members: NDArray[np.bool_]) -> Floats:
    """Return the members' mean minus the others', over the pooled standard deviation.

    0/0 is 0, and a difference without any spread within the two groups is infinite.
    """
    known = ~np.isnan(values)
    n, mean, squares = _moments(values, known, members)
    n_rest, mean_rest, squares_rest = _moments(values, known, ~members)
    freedom = np.maximum(n + n_rest - 2, 1)
    shift, spread = mean - mean_rest, np.sqrt((squares + squares_rest) / freedom)
    with np.errstate(divide="ignore"):
        return np.divide(shift, spread, out=np.where(shift == 0, 0.0, shift), where=shift != 0)


def higher(values: Floats, members: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return 1 where the members' mean is above that of the others, -1 below, 0 the same."""
    known, own = ~np.isnan(values), members[:, np.newaxis]
    shift = _moments(values, known, own)[1] - _moments(values, known, ~own)[1]
    return np.sign(np.nan_to_num(shift)).astype(np.int64)


def rising(values: Floats, regression_target: Floats) -> NDArray[np.int64]:
    """Return the sign of each feature's correlation with the target. 0 for a constant."""
    known, everyone = ~np.isnan(values), np.ones(len(values), dtype=bool)
    target = np.broadcast_to(by_power_of_two(regression_target)[0][:, np.newaxis], values.shape)
    own, other = (
        np.where(known, each - _moments(each, known, everyone)[1], 0) for each in (values, target)
    )
    return np.sign((own * other).sum(axis=0)).astype(np.int64)


def _moments(
    values: Floats, known: NDArray[np.bool_], members: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Return count, mean and sum of squared deviations of the members' known values."""
    members = members if members.ndim == 2 else members[:, np.newaxis]
    taken = known & members
    count = taken.sum(axis=0)
    total = np.where(taken, values, 0).sum(axis=0)
    mean = np.divide(total, count, out=np.full(len(count), np.nan), where=count > 0)
    # The mean of a constant is the constant: rounding must not give it a variance.
    low = np.where(taken, values, np.inf).min(axis=0)
    mean = np.where(low == np.where(taken, values, -np.inf).max(axis=0), low, mean)
    return count, mean, (np.where(taken, values - mean, 0) ** 2).sum(axis=0)


def _class_moments(values: Floats, known: NDArray[np.bool_], classes: Classes | None) -> Columns:
    everyone = np.ones(len(values), dtype=bool)
    if classes is None:
        groups = {"": everyone}
    elif classes.of_interest is not None:
        own = classes.codes == classes.of_interest
        groups = {"_class": own, "_rest": ~own}
    else:
        groups = {f"_{name}": classes.codes == c for c, name in enumerate(classes.names())}
    columns: Columns = {}
    for name, members in groups.items():
        count, mean, squares = _moments(values, known, members)
        columns[f"mean{name}"] = mean
        columns[f"sd{name}"] = np.sqrt(squares / np.maximum(count - 1, 1))
    return columns


def _most_correlated(values: Floats, known: NDArray[np.bool_], names: Sequence[str]) -> Columns:
    """Return the better-ranked feature that each feature is most correlated with."""
    n_features = values.shape[1]
    most, r = np.full(n_features, -1), np.full(n_features, np.nan)
    for start in range(0, n_features, BLOCK):
        rows = np.arange(start, min(start + BLOCK, n_features))
        correlations = correlation(values, known, rows)
        correlations[np.arange(n_features) >= rows[:, np.newaxis]] = np.nan
        strength = np.nan_to_num(np.abs(correlations), nan=-1.0)
        best = strength.argmax(axis=1)
        defined = strength[np.arange(len(rows)), best] >= 0
        most[rows[defined]] = best[defined]
        r[rows[defined]] = correlations[defined, best[defined]]
    return {"most_correlated": [None if j < 0 else names[j] for j in most], "r": r}


def correlation(
    values: Floats, known: NDArray[np.bool_], rows: NDArray[np.integer] | None = None
) -> Floats:
    """Return Pearson's r of all pairs of features, each over the samples where both are known.

    ``rows`` selects rows of the matrix, by default all. Pairs with a constant feature are NaN.
    """
    rows = np.arange(values.shape[1]) if rows is None else rows
    shares = known.astype(np.float64)
    count, mean, squares = _moments(values, known, np.ones(len(values), dtype=bool))
    scale = np.sqrt(squares / np.maximum(count, 1))
    centred = np.where(known, values - mean, 0.0) / np.where(scale > 0, scale, 1.0)
    both = shares[:, rows].T @ shares
    with np.errstate(divide="ignore", invalid="ignore"):
        own = centred[:, rows].T @ shares
        other = shares[:, rows].T @ centred
        variance = (centred[:, rows] ** 2).T @ shares - own**2 / both
        others = shares[:, rows].T @ centred**2 - other**2 / both
        product = centred[:, rows].T @ centred - own * other / both
        for spread in (variance, others):
            spread[spread < 1e-12 * both] = np.nan
        return np.clip(product / np.sqrt(variance * others), -1.0, 1.0)
