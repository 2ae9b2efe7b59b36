"""Univariate tests of every class against the rest: Welch's, the moderated t and Wilcoxon's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from featrank._utils import threads
from featrank._utils.progress import tracked
from featrank.exceptions import DataError, UsageError, unknown_name
from featrank.kernels import Groups
from featrank.kernels.dense import dense_block
from featrank.statistics.fold_changes import FOLD_CHANGES, fold_changes
from featrank.statistics.moderated_t import PooledMoments, moderated_t
from featrank.statistics.rank_sums import RankSums
from featrank.statistics.value_scales import FeatureFacts, ValueScales, guess_scales
from featrank.statistics.welch import split_moments, welch_test
from featrank.summaries.blocks import DenseBlock
from featrank.summaries.column_stats import ColumnStats
from featrank.summaries.moments import Moments
from featrank.summaries.sparse_blocks import SparseBlock
from featrank.values.containers import as_numbers, dense_columns
from featrank.values.numbers import LARGEST

__all__ = ["ClassTests", "class_tests"]

Floats = NDArray[np.float64]
Test = Literal["welch", "moderated-t", "wilcoxon"]
Values = Literal["auto", "log2", "ln", "log10", "log1p", "linear", "ct", "none"]
Block = DenseBlock | SparseBlock

#: The names of the tests in sentences.
TESTS = {
    "welch": "Welch's t-test",
    "moderated-t": "the moderated t-test",
    "wilcoxon": "Wilcoxon's rank-sum test",
}
#: Tests of means. They need moments only.
OF_MOMENTS = ("welch", "moderated-t")
# With fewer samples in a group, the variance of a single feature is a poor estimate.
FEW_SAMPLES = 10
VALUES = ("auto", *FOLD_CHANGES)

# Values and columns per block. Sorting takes several times as much memory.
BLOCK_VALUES = 2**21
MOST_COLUMNS = 4096


@dataclass(frozen=True, eq=False)
class ClassTests:
    """Tests of every class against the rest, with one row per class and one column per feature.

    Attributes
    ----------
    test : {"welch", "moderated-t", "wilcoxon"}
        Which test.
    scales : ValueScales
        The scale of the values that the fold changes assume: ``usual`` for most features, and
        ``of_features`` for each.
    log2_fold_change : ndarray of shape (n_classes, n_features)
        Fold change of the class over the rest. NaN if undefined.
    mean_difference : ndarray of shape (n_classes, n_features)
        Mean of the class minus mean of the rest, on the scale of the values.
    statistic : ndarray of shape (n_classes, n_features)
        t, positive if the mean of the class is higher, or Wilcoxon's U of the class.
    p_value : ndarray of shape (n_classes, n_features)
        Two-sided p-value. NaN if the test is undefined.
    p_adjusted : ndarray of shape (n_classes, n_features)
        p-values of a class adjusted by the method of Benjamini and Hochberg.
    mean_class, mean_rest : ndarray of shape (n_classes, n_features)
        The means. NaN without values.
    """

    test: str
    scales: ValueScales
    log2_fold_change: Floats
    statistic: Floats
    p_value: Floats
    p_adjusted: Floats
    mean_class: Floats
    mean_rest: Floats

    @property
    def mean_difference(self) -> Floats:
        """Mean of the class minus mean of the rest."""
        return self.mean_class - self.mean_rest


def class_tests(X: Any, codes: Any, test: Test = "welch", *, values: Values = "auto") -> ClassTests:
    r"""Test each feature on its own, for every class against the rest, in one pass over X.

    Welch's test [1]_ compares means without assuming equal variances:

    .. math:: t = \frac{\bar x_1 - \bar x_2}{\sqrt{s_1^2/n_1 + s_2^2/n_2}}

    with the degrees of freedom of Welch and Satterthwaite. The moderated t-test [4]_ shrinks the
    pooled variance of each feature towards that of all features, which is better for few samples.
    Wilcoxon's rank-sum test [2]_ (that of Mann and Whitney) compares ranks, with the normal
    approximation corrected for ties and continuity. All are two-sided. p-values are adjusted over
    all features of a class by the method of Benjamini and Hochberg [3]_.

    Parameters
    ----------
    X : array-like, data frame or sparse matrix of shape (n_samples, n_features)
        The samples. NaN is a missing value and is ignored. The data is processed in blocks, and
        only the stored values of sparse columns are read.
    codes : array-like of shape (n_samples,)
        The class of each sample as a whole number from 0.
    test : {"welch", "moderated-t", "wilcoxon"}, default="welch"
        Which test.
    values : str, default="auto"
        The scale of the values, for the fold changes. These are computed from the means
        :math:`m_1` of the class and :math:`m_2` of the rest:

        - "log2", "ln" and "log10": :math:`m_1 - m_2`, converted to base 2
        - "log1p", natural logarithms of one plus the value:
          :math:`\log_2\frac{e^{m_1} - 1 + 10^{-9}}{e^{m_2} - 1 + 10^{-9}}`, as in scanpy
        - "linear": :math:`\log_2\frac{m_1 + c}{m_2 + c}`, undefined unless both are positive.
          The pseudocount c is 1, or 0 if 95 % of the features have positive values only.
        - "ct", cycles of a qPCR: :math:`m_2 - m_1`
        - "none": no fold change, for values without ratios such as ranks
        - "auto": guessed, see Notes

    Returns
    -------
    tests : ClassTests
        Fold changes, statistics and p-values, and the assumed scale of the values.

    Notes
    -----
    With ``values="auto"``, most features decide for all, in this order. Constant features are
    ignored.

    - More than half of the features are non-negative integers: "linear" (counts), or "none" if
      nearly all are at most 2 (genotypes).
    - At least 2 % of the features, and at least 4, have values above 100, or more than half have
      values above 50, or the standard deviations grow in proportion to the means: "linear".
    - Nearly all features lie between 0 and 1 (beta values), or are standardised: "none".
    - Nearly all features are positive with means around 1: "linear" (ratios).
    - Otherwise "log2". Features of integers get no fold change then. Neither do features with
      values above 50, or above 20 and far above the other features. Examples are ages and counts.

    "Nearly all" means all but a quarter of the features, or all but 3.

    Welch's test is undefined (NaN) if the class or the rest has fewer than two values, the others
    if either has none. Without any variance, Welch's p is 1 for equal means and 0 for different
    ones. If all values are equal, p is 1 for the other tests.

    References
    ----------
    .. [1] B. L. Welch, "The generalization of 'Student's' problem when several different
       population variances are involved", Biometrika 34 (1947).
    .. [2] H. B. Mann, D. R. Whitney, "On a test of whether one of two random variables is
       stochastically larger than the other", Annals of Mathematical Statistics 18 (1947).
    .. [3] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate: a practical and
       powerful approach to multiple testing", Journal of the Royal Statistical Society B 57
       (1995).
    .. [4] G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential
       expression in microarray experiments", Statistical Applications in Genetics and Molecular
       Biology 3 (2004).

    Examples
    --------
    >>> from featrank.statistics import class_tests
    >>> X = [[5.1, 2.0], [5.9, 3.5], [8.8, 2.5], [9.4, 3.0]]
    >>> tests = class_tests(X, [0, 0, 1, 1])
    >>> tests.scales.usual, tests.log2_fold_change[1]
    ('log2', array([3.6, 0. ]))
    >>> tests.p_value[1]
    array([0.0229, 1. ])
    """
    for kind, name, known in (("test", test, TESTS), ("scale of values", values, VALUES)):
        if name not in known:
            raise UsageError(unknown_name(kind, name, known))
    X = _matrix(X)
    n_samples, n_features = X.shape
    groups, read = _groups(codes, n_samples), _reader(X)
    width = int(np.clip(BLOCK_VALUES // max(n_samples, 1), 1, MOST_COLUMNS))
    parts = [
        _block_tests(read(columns), groups, test, columns.start)
        for columns in tracked(threads.blocks(n_features, width))
    ]
    return _combine_parts(parts, test, values)


def moment_tests(moments: Moments, test: Test, values: Values = "auto") -> ClassTests:
    """Return the tests of ``class_tests`` from the moments of all features.

    ``test`` is one of ``OF_MOMENTS``: ranks are not known from moments.
    """
    return _combine_parts([_moment_part(moments, test)], test, values)


def default_test(class_sizes: Sequence[int]) -> Test:
    """Return the test for these group sizes: the moderated t with fewer than 10 samples.

    Examples
    --------
    >>> default_test([3, 30]), default_test([10, 12])
    ('moderated-t', 'welch')
    """
    return "moderated-t" if min(class_sizes) < FEW_SAMPLES else "welch"


class _Part(NamedTuple):
    """Means and tests of some features, one row per class, and a summary of their values.

    ``found`` is what ``_finish`` turns into the statistic and p.
    """

    own: Floats
    rest: Floats
    found: tuple[Floats, ...]
    facts: FeatureFacts


def _combine_parts(parts: Sequence[_Part], test: Test, values: Values) -> ClassTests:
    facts = FeatureFacts.concatenate([part.facts for part in parts])
    own, rest = (np.concatenate([part[place] for part in parts], axis=1) for place in (0, 1))
    n_features, automatic = own.shape[1], values == "auto"
    scales = guess_scales(facts) if automatic else ValueScales.all_equal(values, n_features)
    found = zip(*(part.found for part in parts), strict=True)
    statistic, p_value = _finish(test, [np.concatenate(each, axis=1) for each in found])
    change = fold_changes(own, rest, scales, facts)
    adjusted = np.stack([*map(_adjusted, p_value)])
    return ClassTests(test, scales, change, statistic, p_value, adjusted, own, rest)


def _finish(test: Test, found: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the statistic and p. Shrinking variances needs those of all features."""
    if test == "moderated-t":
        return moderated_t(PooledMoments(*found))
    statistic, p_value = found
    return statistic, p_value


def _matrix(X: Any) -> Any:
    X = as_numbers(X)
    if len(X.shape) != 2 or 0 in X.shape:
        raise DataError(f"X must have samples and features, got shape {tuple(X.shape)}.")
    return X


def _reader(X: Any) -> Callable[[slice], Block]:
    """Return a function that returns some columns as a block."""
    if hasattr(X, "tocsc"):
        return SparseBlock.of(X).part
    if isinstance(X, np.ndarray):
        return lambda columns: DenseBlock(dense_block(X, columns))
    return lambda columns: DenseBlock(dense_columns(X, np.arange(columns.start, columns.stop)))


def _groups(codes: Any, n_samples: int) -> Groups:
    codes = np.asarray(codes)
    if codes.shape != (n_samples,) or codes.dtype.kind not in "iub" or np.any(codes < 0):
        raise DataError(
            f"codes must be {n_samples} whole numbers from 0, the class of each sample. Got "
            f"{codes.dtype} of shape {codes.shape}. Use numpy.unique(y, return_inverse=True)[1]."
        )
    n_classes = int(codes.max()) + 1
    if n_classes < 2:
        raise DataError("Tests compare a class with the rest: at least two classes are needed.")
    return Groups.of(codes.astype(np.intp), n_classes)


def _block_tests(block: Block, groups: Groups, test: str, first: int) -> _Part:
    moments = ColumnStats.of(block, groups, None, "width").moments
    _require_usable(moments, first)
    if test in OF_MOMENTS:
        return _moment_part(moments, test)
    means = split_moments(moments)[1]
    found = _wilcoxon(RankSums.of(block, groups))
    return _Part(means[1], means[0], found, FeatureFacts.of(moments))


def _moment_part(moments: Moments, test: str) -> _Part:
    counts, means, squares = split_moments(moments)
    describe = welch_test if test == "welch" else PooledMoments.of
    found = describe(counts, means, squares)
    return _Part(means[1], means[0], found, FeatureFacts.of(moments))


def _require_usable(moments: Moments, first: int) -> None:
    low, high = moments.low, moments.high
    bad = np.flatnonzero((low <= high) & ((low < -LARGEST) | (high > LARGEST)))
    if len(bad):
        raise DataError(
            f"Values of {len(bad)} features are infinite or too large to be squared (the first is "
            f"feature {first + bad[0]}). Replace or rescale them."
        )


def _wilcoxon(ranks: RankSums) -> tuple[Floats, Floats]:
    """Return U of each class and p."""
    from scipy.special import ndtr

    own, n = ranks.count, ranks.count.sum(axis=0)
    rest = n - own
    above = ranks.total - own * (own + 1) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = own * rest / 12 * ((n + 1) - ranks.ties / (n * (n - 1)))
        z = (np.abs(above - own * rest / 2) - 0.5) / np.sqrt(np.maximum(variance, 0))
    p = np.where(ranks.ties < n**3 - n, np.minimum(2 * ndtr(-z), 1), 1.0)
    defined = (own > 0) & (rest > 0)
    return np.where(defined, above, np.nan), np.where(defined, p, np.nan)


def _adjusted(p_value: Floats) -> Floats:
    from scipy.stats import false_discovery_control

    adjusted, known = p_value.copy(), ~np.isnan(p_value)
    if known.any():
        adjusted[known] = false_discovery_control(p_value[known])
    return adjusted
