"""Granularity: which numbers of trials and test rows can produce printed AUCs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from math import gcd
from numbers import Integral, Real

from featrank.exceptions import DataError, UsageError

__all__ = ["Granularity", "auc_granularity"]


@dataclass(frozen=True)
class Granularity:
    """How well printed AUCs fit the grid of a protocol.

    Attributes
    ----------
    steps : int
        The grid consists of the multiples of 1/steps.
    fitting : tuple of bool
        Whether each printed value is a multiple, up to its printed digits.
    chance : float
        Probability that an arbitrary value with the same number of digits is a multiple. Near 1,
        the grid is too fine for a conclusion.
    p_value : float
        Probability that at least this number of arbitrary values fit, if each fits independently
        with probability ``chance``.
    """

    steps: int
    fitting: tuple[bool, ...]
    chance: float
    p_value: float

    @property
    def fits(self) -> int:
        """The number of values that fit."""
        return sum(self.fitting)

    @property
    def expected(self) -> float:
        """The number of values expected to fit by chance."""
        return self.chance * len(self.fitting)

    def __repr__(self) -> str:
        return (
            f"<Granularity {self.fits} of {len(self.fitting)} values are multiples of "
            f"1/{self.steps}, by chance {self.expected:.1f} (p = {self.p_value:.2g})>"
        )


def auc_granularity(
    printed: Sequence[str | float],
    trials: int,
    positives: int,
    negatives: int,
    *,
    decimals: int | None = None,
    percent: bool = True,
    ties: bool = False,
) -> Granularity:
    r"""Test whether printed mean AUCs can come from a number of trials and test rows.

    The AUC is the share of pairs of a positive and a negative row that are in the right order. A
    mean over trials is therefore a multiple of

    .. math:: \frac{1}{\mathrm{trials} \cdot \mathrm{positives} \cdot \mathrm{negatives}},

    or of half of that if ties count one half. If the values of a table are not such multiples,
    they do not come from the stated protocol. The idea is that of the GRIM test [1]_ for means of
    integers.

    A value fits if it can be the rounded value of a multiple. A multiple half way between two
    printed values fits both. Finer protocols fit too: 20 trials can give any mean of 10 trials.

    Parameters
    ----------
    printed : sequence of str or float
        Mean AUCs as printed. Strings such as "91.40" keep their trailing zeros.
    trials, positives, negatives : int
        Number of trials, and of test rows of each class in every trial.
    decimals : int or None, default=None
        Number of printed decimals. None uses the largest number that occurs.
    percent : bool, default=True
        Whether a perfect AUC is printed as 100 rather than 1.
    ties : bool, default=False
        Whether ties may have counted one half. Classifiers with continuous decisions have hardly
        any.

    Returns
    -------
    granularity : Granularity
        How many values fit, how many would fit by chance, and a p-value.

    References
    ----------
    .. [1] N. Brown and J. Heathers, "The GRIM test: a simple technique detects numerous anomalies
       in the reporting of results in psychology", Social Psychological and Personality Science 8
       (2017).

    Examples
    --------
    >>> auc_granularity(["91.25", "88.44", "89.38", "87.81"], trials=10, positives=8, negatives=4)
    <Granularity 4 of 4 values are multiples of 1/320, by chance 0.2 (p = 2.6e-06)>
    """
    from scipy.stats import binom

    values = [_decimal(value) for value in printed]
    if not values:
        raise DataError("printed is empty. Give one mean area or more.")
    steps = _steps(trials, positives, negatives) * (2 if ties else 1)
    digits = max(map(_decimals, values)) if decimals is None else decimals
    perfect = (100 if percent else 1) * 10**digits
    fitting = tuple(_fits(_units(value, digits, perfect), steps, perfect) for value in values)
    chance = _chance(steps, perfect)
    p_value = float(binom.sf(sum(fitting) - 1, len(fitting), chance))
    return Granularity(steps, fitting, chance, p_value)


def _steps(*counts: int) -> int:
    product = 1
    for name, count in zip(("trials", "positives", "negatives"), counts, strict=True):
        if not isinstance(count, Integral) or isinstance(count, bool) or count < 1:
            raise UsageError(f"{name} must be a whole number of 1 or more, got {count!r}.")
        product *= int(count)
    return product


def _decimal(value: str | float) -> Decimal:
    try:
        # From its string, because a float is not the printed decimal.
        number = Decimal(str(value)) if isinstance(value, str | Real) else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite():
        raise DataError(f'A printed area is a number such as "91.40", not {value!r}.')
    return number


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _units(value: Decimal, digits: int, perfect: int) -> int:
    """Return a value in units of its last printed digit."""
    units = value.scaleb(digits)
    if units != units.to_integral_value():
        raise UsageError(f"{value} has more than {digits} decimals.")
    if not 0 <= units <= perfect:
        raise DataError(
            f"{value} is not an area from 0 to {perfect // 10**digits}. Use `percent=True` for "
            "areas up to 100, and `percent=False` for areas up to 1."
        )
    return int(units)


def _fits(units: int, steps: int, perfect: int) -> bool:
    """Whether a multiple of perfect/steps lies within half a unit, in integer arithmetic."""
    rest = units * steps % perfect
    return 2 * min(rest, perfect - rest) <= steps


def _chance(steps: int, perfect: int) -> float:
    """Return the share of the values 0 to perfect − 1 that fit.

    Their remainders in `_fits` are the multiples of the greatest common divisor, equally often.
    """
    divisor = gcd(steps, perfect)
    rests = perfect // divisor
    return min(2 * (steps // (2 * divisor)) + 1, rests) / rests
