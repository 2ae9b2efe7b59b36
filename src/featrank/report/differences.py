"""Tests of one method against others over trials: as rows, as marks, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

# Marks of the paper's test and of the corrected one.
PAPER, CORRECTED = "*", "†"


def enough_trials(comparison: Comparison) -> bool:
    """Return whether there are as many trials as the test of normality needs."""
    from featrank.statistics.normality import SMALLEST

    return len(comparison.trials) >= SMALLEST


def marks(test: Difference) -> str:
    """Return the marks of a comparison of two methods at one k.

    The paper's test compares where both methods' scores look normal.
    """
    from featrank.statistics.normality import SMALLEST

    published = PAPER if test.normal and test.significant else ""
    enough = test.corrected.df >= SMALLEST - 1
    return published + (CORRECTED if enough and test.corrected_significant else "")


def p_text(p_value: float) -> str:
    """Return a p-value as readers want it: to three digits, or that it is smaller.

    Examples
    --------
    >>> p_text(0.0432), p_text(0.00004), p_text(float("nan"))
    ('0.043', '<0.001', '–')
    """
    if p_value != p_value:
        return "–"
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"
