"""What the trials of a comparison show: intervals, and whether the choice of features matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank.statistics.ranks import holm
from featrank.statistics.significance import corrected_t_test

__all__ = [
    "SMALL_DIFFERENCE",
    "ChoiceVerdict",
    "Interval",
    "choice_verdicts",
    "corrected_interval",
    "method_intervals",
]

#: Smaller differences of scores count as none.
SMALL_DIFFERENCE = 0.01
CONFIDENCE, LEVEL = 0.95, 0.05

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """A mean with its standard error and the ends of its interval."""

    mean: float
    error: float
    low: float
    high: float


class ChoiceVerdict(NamedTuple):
    """A method compared with random features at one number of features.

    ``matters`` is None if the trials are too few for a test.
    """

    k: int
    difference: float
    p_value: float
    matters: bool | None


def corrected_interval(
    scores: Any, *, test_fraction: float = 1 / 3, confidence: float = CONFIDENCE
) -> Interval:
    r"""Return the mean of scores over repeated random splits, with its corrected interval.

    The standard error is that of the corrected resampled t-test,
    :math:`\sqrt{(1 / J + n_2 / n_1)\, s^2}` for J splits into n₁ training and n₂ test rows. An
    interval from :math:`s / \sqrt J` would be too narrow, because the splits share rows.

    Parameters
    ----------
    scores : array-like of shape (n_splits,)
        Scores, or differences of scores on the same splits. NaN are left out.
    test_fraction : float, default=1/3
        Share of test rows.
    confidence : float, default=0.95
        Confidence level.

    Examples
    --------
    >>> from featrank.statistics import corrected_interval
    >>> found = corrected_interval([0.9, 0.8, 0.95, 0.9])
    >>> [round(number, 3) for number in found]
    [0.888, 0.054, 0.714, 1.061]
    """
    from scipy.special import stdtrit

    known = np.asarray(scores, dtype=np.float64)
    known = known[~np.isnan(known)]
    mean = float(known.mean()) if len(known) else np.nan
    if len(known) < 2:
        return Interval(mean, np.nan, np.nan, np.nan)
    share = 1 / len(known) + test_fraction / (1 - test_fraction)
    error = float(np.sqrt(share * known.var(ddof=1)))
    margin = float(stdtrit(len(known) - 1, (1 + confidence) / 2)) * error
    return Interval(mean, error, mean - margin, mean + margin)


def choice_verdicts(
    scores: Mapping[int, Any],
    random: Mapping[int, Any],
    *,
    test_fraction: float = 1 / 3,
    fewest: int = 5,
) -> list[ChoiceVerdict]:
    """Test at each number of features whether a method scores higher than random features.

    The choice matters where the mean difference is at least 0.01 and p of the one-sided corrected
    resampled t-test, adjusted by Holm's method over the numbers of features, is below 0.05.

    Parameters
    ----------
    scores, random : mapping of int to array-like of shape (n_trials,)
        Scores of the method, and mean scores of random rankings, by number of features.
    test_fraction : float, default=1/3
        Share of test rows.
    fewest : int, default=5
        Number of trials that the test needs.

    Examples
    --------
    >>> from featrank.statistics import choice_verdicts
    >>> own = {5: [0.9, 0.91, 0.88, 0.9, 0.9], 50: [0.92, 0.9, 0.9, 0.91, 0.93]}
    >>> random = {5: [0.6, 0.62, 0.58, 0.55, 0.6], 50: [0.915, 0.9, 0.9, 0.91, 0.93]}
    >>> [verdict.matters for verdict in choice_verdicts(own, random)]
    [True, False]
    """
    differences, p_values = [], []
    for k, own in scores.items():
        a, b = np.asarray(own, dtype=np.float64), np.asarray(random[k], dtype=np.float64)
        both = ~(np.isnan(a) | np.isnan(b))
        differences.append(float((a - b)[both].mean()) if both.any() else np.nan)
        enough = both.sum() >= max(2, fewest)
        p_values.append(_one_sided(a[both], b[both], test_fraction) if enough else np.nan)
    adjusted = np.full(len(p_values), np.nan)
    tested = ~np.isnan(p_values)
    if tested.any():
        adjusted[tested] = holm(np.asarray(p_values)[tested])
    return [
        ChoiceVerdict(int(k), difference, float(p), _matters(difference, float(p)))
        for k, difference, p in zip(scores, differences, adjusted, strict=True)
    ]


def _matters(difference: float, p_value: float) -> bool | None:
    if np.isnan(p_value):
        return None
    return bool(p_value < LEVEL and difference >= SMALL_DIFFERENCE)


def _one_sided(a: Floats, b: Floats, test_fraction: float) -> float:
    test = corrected_t_test(a, b, test_fraction=test_fraction)
    return test.p_value / 2 if test.difference > 0 else 1 - test.p_value / 2


def method_intervals(
    scores: Mapping[str, Any], best: str, *, test_fraction: float = 1 / 3, fewest: int = 5
) -> dict[str, Interval]:
    """Return how far each other method scores above the best one, with simultaneous intervals.

    The intervals contain all differences with a probability of 95 %: each has a confidence level
    of 1 - 0.05 / (number of pairs of methods), because the best method is chosen from the same
    scores. Methods with fewer common trials than ``fewest`` are left out.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_trials,)
        Each method's scores, trials in the same order.
    best : str
        The method with the best score.
    test_fraction : float, default=1/3
        Share of test rows.
    fewest : int, default=5
        Number of trials that an interval needs.

    Examples
    --------
    >>> from featrank.statistics import method_intervals
    >>> scores = {"mi": [0.8, 0.82, 0.79, 0.8, 0.81], "fisher": [0.9, 0.91, 0.9, 0.89, 0.9]}
    >>> method_intervals(scores, "fisher")["mi"].high < 0
    True
    """
    n_pairs = max(1, len(scores) * (len(scores) - 1) // 2)
    confidence = 1 - (1 - CONFIDENCE) / n_pairs
    own = np.asarray(scores[best], dtype=np.float64)
    found = {}
    for name, theirs in scores.items():
        differences = np.asarray(theirs, dtype=np.float64) - own
        if name != best and (~np.isnan(differences)).sum() >= max(2, fewest):
            found[name] = corrected_interval(
                differences, test_fraction=test_fraction, confidence=confidence
            )
    return found
