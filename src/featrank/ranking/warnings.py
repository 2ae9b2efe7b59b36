"""When to doubt a ranking: what its figures say against it, in sentences with the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.values.numbers import by_power_of_two

Floats = NDArray[np.float64]

# A feature is rare if it is not zero in at most so many samples: 2 % of them, but 3 at least and
# 10 at most, and in less than half of each class. A tenth of the best features being so is told.
RARE_SHARE, FEW, MANY = 0.02, 3, 10
TOLD_SHARE = 0.1
# Standard errors between a cross-validated AUC and chance: of the AUC over the folds, and of chance
# itself for so many samples. The latter are more, since the AUC is the best of some that were
# tried; but an AUC of 0.9 is never taken for chance.
CHANCE = 0.5
FOLD_ERRORS, CHANCE_ERRORS = 2, 3
BEYOND_CHANCE = 0.9
# Groups tell the class if they tell that of so many samples; more of them than so many a class on
# average are taken for patients or the like, each of which is of one class by design.
TELLING_SHARE, BATCHES_PER_CLASS = 0.95, 5


def tie_at_cut(scores: Floats, top: int | None) -> str | None:
    """Return a sentence if the order of columns decided which features are among the best.

    Parameters
    ----------
    scores : ndarray of shape (n_features,)
        In descending order.
    top : int or None
        How many are asked for; None is all, where nothing is cut.

    Examples
    --------
    >>> tie_at_cut(np.array([3.0, 1.0, 1.0, 1.0]), 2)
    'Features 2 to 4 have equal scores, so that the order of the columns decided which of them
    are among the best 2. Take top=1 or top=4 (--top), or a method that tells them apart.'
    >>> tie_at_cut(np.array([3.0, 1.0, 1.0, 1.0]), 1)
    """
    if top is None or not 0 < top < len(scores) or scores[top - 1] != scores[top]:
        return None
    equal = np.flatnonzero(scores == scores[top])
    first, last = int(equal[0]) + 1, int(equal[-1]) + 1
    counts = f"{first - 1} or top={last}" if first > 1 else f"{last}"
    return (
        f"Features {first} to {last} have equal scores, so that the order of the columns decided "
        f"which of them are among the best {top}. Take top={counts} (--top), or a method that "
        "tells them apart."
    )


def rare_features(
    values: Floats, names: list[str], codes: NDArray[np.integer] | None
) -> str | None:
    """Return a sentence if many of the best features are zero in nearly all samples.

    Parameters
    ----------
    values : ndarray of shape (n_samples, n_features)
        Of the best features, in order.
    names : list of str
        Of the same features.
    codes : ndarray of shape (n_samples,) or None
        Class codes. A feature that marks half of a class, however small, is not rare.
    """
    limit = min(max(FEW, RARE_SHARE * len(values)), MANY)
    seen = (values != 0) & ~np.isnan(values)
    rare = seen.sum(axis=0) <= limit
    for code in [] if codes is None else np.unique(codes):
        rare &= seen[codes == code].mean(axis=0) < 0.5
    if codes is None:
        rare &= seen.mean(axis=0) < 0.5
    if rare.sum() < max(1, TOLD_SHARE * len(names)):
        return None
    return (
        f"{rare.sum()} of the best {len(names)} features are zero in all but {int(limit)} samples "
        f"or fewer ({names[int(np.argmax(rare))]!r} is the first): few samples decided. Leave "
        "such features out, or compare with another method, such as 'fisher' or 'relieff'."
    )


def at_chance(chosen: Mapping[str, Any], sizes: Sequence[int]) -> str | None:
    """Return a sentence if the cross-validated AUC, or R², of what a ranker chose may be chance.

    Parameters
    ----------
    chosen : mapping
        With the figures ``auc`` or ``r2`` and ``standard_error``, if the ranker has them.
    sizes : sequence of int
        How many samples each class has; empty without classes.
    """
    if "r2" in chosen:
        return _explains_nothing(chosen["r2"], chosen["standard_error"])
    if "auc" not in chosen or not len(sizes):
        return None
    mean, error = chosen["auc"], chance_error(sizes)
    limit = min(CHANCE + CHANCE_ERRORS * error, BEYOND_CHANCE)
    if mean > limit and mean - FOLD_ERRORS * chosen["standard_error"] > CHANCE:
        return None
    return (
        f"The best features hardly tell the classes apart: their cross-validated AUC of "
        f"{mean:.2f} ± {chosen['standard_error']:.2f} does not differ from chance, "
        f"{CHANCE:.2f} ± {error:.2f} for so many samples. Check the target, or rank more samples; "
        "until then take the order for noise."
    )


def _explains_nothing(mean: float, error: float) -> str | None:
    if mean - FOLD_ERRORS * error > 0:
        return None
    return (
        f"The best features hardly tell the target: their cross-validated R² of {mean:.2f} ± "
        f"{error:.2f} does not differ from 0, which its mean alone has. Check the target, or rank "
        "more samples; until then take the order for noise."
    )


def chance_error(class_sizes: Sequence[int]) -> float:
    r"""Return the standard error of an AUC that knows nothing, for classes of these sizes.

    .. math:: \sqrt{\frac{n + 1}{12\, n_1 n_2}}

    for two classes (Mann and Whitney 1947); for more, of the mean over classes against the rest,
    as if these were independent.

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


def batch_is_class(codes: NDArray[np.integer], groups: Any) -> str | None:
    """Return a sentence if few groups, such as batches, tell the class of nearly every sample.

    Parameters
    ----------
    codes : ndarray of shape (n_samples,)
        Class codes 0, 1, ….
    groups : array-like of shape (n_samples,)
        The group of each sample, as codes or names.

    Examples
    --------
    >>> batch_is_class(np.array([0, 0, 1, 1]), ["monday", "monday", "friday", "friday"])
    'The 2 groups tell the class of 100 % of the samples: what a batch does to values cannot be told
    from what the class does. Measure samples of each class in each batch, or compare within
    batches; until then take scores and rankings for those of batches.'
    >>> batch_is_class(np.array([0, 0, 1, 1]), ["monday", "friday", "monday", "friday"])
    """
    names, places = np.unique(np.asarray(groups), return_inverse=True)
    table = np.zeros((len(names), int(codes.max()) + 1), dtype=np.int64)
    np.add.at(table, (places.reshape(-1), codes), 1)
    sizes = table.sum(axis=0)
    told, largest = table.max(axis=1).sum() / len(codes), sizes.max() / len(codes)
    few = len(names) <= BATCHES_PER_CLASS * np.count_nonzero(sizes)
    if not few or told < TELLING_SHARE or largest >= TELLING_SHARE:
        return None
    return (
        f"The {len(names)} groups tell the class of {100 * told:.0f} % of the samples: what a "
        "batch does to values cannot be told from what the class does. Measure samples of each "
        "class in each batch, or compare within batches; until then take scores and rankings for "
        "those of batches."
    )


def batch_is_target(y: Floats, groups: Any) -> str | None:
    """Return a sentence if few groups, such as batches, tell a quantity of nearly every sample.

    Parameters
    ----------
    y : ndarray of shape (n_samples,)
        The quantity.
    groups : array-like of shape (n_samples,)
        The group of each sample, as codes or names.

    Examples
    --------
    >>> days = np.repeat(["monday", "friday"], 8)
    >>> batch_is_target(np.where(days == "friday", 9.0, 1.0), days)
    'The 2 groups tell 100 % of the variance of the target: what a batch does to values cannot be
    told from what the target does. Measure samples of all values in each batch, or compare within
    batches; until then take scores and rankings for those of batches.'
    >>> batch_is_target(np.arange(16.0) % 2, days)
    """
    names, places = np.unique(np.asarray(groups), return_inverse=True)
    places = places.reshape(-1)
    values = by_power_of_two(y)[0]
    centred = values - values.mean()
    means = np.bincount(places, centred) / np.bincount(places)
    told = float(np.sum(means[places] ** 2) / np.sum(centred**2))
    few = len(names) <= min(2 * BATCHES_PER_CLASS, len(y) // 2)
    if not few or told < TELLING_SHARE:
        return None
    return (
        f"The {len(names)} groups tell {100 * told:.0f} % of the variance of the target: what a "
        "batch does to values cannot be told from what the target does. Measure samples of all "
        "values in each batch, or compare within batches; until then take scores and rankings for "
        "those of batches."
    )


def together(doubts: Mapping[Any, list[str | None]]) -> list[str]:
    """Return the doubts of the rankings of several classes, one sentence of each kind.

    Examples
    --------
    >>> together({"a": [None, "Bad."], "b": ["Worse.", "As bad."]})
    ["Class 'b': Worse.", "Class 'a' (and 1 more): Bad."]
    """
    sentences = []
    for kind in zip(*doubts.values(), strict=True):
        found = [(label, text) for label, text in zip(doubts, kind, strict=True) if text]
        if found:
            label, text = found[0]
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            sentences.append(f"Class {str(label)!r}{more}: {text}")
    return sentences
