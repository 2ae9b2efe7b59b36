"""Tests of the classes of one data set, each computed once however often it is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.progress import stage
from featrank.statistics.feature_tests import ClassTests, Test, Values, class_tests


class CachedTests:
    """Tests of data and classes, computed when they are first asked for."""

    def __init__(self, X: Any, codes: NDArray[np.integer]):
        self._X, self._codes = X, codes
        self._found: dict[tuple[str, str], ClassTests] = {}

    def of(self, test: Test, values: Values) -> ClassTests:
        """Return the tests of every class."""
        asked = test, values
        if asked not in self._found:
            with stage("Testing each feature", "Tested each feature"):
                self._found[asked] = class_tests(self._X, self._codes, test, values=values)
        return self._found[asked]
