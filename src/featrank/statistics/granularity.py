"""Granularity: which numbers of trials and test rows can have given printed areas at all."""

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
    """How well printed areas fit the grid of a protocol.

    Attributes
    ----------
    steps : int
        The grid has the multiples of 1/steps.
    fitting : tuple of bool
        Whether each printed figure is a multiple, to its printed digits.
    chance : float
        Share of all figures with so many digits that are multiples: what a figure from
        elsewhere fits with. Near 1 the grid is too fine for the digits to tell anything.
    p_value : float
        Probability that so many or more figures from elsewhere fit, if each does with the
        probability ``chance``, independently of the others.
    """

    steps: int
    fitting: tuple[bool, ...]
    chance: float
    p_value: float

    @property
    def fits(self) -> int:
        """How many of the figures fit."""
        return sum(self.fitting)

    @property
    def expected(self) -> float:
        """How many would fit by chance."""
        return self.chance * len(self.fitting)

    def __repr__(self) -> str:
        return (
            f"<Granularity {self.fits} of {len(self.fitting)} figures are multiples of "
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
    r"""Test whether printed mean AUCs can come from so many trials with so many test rows.

    The area under the ROC curve is the share of pairs, one positive and one negative row, that
    stand in the right order. So a mean over trials is a multiple of

    .. math:: \frac{1}{\text{trials} \cdot \text{positives} \cdot \text{negatives}},

    and, where equal decisions count one half, of half of that. A table whose figures are no such
    multiples was not made by the protocol that is said to have made it. The idea is that of the
    GRIM test [1]_, which asks it of means of whole numbers.

    A figure fits if rounding a multiple to its digits may give it; a multiple in the middle of
    two figures fits both. Figures of finer protocols fit too: 20 trials can have what 10 have.

    Parameters
    ----------
    printed : sequence of str or float
        Mean areas as printed. Texts such as "91.40" keep their last zeros.
    trials, positives, negatives : int
        Number of trials, and of test rows of each class in every trial.
    decimals : int or None, default=None
        How many the figures are printed with; None takes the most that one of them shows.
    percent : bool, default=True
        Whether 100 is a perfect area; else 1 is.
    ties : bool, default=False
        Whether pairs of equal decisions may have counted one half. A classifier that gives
        continuous decisions has hardly any.

    Returns
    -------
    found : Granularity
        How many fit, how many would by chance, and a p-value.

    References
    ----------
    .. [1] N. Brown and J. Heathers, "The GRIM test: a simple technique detects numerous anomalies
       in the reporting of results in psychology", Social Psychological and Personality Science 8
       (2017).

    Examples
    --------
    >>> auc_granularity(["91.25", "88.44", "89.38", "87.81"], trials=10, positives=8, negatives=4)
    <Granularity 4 of 4 figures are multiples of 1/320, by chance 0.2 (p = 2.6e-06)>
    """
    from scipy.stats import binom

    figures = [_decimal(value) for value in printed]
    if not figures:
        raise DataError("printed is empty. Give one mean area or more.")
    steps = _steps(trials, positives, negatives) * (2 if ties else 1)
    digits = max(map(_decimals, figures)) if decimals is None else decimals
    perfect = (100 if percent else 1) * 10**digits
    fitting = tuple(_fits(_units(figure, digits, perfect), steps, perfect) for figure in figures)
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
        # By way of its text, since a float is not the decimal that was printed.
        found = Decimal(str(value)) if isinstance(value, str | Real) else None
    except InvalidOperation:
        found = None
    if found is None or not found.is_finite():
        raise DataError(f'A printed area is a number such as "91.40", not {value!r}.')
    return found


def _decimals(figure: Decimal) -> int:
    exponent = figure.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _units(figure: Decimal, digits: int, perfect: int) -> int:
    """Return a figure in units of its last printed digit."""
    units = figure.scaleb(digits)
    if units != units.to_integral_value():
        raise UsageError(f"{figure} has more than {digits} decimals.")
    if not 0 <= units <= perfect:
        raise DataError(
            f"{figure} is no area: expected 0 to {perfect // 10**digits}. Areas of which 100 is "
            "perfect are percent=True, those of which 1 is, percent=False."
        )
    return int(units)


def _fits(units: int, steps: int, perfect: int) -> bool:
    """Tell whether a multiple of perfect/steps lies within half a unit; in whole numbers."""
    rest = units * steps % perfect
    return 2 * min(rest, perfect - rest) <= steps


def _chance(steps: int, perfect: int) -> float:
    """Return the share of the figures 0 to perfect − 1 that fit.

    Their rests, as in `_fits`, are the multiples of the greatest common divisor, equally often.
    """
    divisor = gcd(steps, perfect)
    rests = perfect // divisor
    return min(2 * (steps // (2 * divisor)) + 1, rests) / rests
