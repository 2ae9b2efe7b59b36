"""Significance of differences between methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.statistics.normality import SMALLEST, NormalityTest, lilliefors

__all__ = ["Difference", "TTest", "compare_to", "corrected_t_test", "t_test"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class TTest:
    """A t-test of a difference of means, two-sided."""

    difference: float
    statistic: float
    df: float
    p_value: float


@dataclass(frozen=True)
class Difference:
    """The reference method compared with another at one k.

    ``t_test`` assumes independent trials. ``corrected`` accounts for shared rows.
    """

    reference: str
    other: str
    k: int | None
    normality: tuple[NormalityTest | None, NormalityTest | None]
    t_test: TTest
    corrected: TTest
    level: float = 0.05

    @property
    def normal(self) -> bool:
        """Whether Lilliefors' test accepts normality of both methods' scores."""
        p_values = [test.p_value if test else np.nan for test in self.normality]
        return all(p_value >= self.level for p_value in p_values)

    @property
    def significant(self) -> bool:
        """Whether p of the two-sample t-test is below the level."""
        return self.t_test.p_value < self.level

    @property
    def corrected_significant(self) -> bool:
        """Whether p of the corrected resampled t-test is below the level."""
        return self.corrected.p_value < self.level

    def row(self) -> dict[str, Any]:
        """Return the difference and its p-values as a row of a table. NaN without a test."""
        own, others = (test.p_value if test else np.nan for test in self.normality)
        return {
            "method": self.reference,
            "other": self.other,
            "k": self.k,
            "difference": self.t_test.difference,
            "normality_p": own,
            "other_normality_p": others,
            "t_test_p": self.t_test.p_value,
            "corrected_p": self.corrected.p_value,
        }


def t_test(a: Any, b: Any) -> TTest:
    """Test whether two independent samples have the same mean, with equal variances.

    Without any variance, p is 1 for equal means and 0 for different ones.

    Examples
    --------
    >>> from featrank.statistics import t_test
    >>> t_test([0.9, 0.8, 0.95], [0.7, 0.6, 0.75]).p_value
    0.0327
    """
    a, b = _finite(a, "a"), _finite(b, "b")
    df = len(a) + len(b) - 2
    pooled = ((len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)) / df
    return _t_test(a.mean() - b.mean(), pooled * (1 / len(a) + 1 / len(b)), df)


def corrected_t_test(a: Any, b: Any, *, test_fraction: float = 1 / 3) -> TTest:
    r"""Test paired scores of repeated random splits of one data set (Nadeau and Bengio).

    .. math:: t = \bar d \Big/ \sqrt{\left(\frac{1}{J} + \frac{n_2}{n_1}\right) s_d^2}

    with d the differences over J splits into n₁ training and n₂ test rows. Training sets
    overlap, so the scores are dependent and the plain t-test reports false differences. The term
    n₂/n₁ corrects for that [1]_.

    Parameters
    ----------
    a, b : array-like of shape (n_splits,)
        Scores of two methods on the same splits.
    test_fraction : float, default=1/3
        Share of test rows. One over the number of folds for cross-validation.

    References
    ----------
    .. [1] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52
       (2003).

    Examples
    --------
    >>> from featrank.statistics import corrected_t_test
    >>> corrected_t_test([0.9, 0.8, 0.95, 0.9], [0.8, 0.75, 0.8, 0.85]).p_value
    0.125
    """
    a, b = _finite(a, "a"), _finite(b, "b")
    if len(a) != len(b):
        raise DataError(f"Scores must come from the same splits, got {len(a)} and {len(b)} scores.")
    if not 0 < test_fraction < 1:
        raise UsageError(f"test_fraction must lie between 0 and 1, got {test_fraction}.")
    differences = a - b
    share = 1 / len(a) + test_fraction / (1 - test_fraction)
    return _t_test(differences.mean(), share * differences.var(ddof=1), len(a) - 1)


def compare_to(
    scores: Mapping[str, Any],
    reference: str,
    *,
    ks: Sequence[int] | None = None,
    test_fraction: float = 1 / 3,
    level: float = 0.05,
) -> list[Difference]:
    """Compare one method with every other one at each k over the same trials.

    Trials without a score (NaN) are omitted, for each method in the two-sample t-test and in
    pairs in the corrected one. With fewer than two trials left, the test is NaN and not
    significant.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_trials,) or (n_trials, n_ks)
        Each method's scores, trials in the same order.
    reference : str
        The method to compare with the others.
    ks : sequence of int or None, default=None
        The number of features of each column, to label the comparisons.
    test_fraction : float, default=1/3
        Share of test rows.
    level : float, default=0.05
        p-values below it are significant.

    Examples
    --------
    >>> from featrank.statistics import compare_to
    >>> scores = {"ec-fs": [0.9, 0.8, 0.95, 0.9, 0.85], "mi": [0.7, 0.6, 0.65, 0.7, 0.6]}
    >>> [found] = compare_to(scores, "ec-fs")
    >>> found.other, found.t_test.difference, found.significant, found.corrected_significant
    ('mi', 0.23, True, True)
    """
    if reference not in scores:
        raise UsageError(unknown_name("method", reference, scores))
    tables = {name: _table(values, name) for name, values in scores.items()}
    _require_same_shape(tables)
    own, n_ks = tables[reference], tables[reference].shape[1]
    if ks is not None and len(ks) != n_ks:
        raise UsageError(f"ks names {len(ks)} columns, but the scores have {n_ks}.")
    corrected = partial(corrected_t_test, test_fraction=test_fraction)
    return [
        Difference(
            reference,
            other,
            None if ks is None else int(ks[column]),
            (_normality(own[:, column]), _normality(table[:, column])),
            _if_known(t_test, _known(own[:, column]), _known(table[:, column])),
            _if_known(corrected, *_known_pairs(own[:, column], table[:, column])),
            level,
        )
        for other, table in tables.items()
        if other != reference
        for column in range(n_ks)
    ]


def one_sided(differences: Floats) -> float:
    """Return the one-sided p-value of a positive mean of independent differences."""
    n = len(differences)
    test = _t_test(differences.mean(), differences.var(ddof=1) / n, n - 1)
    return test.p_value / 2 if test.statistic > 0 else 1 - test.p_value / 2


def _t_test(difference: float, variance: float, df: float) -> TTest:
    from scipy.special import stdtr

    if variance > 0:
        statistic = difference / np.sqrt(variance)
    else:
        statistic = np.sign(difference) * np.inf if difference else 0.0
    p_value = 2 * stdtr(df, -abs(statistic))
    return TTest(float(difference), float(statistic), float(df), float(p_value))


def _finite(values: Any, name: str) -> Floats:
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or len(sample) < 2 or not np.isfinite(sample).all():
        raise DataError(
            f"{name} must hold at least two finite scores in one dimension, got an array of "
            f"shape {sample.shape} with {np.isfinite(sample).sum()} finite values."
        )
    return sample


def _table(values: Any, name: str) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2:
        raise DataError(f"The scores of '{name}' must be trials × ks, got shape {table.shape}.")
    return table


def _require_same_shape(tables: Mapping[str, Floats]) -> None:
    if len({table.shape for table in tables.values()}) > 1:
        listed = ", ".join(f"{name} {table.shape}" for name, table in tables.items())
        raise DataError(f"All methods need scores of the same trials and ks, got {listed}.")


def _known(scores: Floats) -> Floats:
    return scores[~np.isnan(scores)]


def _known_pairs(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    both = ~(np.isnan(a) | np.isnan(b))
    return a[both], b[both]


def _if_known(test: Callable[[Floats, Floats], TTest], a: Floats, b: Floats) -> TTest:
    return TTest(np.nan, np.nan, np.nan, np.nan) if min(len(a), len(b)) < 2 else test(a, b)


def _normality(scores: Floats) -> NormalityTest | None:
    known = _known(scores)
    return lilliefors(known) if len(known) >= SMALLEST else None
