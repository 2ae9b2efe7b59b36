"""Tests of one method against others over trials: as rows, as marks, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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


def as_row(test: Difference) -> dict[str, Any]:
    """Return the p-values of a comparison of two methods at one k."""
    own, other = (found.p_value if found else float("nan") for found in test.normality)
    return {
        "method": test.proposed,
        "other": test.other,
        "k": test.k,
        "difference": test.t_test.difference,
        "normality_p": own,
        "other_normality_p": other,
        "t_test_p": test.t_test.p_value,
        "corrected_p": test.corrected.p_value,
    }


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
