"""Significance tests of the classes of one data set, each computed once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import stage
from featrank._utils.warn import warn_user
from featrank.statistics.feature_tests import ClassTests, Test, Values, class_tests
from featrank.statistics.fold_changes import assumption


class CachedTests:
    """Tests of every class, computed on first use."""

    def __init__(self, X: Any, codes: NDArray[np.integer]):
        self._X, self._codes = X, codes
        self._tests: dict[tuple[str, str], ClassTests] = {}

    def of(self, test: Test, values: Values) -> ClassTests:
        """Return the tests of every class. Warn once about the scale if it was guessed."""
        key = test, values
        if key not in self._tests:
            with stage("Testing each feature", "Tested each feature"):
                self._tests[key] = self._compute(test, values)
            warning = assumption(self._tests[key].scales) if values == "auto" else ""
            if warning:
                warn_user(warning)
        return self._tests[key]

    def _compute(self, test: Test, values: Values) -> ClassTests:
        return class_tests(self._X, self._codes, test, values=values)

    def computed(self) -> list[ClassTests]:
        """Return what was computed so far, one entry per test."""
        return list({tests.test: tests for tests in self._tests.values()}.values())
