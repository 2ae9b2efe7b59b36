"""Tests of one method against others over the trials, as marks in tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.statistics import Difference

# Marks of the t-test of Roffo and Melzi and of the corrected t-test.
PAPER, CORRECTED = "*", "†"


def chosen_tests(tests: Sequence[str] | None, known: Collection[str], kind: str) -> Collection[str]:
    """Return the given tests, or all that are known; an unknown one is an error."""
    for name in tests or ():
        if name not in known:
            raise UsageError(unknown_name(kind, name, known))
    return tests or known


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
