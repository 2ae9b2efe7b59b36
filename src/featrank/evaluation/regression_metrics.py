"""Scores of predictions of a quantity, by the names that protocols know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank.base.ranker import Floats
from featrank.solvers.ridge import r_squared
from featrank.statistics.metrics import spearman
from featrank.values.numbers import by_power_of_two

# Decimals, in deviations of the target, to which predictions count: less is rounding.
EXACT = 9


@dataclass(frozen=True)
class QuantityScorer:
    """A scorer that reads predictions, so that one decomposition serves all penalties.

    Attributes
    ----------
    name : str
        What results call it.
    metric : callable
        Function of predictions (settings × samples) and the target, one value a setting; NaN
        where the target does not vary.
    """

    name: str
    metric: Callable[[Floats, Floats], Floats]

    def __str__(self) -> str:
        return self.name

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the score of a fitted regressor, as scikit-learn's scorers do."""
        predicted = np.asarray(estimator.predict(X), dtype=np.float64).reshape(1, -1)
        return float(self.metric(predicted, np.asarray(y, dtype=np.float64))[0])


def rank_correlations(predicted: Floats, y: Floats) -> Floats:
    """Return Spearman's ρ of each row of predictions; 0 for equal ones."""
    if y.min() == y.max():
        return np.full(len(predicted), np.nan)
    own, exponent = by_power_of_two(y)
    found = np.ldexp(predicted, -exponent)
    # Where the best weights are 0, what rounding leaves of them must not be ranked.
    steps = ((found - own.mean()) / own.std()).round(EXACT)
    return np.array([spearman(y, row) for row in steps])


#: Scorers of quantities by name.
QUANTITY_SCORERS = {
    "r2": QuantityScorer("R²", r_squared),
    "spearman": QuantityScorer("Spearman's ρ", rank_correlations),
}


def scorer_of(scorer: Any) -> Any:
    """Return the scorer of quantities that a name stands for; others as they are."""
    return QUANTITY_SCORERS.get(scorer, scorer) if isinstance(scorer, str) else scorer
