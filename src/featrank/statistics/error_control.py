"""False discovery rates of ranked features, from their ranks among decoys."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["expected_false", "log_ranks", "q_values"]

Floats = NDArray[np.float64]

# The middle of a ranking: features below the signals and above the bulk of the noise.
MIDDLE = 0.05, 0.25
# Share of the draws that are most similar to the data, and how many at least.
MATCHED_SHARE, FEWEST_MATCHED = 1 / 3, 5
# The matched draws may lower the expected number of false features to this share of the mean.
LEAST_SHARE = 0.5


def log_ranks(order: NDArray[np.integer]) -> Floats:
    """Return minus the logarithm of each feature's relative rank, from the order of the features.

    Examples
    --------
    >>> log_ranks(np.array([2, 0, 1])).round(2)
    array([0.69, 0.18, 1.79])
    """
    values = np.empty(len(order))
    values[order] = -np.log((np.arange(len(order)) + 0.5) / len(order))
    return values


def expected_false(features: Any, decoys: Any) -> Floats:
    r"""Return how many features without information are expected above each feature.

    In each draw, features and decoys were ranked together. A decoy is a feature with its rows
    permuted, so decoys show how features without information rank. Three steps:

    1. Some methods rank certain features higher whatever the target is, such as features with a
       large standard deviation. So each pair of a feature and its decoy is centred by the mean of
       the feature's other decoys, shrunk towards the mean of all decoys.
    2. In each draw, the decoys above each feature are counted.
    3. Features that are correlated rise together by chance. So the mean count is taken over the
       draws in which decoys are as frequent as features in the middle of the ranking, but it is at
       least half of the mean over all draws.

    One over the number of draws plus one is added, so that no feature is certain.

    Parameters
    ----------
    features, decoys : array-like of shape (n_draws, n_features)
        Values of the features and of their decoys in each draw, where higher is better. They are
        comparable within a draw: see :func:`log_ranks`.

    Returns
    -------
    expected : ndarray of shape (n_features,)
        Expected number of features without information that rank above each feature.

    Examples
    --------
    >>> from featrank.statistics import expected_false
    >>> rng = np.random.default_rng(0)
    >>> features, decoys = rng.normal(size=(2, 20, 100))
    >>> features[:, 0] += 10
    >>> float(expected_false(features, decoys)[0])
    0.047619047619047616
    """
    features, decoys = _centred(np.asarray(features, float), np.asarray(decoys, float))
    n_draws = len(features)
    counts = np.stack([_decoys_above(*pair) for pair in zip(features, decoys, strict=True)])
    imbalance = [
        abs(_share_of_features(*pair) - 0.5) for pair in zip(features, decoys, strict=True)
    ]
    n_matched = min(n_draws, max(FEWEST_MATCHED, round(MATCHED_SHARE * n_draws)))
    matched = np.argsort(imbalance, kind="stable")[:n_matched]
    mean = np.maximum(counts[matched].mean(axis=0), LEAST_SHARE * counts.mean(axis=0))
    return mean + 1 / (n_draws + 1)


def q_values(expected: Any) -> Floats:
    r"""Return the smallest false discovery rate at which each feature is in the list.

    .. math:: q_j = \min_{i \ge j} \frac{e_{(i)}}{i - 1/2}

    with the expected numbers of false features e in ascending order. Half a feature is subtracted
    from the length of the list, so that short lists need more evidence: without it, the best of
    many independent features without information would be in a list at level 0.1 with probability
    0.1.

    Examples
    --------
    >>> from featrank.statistics import q_values
    >>> q_values([0.01, 0.3, 0.06]).round(3)
    array([0.02, 0.12, 0.04])
    """
    expected = np.asarray(expected, dtype=np.float64)
    order = np.argsort(expected, kind="stable")
    rates = expected[order] / (np.arange(len(order)) + 0.5)
    values = np.empty(len(order))
    values[order] = np.minimum(np.minimum.accumulate(rates[::-1])[::-1], 1.0)
    return values


def _centred(features: Floats, decoys: Floats) -> tuple[Floats, Floats]:
    """Return both without what a feature's other decoys show of its usual value."""
    n_draws = len(decoys)
    if n_draws < 2:
        return features, decoys
    total = decoys.sum(axis=0)
    noise = float(decoys.var(axis=0, ddof=1).mean())
    spread = max(float(np.var(total / n_draws)) - noise / n_draws, 0.0)
    if spread == 0:
        return features, decoys
    shrinkage = spread / (spread + noise / (n_draws - 1))
    usual = shrinkage * ((total - decoys) / (n_draws - 1) - total.mean() / n_draws)
    return features - usual, decoys - usual


def _decoys_above(features: Floats, decoys: Floats) -> NDArray[np.intp]:
    """Return how many decoys have at least the value of each feature."""
    return len(decoys) - np.searchsorted(np.sort(decoys), features, side="left")


def _share_of_features(features: Floats, decoys: Floats) -> float:
    """Return the share of features, as opposed to decoys, in the middle of the ranking."""
    both = np.concatenate([features, decoys])
    first, last = (round(share * len(both)) for share in MIDDLE)
    middle = np.argsort(-both, kind="stable")[first : max(last, first + 1)]
    return float(np.mean(middle < len(features)))
