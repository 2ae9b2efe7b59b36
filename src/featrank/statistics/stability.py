"""Stability: the agreement of selected features over resampled data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import UsageError
from featrank.statistics.frequency import selection_frequency
from featrank.statistics.measures import StabilityInterval, interval_of_nogueira, measure_called
from featrank.statistics.subsets import Subsets, as_subsets, checked_ks, top_lists

__all__ = [
    "nogueira_interval",
    "ranking_stability",
    "selection_frequency",
    "stability_curve",
    "stability_curves",
    "subset_interval",
    "subset_stability",
]

Floats = NDArray[np.float64]

CONFIDENCE = 0.95


def ranking_stability(
    rankings: Iterable[Any], k: int, measure: str = "kuncheva", *, n_features: int | None = None
) -> float:
    r"""Return the stability of the top k features over several rankings.

    With M rankings of n features, c the number of rankings with a feature among the top k, r the
    size of the overlap of two such sets, and means over all pairs:

    "kuncheva"
        mean of :math:`(rn - k^2) / (k (n - k))`: 1 for identical sets, 0 on average
        for random sets [1]_.
    "nogueira"
        :math:`1 - \frac{M}{M - 1} \sum_j \frac{c_j}{M} (1 - \frac{c_j}{M}) / (k (1 - k/n))`,
        corrected for chance as well. Equal to Kuncheva's index for sets of one size [2]_.
    "jaccard"
        mean of :math:`r / (2k - r)`, in [0, 1]. Not corrected for chance: random sets score above
        0, and more so for larger k.
    "jensen-shannon"
        :math:`1 - D / D^*` with D the mean Kullback-Leibler divergence of the rankings from
        their mean and D* its value for endless random rankings [3]_. The feature of rank r has
        the probability :math:`\frac{1}{2k} (1 + \frac{1}{r} + \frac{1}{r+1} + \dots +
        \frac{1}{k})`, and 0 beyond k, so order counts, most at the top. With k = n it compares full
        rankings. D cannot exceed log M: a few random rankings score above 0.

    At k = n the sets are identical, and the first three measures are 1 by definition (the
    formulas of the two corrected ones give 0/0).

    Parameters
    ----------
    rankings : iterable of array-like
        At least two orders of feature indices, best first: each a permutation of 0, …, n - 1.
        A fitted ranker's order is ``numpy.argsort(ranker.ranking_)``.
    k : int
        Number of top features.
    measure : {"kuncheva", "nogueira", "jaccard", "jensen-shannon"}, default="kuncheva"
        The measure.
    n_features : int or None, default=None
        Number of all features, if the rankings are top lists of at least k features.

    Returns
    -------
    value : float
        1 for identical sets, or identical lists if the order counts.

    References
    ----------
    .. [1] L. I. Kuncheva, "A stability index for feature selection", Artificial Intelligence
       and Applications (2007).
    .. [2] S. Nogueira, K. Sechidis, G. Brown, "On the stability of feature selection
       algorithms", Journal of Machine Learning Research 18 (2018).
    .. [3] R. Guzmán-Martínez, R. Alaiz-Rodríguez, "Feature selection stability assessment based
       on the Jensen-Shannon divergence", ECML PKDD (2011).

    Examples
    --------
    >>> from featrank.statistics import ranking_stability
    >>> rankings = [[0, 1, 2, 3, 4, 5], [1, 0, 3, 2, 5, 4]]
    >>> ranking_stability(rankings, 2)
    1.0
    >>> ranking_stability(rankings, 3), ranking_stability(rankings, 3, "jaccard")
    (0.333, 0.5)
    >>> ranking_stability(rankings, 2, "jensen-shannon")
    0.972
    """
    return float(stability_curve(rankings, [k], measure, n_features=n_features)[0])


def stability_curve(
    rankings: Iterable[Any],
    ks: Sequence[int] = tuple(range(10, 201, 10)),
    measure: str = "kuncheva",
    *,
    n_features: int | None = None,
) -> Floats:
    """Return the stability at several k.

    Parameters are those of :func:`ranking_stability`. ``ks`` holds the numbers of features.

    Examples
    --------
    >>> from featrank.statistics import stability_curve
    >>> stability_curve([[0, 1, 2, 3], [0, 2, 1, 3]], ks=[1, 2, 3, 4]).tolist()
    [1.0, 0.0, 1.0, 1.0]
    """
    compute = measure_called(measure).of
    orders, n = top_lists(rankings, checked_ks(ks), n_features)
    return np.array([compute(Subsets.first(orders, k, n), _rank_weights(k)) for k in ks])


def stability_curves(
    results: Any, ks: Sequence[int] = tuple(range(10, 201, 10)), measure: str = "kuncheva"
) -> list[dict[str, Any]]:
    """Return the stability of every method, one row per method and k.

    Parameters
    ----------
    results : Comparison, or any object with ``rankings``
        Feature orders by method. Methods with fewer than two rankings are omitted.
    ks : sequence of int
        Numbers of features.
    measure : str, default="kuncheva"
        As for :func:`ranking_stability`.

    Returns
    -------
    rows : list of dict
        ``method``, ``k``, ``stability`` and, for "nogueira", the ends of its 95 % interval,
        ``low`` and ``high``: a tidy table, as ``polars.DataFrame(rows)`` or pandas take it.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from featrank.statistics import stability_curves
    >>> results = SimpleNamespace(rankings={"mi": [[0, 1, 2, 3], [0, 2, 1, 3]]})
    >>> stability_curves(results, ks=[1, 2])
    [{'method': 'mi', 'k': 1, 'stability': 1.0}, {'method': 'mi', 'k': 2, 'stability': 0.0}]
    """
    compared = {name: each for name, each in results.rankings.items() if len(each) > 1}
    return [
        {"method": name, **point}
        for name, each in compared.items()
        for point in _points(each, ks, measure)
    ]


def _points(rankings: Any, ks: Sequence[int], measure: str) -> list[dict[str, Any]]:
    interval = measure_called(measure).interval
    if interval is None:
        values = stability_curve(rankings, ks, measure)
        return [{"k": k, "stability": float(v)} for k, v in zip(ks, values, strict=True)]
    orders, n = top_lists(rankings, checked_ks(ks), None)
    found = [interval(Subsets.first(orders, k, n), CONFIDENCE) for k in ks]
    return [
        {"k": k, "stability": each.value, "low": each.low, "high": each.high}
        for k, each in zip(ks, found, strict=True)
    ]


def subset_stability(subsets: Iterable[Any], n_features: int, measure: str = "kuncheva") -> float:
    """Return the stability of several sets of features.

    The measures are those of :func:`ranking_stability`. Only "nogueira" and "jaccard" support
    sets of different sizes. For "jensen-shannon" each of the k members has the
    probability 1/k.

    Parameters
    ----------
    subsets : iterable of array-like
        At least two sets: feature indices in any order, or boolean masks of all features.
    n_features : int
        Number of all features.
    measure : {"kuncheva", "nogueira", "jaccard", "jensen-shannon"}, default="kuncheva"
        The measure.

    Examples
    --------
    >>> from featrank.statistics import subset_stability
    >>> subset_stability([[0, 1], [1, 0, 2]], n_features=10, measure="jaccard")
    0.667
    >>> subset_stability([[0, 1], [2, 3]], n_features=4)
    -1.0
    """
    compute = measure_called(measure).of
    sets = as_subsets(subsets, n_features)
    if measure_called(measure).one_size:
        _require_one_size(sets, measure)
    return float(compute(sets, _even_weights(int(sets.sizes[0]))))


def nogueira_interval(
    rankings: Iterable[Any], k: int, *, confidence: float = 0.95, n_features: int | None = None
) -> StabilityInterval:
    """Return Nogueira's stability of the first k features with its confidence interval.

    The variance is the asymptotic one of the estimate over M → ∞ sets that are drawn
    independently [1]_. With few rankings, or rankings of overlapping training rows, the
    interval is a rough guide.

    References
    ----------
    .. [1] S. Nogueira, K. Sechidis, G. Brown, "On the stability of feature selection
       algorithms", Journal of Machine Learning Research 18 (2018).

    Examples
    --------
    >>> from featrank.statistics import nogueira_interval
    >>> found = nogueira_interval([[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2]], 2)
    >>> found.value, found.low, found.high
    (0.333, -0.022, 0.689)
    """
    orders, n = top_lists(rankings, checked_ks([k]), n_features)
    return interval_of_nogueira(Subsets.first(orders, k, n), confidence)


def subset_interval(
    subsets: Iterable[Any], n_features: int, *, confidence: float = 0.95
) -> StabilityInterval:
    """Return Nogueira's stability of sets of any sizes with its confidence interval.

    Examples
    --------
    >>> from featrank.statistics import subset_interval
    >>> subset_interval([[0, 1], [0, 1], [0, 1]], n_features=10)
    StabilityInterval(value=1.0, low=1.0, high=1.0, confidence=0.95)
    """
    return interval_of_nogueira(as_subsets(subsets, n_features), confidence)


def _rank_weights(k: int) -> Floats:
    """Return the probabilities of ranks 1, …, k, which sum to 1."""
    tails = np.cumsum(1 / np.arange(k, 0, -1))[::-1]  # 1/r + … + 1/k
    return (1 + tails) / (2 * k)


def _even_weights(k: int) -> Floats:
    return np.full(k, 1 / max(k, 1))


def _require_one_size(sets: Subsets, measure: str) -> None:
    if np.ptp(sets.sizes) > 0:
        raise UsageError(
            f"The measure '{measure}' compares sets of one size, but these hold between "
            f"{sets.sizes.min()} and {sets.sizes.max()} features. Use measure='nogueira', which "
            "is corrected for chance too and takes sets of any sizes."
        )
