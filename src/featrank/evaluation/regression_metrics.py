"""Scores for regression, by the names that protocols accept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank.base.ranker import Floats
from featrank.solvers.ridge import r_squared
from featrank.statistics.metrics import spearman
from featrank.values.numbers import by_power_of_two

# Predictions are rounded to this many decimals, in standard deviations of the target.
EXACT = 9


@dataclass(frozen=True)
class RegressionScorer:
    """A scorer of predictions, so that one decomposition serves all penalties.

    Attributes
    ----------
    name : str
        Name in the results.
    metric : callable
        Function of predictions (settings × samples) and the target that returns one value per
        setting; NaN for a constant target.
    """

    name: str
    metric: Callable[[Floats, Floats], Floats]

    def __str__(self) -> str:
        return self.name

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Return the score of a fitted regressor, like a scikit-learn scorer."""
        predicted = np.asarray(estimator.predict(X), dtype=np.float64).reshape(1, -1)
        return float(self.metric(predicted, np.asarray(y, dtype=np.float64))[0])


def rank_correlations(predicted: Floats, y: Floats) -> Floats:
    """Return Spearman's ρ of each row of predictions; 0 for constant predictions."""
    if y.min() == y.max():
        return np.full(len(predicted), np.nan)
    own, exponent = by_power_of_two(y)
    scaled = np.ldexp(predicted, -exponent)
    # Where the best weights are 0, rounding errors must not be ranked.
    steps = ((scaled - own.mean()) / own.std()).round(EXACT)
    return np.array([spearman(y, row) for row in steps])


#: Scorers for regression by name.
REGRESSION_SCORERS = {
    "r2": RegressionScorer("R²", r_squared),
    "spearman": RegressionScorer("Spearman's ρ", rank_correlations),
}


def scorer_of(scorer: Any) -> Any:
    """Return the regression scorer of a name; any other scorer unchanged."""
    return REGRESSION_SCORERS.get(scorer, scorer) if isinstance(scorer, str) else scorer
