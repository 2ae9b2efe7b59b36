"""Warnings about unreliable rankings, as sentences that suggest what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import FeatrankWarning
from featrank.statistics.target_copies import COPY, class_copies, regression_copies
from featrank.tables.columns import SHOWN, listed
from featrank.values.numbers import by_power_of_two

Floats = NDArray[np.float64]

# A feature is rare if at most 2 % of the samples are not zero (at least 3 and at most 10 samples)
# and less than half of each class. featrank warns if a tenth of the best features are rare.
RARE_SHARE, FEW, MANY = 0.02, 3, 10
WARNING_SHARE = 0.1
# Standard errors between a cross-validated AUC and chance: of the AUC over the folds, and of chance
# for this number of samples. The latter is larger because the AUC is the best of several that were
# tried. An AUC of 0.9 is never taken for chance.
CHANCE = 0.5
FOLD_ERRORS, CHANCE_ERRORS = 2, 3
BEYOND_CHANCE = 0.9
# Groups predict the class if they do so for this share of the samples. More groups per class than
# this are taken for patients, who belong to one class by design.
PREDICTED_SHARE, BATCHES_PER_CLASS = 0.95, 5


def tie_at_cut(scores: Floats, top: int | None) -> str | None:
    """Return a sentence if the order of columns decided which features are among the best.

    Parameters
    ----------
    scores : ndarray of shape (n_features,)
        Scores in descending order.
    top : int or None
        Number of features that are selected. None selects all.

    Examples
    --------
    >>> tie_at_cut(np.array([3.0, 1.0, 1.0, 1.0]), 2)
    'Features 2 to 4 have equal scores, so the order of the columns decided which ones are among
    the best 2. Use `top=1` or `top=4`.'
    >>> tie_at_cut(np.array([3.0, 1.0, 1.0, 1.0]), 1)
    """
    if top is None or not 0 < top < len(scores) or scores[top - 1] != scores[top]:
        return None
    equal = np.flatnonzero(scores == scores[top])
    first, last = int(equal[0]) + 1, int(equal[-1]) + 1
    counts = f"`top={first - 1}` or `top={last}`" if first > 1 else f"`top={last}`"
    return (
        f"Features {first} to {last} have equal scores, so the order of the columns decided which "
        f"ones are among the best {top}. Use {counts}."
    )


def rare_features(
    values: Floats, names: list[str], codes: NDArray[np.integer] | None
) -> str | None:
    """Return a sentence if many of the best features are zero in nearly all samples.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_features)
        Values of the best features, in order.
    names : list of str
        Names of the features.
    codes : ndarray of shape (n_samples,) or None
        Class codes. A feature that is present in half of a class is not rare.
    """
    limit = min(max(FEW, RARE_SHARE * len(values)), MANY)
    seen = (values != 0) & ~np.isnan(values)
    rare = seen.sum(axis=0) <= limit
    for code in [] if codes is None else np.unique(codes):
        rare &= seen[codes == code].mean(axis=0) < 0.5
    if codes is None:
        rare &= seen.mean(axis=0) < 0.5
    if rare.sum() < max(1, WARNING_SHARE * len(names)):
        return None
    return (
        f"{rare.sum()} of the best {len(names)} features are zero in all but {int(limit)} samples "
        f"or fewer ({names[int(np.argmax(rare))]!r} is the first), so a few samples decide their "
        "rank. Remove such features, or compare with another method, such as 'fisher' or 'relieff'."
    )


def at_chance(tuned: Mapping[str, Any], sizes: Sequence[int]) -> str | None:
    """Return a sentence if the cross-validated AUC, or R², of a tuned ranker may be chance.

    Parameters
    ----------
    tuned : mapping
        ``auc`` or ``r2`` and ``standard_error``, if the ranker has them.
    sizes : sequence of int
        Number of samples per class. Empty without classes.
    """
    if "r2" in tuned:
        return _explains_nothing(tuned["r2"], tuned["standard_error"])
    if "auc" not in tuned or not len(sizes):
        return None
    mean, error = tuned["auc"], chance_error(sizes)
    limit = min(CHANCE + CHANCE_ERRORS * error, BEYOND_CHANCE)
    if mean > limit and mean - FOLD_ERRORS * tuned["standard_error"] > CHANCE:
        return None
    return (
        f"This ranking is no better than chance: cross-validated AUC {mean:.2f} ± "
        f"{tuned['standard_error']:.2f} (chance: {CHANCE:.2f} ± {error:.2f} for {sum(sizes):,} "
        "samples). Check the target column or collect more samples."
    )


def _explains_nothing(mean: float, error: float) -> str | None:
    if mean - FOLD_ERRORS * error > 0:
        return None
    return (
        f"This ranking is no better than chance: cross-validated R² {mean:.2f} ± {error:.2f} is "
        "not significantly above 0. Check the target column or collect more samples."
    )


def chance_error(class_sizes: Sequence[int]) -> float:
    r"""Return the standard error of the AUC of random scores, for these class sizes.

    .. math:: \sqrt{\frac{n + 1}{12\, n_1 n_2}}

    for two classes (Mann and Whitney 1947). For more classes it is that of the mean over classes
    against the rest, as if these were independent.

    Examples
    --------
    >>> chance_error([30, 30])
    0.0751
    """
    sizes = np.asarray(class_sizes, dtype=np.float64)
    total = sizes.sum()
    sizes = sizes[:1] if len(sizes) == 2 else sizes
    variance = (total + 1) / (12 * sizes * (total - sizes))
    return float(np.sqrt(variance.sum()) / len(sizes))


def likely_leak(
    values: Floats,
    names: Sequence[str],
    codes: NDArray[np.integer] | None,
    regression_target: Floats | None,
    n_features: int,
    is_pandas: bool = False,
) -> str | None:
    """Return a sentence if some features duplicate the target.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_columns)
        Values of the features to check, such as the best ones.
    names : sequence of str
        Their names.
    codes : ndarray of shape (n_samples,) or None
        Class codes 0, 1, ….
    regression_target : ndarray of shape (n_samples,) or None
        The target of a regression.
    n_features : int
        Number of features in the ranking.
    is_pandas : bool, default=False
        Whether the data are a pandas frame, whose columns the advice drops.

    Examples
    --------
    >>> codes = np.repeat([0, 1], 10)
    >>> likely_leak(1.0 - codes[:, np.newaxis], ["stage"], codes, None, 500)
    "'stage' is a copy of the target (a different value for each class). If it was derived from
    the target, this ranking is useless. Rank without it (`drop=['stage']` for files)."
    """
    if regression_target is not None:
        found = regression_copies(values, regression_target, n_features)
        seen = f"correlation of {COPY} or more"
    elif codes is not None:
        found = class_copies(values, codes, n_features)
        seen = "a different value for each class"
    else:
        return None
    leaked = [names[place] for place in found]
    return _leak_sentence(leaked, seen, is_pandas) if leaked else None


def _leak_sentence(names: list[str], seen: str, is_pandas: bool) -> str:
    what = "is a copy" if len(names) == 1 else "are each a copy"
    it, them = ("it was", "it") if len(names) == 1 else ("they were", "them")
    columns = repr(names[:SHOWN])
    how = f"`X.drop(columns={columns})`" if is_pandas else f"`drop={columns}` for files"
    return (
        f"{listed([repr(name) for name in names])} {what} of the target ({seen}). If {it} derived "
        f"from the target, this ranking is useless. Rank without {them} ({how})."
    )


def batch_is_class(codes: NDArray[np.integer], groups: Any) -> str | None:
    """Return a sentence if few groups, such as batches, predict the class of nearly all samples.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Class codes 0, 1, ….
    groups : array-like of shape (n_samples,)
        The group of each sample, as codes or names.

    Examples
    --------
    >>> batch_is_class(np.array([0, 0, 1, 1]), ["monday", "monday", "friday", "friday"])
    'The 2 groups predict the class of 100 % of the samples, so effects of the class cannot be
    separated from batch effects. Measure samples of each class in each batch.'
    >>> batch_is_class(np.array([0, 0, 1, 1]), ["monday", "friday", "monday", "friday"])
    """
    names, places = np.unique(np.asarray(groups), return_inverse=True)
    table = np.zeros((len(names), int(codes.max()) + 1), dtype=np.int64)
    np.add.at(table, (places.reshape(-1), codes), 1)
    sizes = table.sum(axis=0)
    predicted, largest = table.max(axis=1).sum() / len(codes), sizes.max() / len(codes)
    few = len(names) <= BATCHES_PER_CLASS * np.count_nonzero(sizes)
    if not few or predicted < PREDICTED_SHARE or largest >= PREDICTED_SHARE:
        return None
    return (
        f"The {len(names)} groups predict the class of {100 * predicted:.0f} % of the samples, so "
        "effects of the class cannot be separated from batch effects. Measure samples of each "
        "class in each batch."
    )


def batch_is_target(y: Floats, groups: Any) -> str | None:
    """Return a sentence if few groups, such as batches, explain a regression target.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        The target.
    groups : array-like of shape (n_samples,)
        The group of each sample, as codes or names.

    Examples
    --------
    >>> days = np.repeat(["monday", "friday"], 8)
    >>> batch_is_target(np.where(days == "friday", 9.0, 1.0), days)
    'The 2 groups explain 100 % of the variance of the target, so effects of the target cannot be
    separated from batch effects. Measure samples with different target values in each batch.'
    >>> batch_is_target(np.arange(16.0) % 2, days)
    """
    names, places = np.unique(np.asarray(groups), return_inverse=True)
    places = places.reshape(-1)
    values = by_power_of_two(y)[0]
    centred = values - values.mean()
    means = np.bincount(places, centred) / np.bincount(places)
    explained = float(np.sum(means[places] ** 2) / np.sum(centred**2))
    few = len(names) <= min(2 * BATCHES_PER_CLASS, len(y) // 2)
    if not few or explained < PREDICTED_SHARE:
        return None
    return (
        f"The {len(names)} groups explain {100 * explained:.0f} % of the variance of the target, "
        "so effects of the target cannot be separated from batch effects. Measure samples with "
        "different target values in each batch."
    )


def serious(sentence: str | None, limitation: str = "") -> FeatrankWarning | None:
    """Return a serious warning, or None without a sentence."""
    return None if sentence is None else FeatrankWarning(sentence, "serious", limitation)


def caution(sentence: str | None) -> FeatrankWarning | None:
    """Return a warning that the result may be unreliable, or None without a sentence."""
    return None if sentence is None else FeatrankWarning(sentence)


def together(warnings: Mapping[Any, list[FeatrankWarning | None]]) -> list[FeatrankWarning]:
    """Return the warnings of the rankings of several classes, one of each kind.

    Examples
    --------
    >>> bad, worse, same = map(FeatrankWarning, ["Bad.", "Worse.", "As bad."])
    >>> [str(one) for one in together({"a": [None, bad], "b": [worse, same]})]
    ["Class 'b': Worse.", "Class 'a' (and 1 more): Bad."]
    """
    found = []
    for kind in zip(*warnings.values(), strict=True):
        raised = [(label, each) for label, each in zip(warnings, kind, strict=True) if each]
        if raised:
            label, first = raised[0]
            more = f" (and {len(raised) - 1} more)" if len(raised) > 1 else ""
            sentence = f"Class {str(label)!r}{more}: {first}"
            found.append(FeatrankWarning(sentence, first.severity, first.limitation))
    return found
