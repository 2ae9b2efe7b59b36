"""Tests of one method against others over the trials, as marks in tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

# Marks of the t-test of Roffo and Melzi and of the corrected t-test.
PAPER, CORRECTED = "*", "†"


def enough_trials(comparison: Comparison) -> bool:
    """Return whether there are enough trials for the test of normality."""
    from featrank.statistics.normality import SMALLEST

    return len(comparison.trials) >= SMALLEST


def marks(test: Difference) -> str:
    """Return the marks of a comparison of two methods at one k.

    The t-test of Roffo and Melzi requires that the scores of both methods look normal.
    """
    from featrank.statistics.normality import SMALLEST

    published = PAPER if test.normal and test.significant else ""
    enough = test.corrected.df >= SMALLEST - 1
    return published + (CORRECTED if enough and test.corrected_significant else "")
