"""Guess whether values are logarithms, for fold changes.

Most features decide for all. A few clinical columns, such as an age, change nothing, and get no
fold change themselves if they do not look like the other features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from featrank.summaries.moments import Moments

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Logarithms of measurements stay below LARGE, and nearly always below WIDE and UNUSUAL.
LARGE, WIDE, UNUSUAL = 100, 50, 20
# Values are linear if this share of the features has values above LARGE, but at least this number:
# fewer may be clinical columns.
LARGE_SHARE, FEW = 0.02, 4
# A rule for "most" features allows this share of exceptions, or fewer than FEW.
EXCEPTIONS = 0.25
# The largest code of a genotype (0, 1, 2).
LARGEST_CODE = 2
# On a linear scale, standard deviations grow in proportion to the mean. In logarithms of both, this
# is a slope of 1 between the lower and the upper half of the features, by median. Logarithms have
# slopes up to 0.5. Means need a range of this many doublings for a reliable slope.
LINEAR_SLOPE, DOUBLINGS = 0.6, 1.5
# Standardised features have a mean near 0 and a standard deviation near 1 in this sense.
MEAN_TOLERANCE, SD_RANGE, SD_VARIATION = 0.15, (0.8, 1.25), 0.15
# Feature means of ratios around 1.
RATIO_MEDIAN, RATIO_MEANS = (0.5, 2.0), (0.25, 4.0)
# Typical log2 intensities are below this value, and typical Ct values above.
HIGH_MEAN = 18


@dataclass(frozen=True, eq=False)
class FeatureFacts:
    """What distinguishes logarithms from other values, one entry per feature.

    Attributes
    ----------
    count : ndarray of int
        Number of values that are not missing.
    low, high, mean, sd : ndarray of float
        Extremes, mean and standard deviation.
    whole : ndarray of bool
        Whether all values are integers.
    """

    count: Floats
    low: Floats
    high: Floats
    mean: Floats
    sd: Floats
    whole: Mask

    @classmethod
    def of(cls, moments: Moments) -> FeatureFacts:
        """Return the facts of a block of features."""
        with np.errstate(all="ignore"):  # extreme values may overflow
            count = np.broadcast_to(moments.counts, moments.mean.shape).sum(axis=0)
            mean, sd = moments.overall_mean(), np.sqrt(moments.overall_variance())
        return cls(count, moments.low, moments.high, mean, sd, moments.whole.astype(bool))

    @staticmethod
    def concatenate(parts: Sequence[FeatureFacts]) -> FeatureFacts:
        """Return the facts of all blocks."""
        names = [one.name for one in fields(FeatureFacts)]
        return FeatureFacts(*(np.concatenate([getattr(p, name) for p in parts]) for name in names))

    @property
    def varies(self) -> Mask:
        """Whether a feature has two different values. Constants reveal no scale."""
        return np.asarray(self.low < self.high)

    def take(self, mask: Mask) -> FeatureFacts:
        """Return the facts of some features."""
        return FeatureFacts(*(getattr(self, one.name)[mask] for one in fields(self)))


@dataclass(frozen=True, eq=False)
class ValueScales:
    """The scale of the values, one for most features and one per feature.

    Attributes
    ----------
    usual : str
        The scale of most features.
    of_features : ndarray of str
        The scale of each feature: the usual one, or "none".
    reason : str
        Why fold changes are missing. Empty if there are some.
    warning : str
        What the data cannot show, with the option to set. Empty if nothing is ambiguous.
    """

    usual: str
    of_features: NDArray[np.str_]
    reason: str = ""
    warning: str = ""

    @classmethod
    def all_equal(cls, scale: str, n_features: int) -> ValueScales:
        """Return the same scale for all features."""
        return cls(scale, np.full(n_features, scale))


def guess_scales(facts: FeatureFacts) -> ValueScales:
    """Return the scale of the values by the rule that ``class_tests`` documents.

    Examples
    --------
    >>> low, high, mean = np.array([3.0, 4.0, 3.5, 30]), np.array([9.0, 12, 11, 80]), np.ones(4) * 7
    >>> logs_and_age = FeatureFacts(np.full(4, 20), low, high, mean, mean / 4, np.arange(4) == 3)
    >>> guess_scales(logs_and_age).of_features.tolist()
    ['log2', 'log2', 'log2', 'none']
    """
    varies, n_features = facts.varies, len(facts.low)
    some = facts.take(varies)
    if not varies.any():
        return ValueScales.all_equal("log2", n_features)
    if _is_majority(some.whole & (some.low >= 0)):
        return _of_integers(some, n_features)
    if _is_linear(some):
        return ValueScales.all_equal("linear", n_features)
    reason = _why_no_ratios(some)
    if reason:
        return ValueScales("none", np.full(n_features, "none"), reason)
    if _looks_like_ratios(some):
        return ValueScales("linear", np.full(n_features, "linear"), warning=RATIOS)
    fits = ~(varies & _misfits(facts, some))
    return ValueScales("log2", np.where(fits, "log2", "none"), warning=_log_warning(some))


RATIOS = (
    "All values are positive and around 1, so the fold changes treat them as ratios, not as "
    'logarithms. If they are logarithms, use `values="log2"` or `values="log10"`.'
)
ZEROS = (
    "Most features contain zeros, so their values may be log(1 + x). The fold changes assume "
    'base 2. If they are natural logarithms, use `values="log1p"`.'
)
CYCLES = (
    f"Most features have a mean above {HIGH_MEAN}. The fold changes assume log2 intensities. If "
    'the values are Ct values of a qPCR, the signs are wrong: use `values="ct"`.'
)


def _is_majority(mask: Mask) -> bool:
    return bool(mask.mean() > 0.5)


def _is_most(mask: Mask) -> bool:
    """Whether nearly all features fit: all but a quarter, or but three if that is a minority."""
    n_exceptions = int(np.count_nonzero(~mask))
    return n_exceptions <= EXCEPTIONS * len(mask) or (n_exceptions < FEW and _is_majority(mask))


def _of_integers(some: FeatureFacts, n_features: int) -> ValueScales:
    if _is_most(some.high <= LARGEST_CODE) and np.quantile(some.high, 0.9) <= LARGEST_CODE:
        reason = f"the values are codes from 0 to {LARGEST_CODE}, such as genotypes"
        return ValueScales("none", np.full(n_features, "none"), reason)
    return ValueScales.all_equal("linear", n_features)


def _is_linear(some: FeatureFacts) -> bool:
    n_large = np.count_nonzero(some.high > LARGE)
    large = n_large >= max(FEW, LARGE_SHARE * len(some.high)) or _is_majority(some.high > WIDE)
    return bool(large) or spreads_with_mean(some)


def spreads_with_mean(some: FeatureFacts) -> bool:
    """Whether the standard deviations of non-negative features are proportional to the means."""
    if len(some.low) < 2 * FEW or not _is_most(some.low >= 0):
        return False
    some = some.take(some.mean > 0)
    mean, sd = np.log2(some.mean), np.log2(some.sd)
    upper = mean > np.median(mean)
    if not upper.any():
        return False
    doublings = np.median(mean[upper]) - np.median(mean[~upper])
    slope = (np.median(sd[upper]) - np.median(sd[~upper])) / doublings
    return bool(doublings >= DOUBLINGS and slope >= LINEAR_SLOPE)


def _why_no_ratios(some: FeatureFacts) -> str:
    if _is_most((some.low >= 0) & (some.high <= 1)):
        return "the values are fractions between 0 and 1, such as methylation beta values"
    if _is_standardised(some):
        return "the values are standardised to mean 0 and standard deviation 1"
    return ""


def _is_standardised(some: FeatureFacts) -> bool:
    """Whether standard deviations are 1 and vary no more than those of a sample do."""
    if not _is_majority(some.low < 0):
        return False
    n_samples = np.maximum(np.median(some.count), 2)
    chance = 1 / np.sqrt(2 * (n_samples - 1))
    low, middle, high = np.quantile(some.sd, [0.25, 0.5, 0.75])
    variation = (np.log(high) - np.log(max(low, 1e-300))) / 1.35  # robust standard deviation
    centred = np.median(np.abs(some.mean)) <= MEAN_TOLERANCE + 0.7 / np.sqrt(n_samples)
    return bool(
        centred
        and SD_RANGE[0] <= middle <= SD_RANGE[1]
        and variation <= np.hypot(chance, SD_VARIATION)
    )


def _looks_like_ratios(some: FeatureFacts) -> bool:
    low, high = RATIO_MEDIAN
    near_one = (some.mean >= RATIO_MEANS[0]) & (some.mean <= RATIO_MEANS[1])
    return bool(low <= np.median(some.mean) <= high and _is_most((some.low > 0) & near_one))


def _misfits(facts: FeatureFacts, some: FeatureFacts) -> Mask:
    """Return which features do not look like logarithms: large values, or integers."""
    quarter, three_quarters = np.quantile(some.high, [0.25, 0.75])
    far_out = three_quarters + 3 * (three_quarters - quarter)  # Tukey's outer fence
    return np.asarray((facts.high > max(min(far_out, WIDE), UNUSUAL)) | facts.whole)


def _log_warning(some: FeatureFacts) -> str:
    if _is_majority(some.low == 0):
        return ZEROS
    return CYCLES if np.median(some.mean) > HIGH_MEAN else ""
