"""Significance across data sets: Friedman, Nemenyi and Holm-adjusted Wilcoxon tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError, unknown_name

__all__ = [
    "FriedmanTest",
    "NemenyiTest",
    "PairTest",
    "friedman",
    "holm",
    "nemenyi",
    "wilcoxon_holm",
]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FriedmanTest:
    """Friedman's test with Iman and Davenport's less cautious F."""

    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    methods: tuple[str, ...]
    average_ranks: Floats


@dataclass(frozen=True)
class NemenyiTest:
    """Average ranks (1 is best), the critical difference, and p-values of all pairs."""

    methods: tuple[str, ...]
    average_ranks: Floats
    critical_difference: float
    p_values: Floats
    level: float

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The largest groups of methods, best first, whose ranks do not differ significantly.

        They are the bars of a critical-difference diagram. A group has at least two methods.
        """
        order = np.argsort(self.average_ranks, kind="stable")
        ranks = self.average_ranks[order]
        ends = np.searchsorted(ranks, ranks + self.critical_difference, side="left")
        found: list[tuple[str, ...]] = []
        last = 0
        for start, end in enumerate(ends):
            if end - start > 1 and end > last:
                found.append(tuple(self.methods[j] for j in order[start:end]))
                last = end
        return found


@dataclass(frozen=True)
class PairTest:
    """Two methods over data sets: Wilcoxon's p-value, raw and adjusted by Holm."""

    first: str
    second: str
    difference: float
    p_value: float
    adjusted_p_value: float


def friedman(scores: Any, methods: Sequence[str] | None = None) -> FriedmanTest:
    """Test whether methods differ at all over data sets.

    Methods are ranked within each data set, ties sharing their mean rank [1]_.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Higher is better. At least two data sets and three methods.
    methods : sequence of str or None, default=None
        Names of the columns.

    References
    ----------
    .. [1] J. Demšar, "Statistical comparisons of classifiers over multiple data sets", Journal
       of Machine Learning Research 7 (2006).

    Examples
    --------
    >>> from featrank.statistics import friedman
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.85, 0.6], [0.7, 0.8, 0.6]]
    >>> found = friedman(scores, ["ec-fs", "fisher", "mi"])
    >>> found.average_ranks.tolist(), found.p_value, found.f_p_value
    ([1.25, 1.75, 3.0], 0.0388, 0.0066)
    """
    from scipy.special import chdtrc, fdtrc

    ranks, names = _ranks(scores, methods, least=3)
    n, k = ranks.shape
    # The published statistic, corrected for the variance that ties remove.
    spread = ((ranks - (k + 1) / 2) ** 2).sum() / (n * (k - 1))
    means = ranks.mean(axis=0)
    between = n * ((means - (k + 1) / 2) ** 2).sum()
    statistic = between / spread if spread > 0 else 0.0
    rest = n * (k - 1) - statistic
    f = (n - 1) * statistic / rest if rest > 1e-9 * n * k else np.inf
    f_p_value = fdtrc(k - 1, (k - 1) * (n - 1), f) if np.isfinite(f) else 0.0
    p_value = chdtrc(k - 1, statistic)
    return FriedmanTest(float(statistic), float(p_value), float(f), float(f_p_value), names, means)


def nemenyi(
    scores: Any, methods: Sequence[str] | None = None, *, level: float = 0.05
) -> NemenyiTest:
    r"""Compare all pairs of methods by their average ranks over data sets.

    Two methods differ where their average ranks differ by the critical difference
    :math:`q_\alpha \sqrt{k (k + 1) / (6 N)}` for k methods on N data sets or more, with q the
    Studentised range over √2.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Higher is better.
    methods : sequence of str or None, default=None
        Names of the columns.
    level : float, default=0.05
        Of all pairs together.

    Examples
    --------
    >>> from featrank.statistics import nemenyi
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.85, 0.6], [0.7, 0.8, 0.6]]
    >>> found = nemenyi(scores, ["ec-fs", "fisher", "mi"])
    >>> found.critical_difference, found.groups
    (1.657, [('ec-fs', 'fisher'), ('fisher', 'mi')])
    """
    from scipy.stats import studentized_range

    if not 0 < level < 1:
        raise UsageError(f"level must lie between 0 and 1, got {level}.")
    ranks, names = _ranks(scores, methods, least=2)
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    error = np.sqrt(k * (k + 1) / (12 * n))
    p_values = np.ones((k, k))
    for i, j in combinations(range(k), 2):
        distance = abs(means[i] - means[j]) / error
        p_values[i, j] = p_values[j, i] = studentized_range.sf(distance, k, np.inf)
    critical = float(studentized_range.ppf(1 - level, k, np.inf) * error)
    return NemenyiTest(names, means, critical, p_values, level)


def wilcoxon_holm(
    scores: Any, methods: Sequence[str] | None = None, *, control: str | None = None
) -> list[PairTest]:
    """Compare methods over data sets by Wilcoxon's signed-rank test, adjusted by Holm.

    Ties are split between both sides. With ``control``, that method is compared with each other
    method. Otherwise all pairs are compared.

    Parameters
    ----------
    scores : array-like of shape (n_datasets, n_methods)
        Higher is better.
    methods : sequence of str or None, default=None
        Names of the columns.
    control : str or None, default=None
        The method that the others are compared with.

    Examples
    --------
    >>> from featrank.statistics import wilcoxon_holm
    >>> scores = [[0.91, 0.8, 0.7], [0.8, 0.7, 0.65], [0.9, 0.85, 0.6], [0.7, 0.8, 0.6]]
    >>> found = wilcoxon_holm(scores, ["ec-fs", "fisher", "mi"], control="ec-fs")
    >>> [(pair.second, pair.p_value, pair.adjusted_p_value) for pair in found]
    [('fisher', 0.5, 0.5), ('mi', 0.125, 0.25)]
    """
    table, names = _named(scores, methods, least=2)
    if control is not None and control not in names:
        raise UsageError(unknown_name("method", control, names))
    pairs = [
        (i, j) if control in (None, names[i]) else (j, i)
        for i, j in combinations(range(len(names)), 2)
        if control in (None, names[i], names[j])
    ]
    p_values = [_wilcoxon(table[:, i] - table[:, j]) for i, j in pairs]
    adjusted = holm(p_values)
    return [
        PairTest(names[i], names[j], float((table[:, i] - table[:, j]).mean()), p, float(q))
        for (i, j), p, q in zip(pairs, p_values, adjusted, strict=True)
    ]


def holm(p_values: Any) -> Floats:
    """Return p-values adjusted for their number by Holm's step-down method.

    Examples
    --------
    >>> from featrank.statistics import holm
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    raw = np.asarray(p_values, dtype=np.float64)
    if raw.ndim != 1 or not ((raw >= 0) & (raw <= 1)).all():
        raise DataError("p_values must be numbers in [0, 1] in one dimension.")
    order = np.argsort(raw, kind="stable")
    adjusted = np.empty_like(raw)
    adjusted[order] = np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1))
    return np.minimum(adjusted, 1)


def _wilcoxon(differences: Floats) -> float:
    from scipy.stats import wilcoxon

    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, zero_method="zsplit").pvalue)


def _ranks(scores: Any, methods: Sequence[str] | None, least: int) -> tuple[Floats, Any]:
    from scipy.stats import rankdata

    table, names = _named(scores, methods, least)
    return rankdata(-table, axis=1), names


def _named(
    scores: Any, methods: Sequence[str] | None, least: int
) -> tuple[Floats, tuple[str, ...]]:
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < least:
        raise DataError(
            f"scores must be data sets × methods, at least 2 × {least}, got shape {table.shape}."
        )
    if not np.isfinite(table).all():
        raise DataError(
            f"scores lack {np.count_nonzero(~np.isfinite(table))} values. Leave out the data "
            "sets or the methods that failed: ranks compare complete rows."
        )
    names = tuple(map(str, range(table.shape[1]) if methods is None else methods))
    if len(names) != table.shape[1] or len(set(names)) < len(names):
        raise UsageError(f"methods must name {table.shape[1]} columns once each, got {names}.")
    return table, names
