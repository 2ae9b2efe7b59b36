"""Results of a comparison as tidy polars frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.evaluation.trials import Trial
from featrank.statistics.roc import POINTS
from featrank.statistics.significance import Difference
from featrank.statistics.verdicts import corrected_interval

if TYPE_CHECKING:
    from featrank.evaluation.result import Comparison

# Lowest and highest possible scores, at which intervals end.
RANGES = {
    "ROC AUC": (0.0, 1.0),
    "average precision": (0.0, 1.0),
    "r2": (-np.inf, 1.0),
    "spearman": (-1.0, 1.0),
}


def curve_frame(comparison: Comparison) -> Any:
    """Return one row per method and k: the mean score and its interval over the trials."""
    import polars as pl

    rows = [
        {"method": name, "k": k, **_interval(comparison, comparison.scores(name, k))}
        for name in comparison.methods_with_baseline
        for k in comparison.n_features
    ]
    schema: dict[str, Any] = {"method": pl.String, "k": pl.Int64, "trials": pl.Int64}
    schema |= dict.fromkeys(("mean", "sd", "error", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema=schema)


def _interval(comparison: Comparison, scores: Any) -> dict[str, float]:
    """Return mean, standard deviation, corrected standard error and corrected interval."""
    known = scores[~np.isnan(scores)]
    found = corrected_interval(known, test_fraction=comparison.test_fraction)
    lowest, highest = RANGES.get(comparison.scoring, (-np.inf, np.inf))
    sd = float(known.std(ddof=1)) if len(known) > 1 else np.nan
    summary = {"trials": len(known), "mean": found.mean, "sd": sd, "error": found.error}
    ends = np.clip((found.low, found.high), lowest, highest).tolist()
    return summary | dict(zip(("low", "high"), ends, strict=True))


def difference_frame(differences: Sequence[Difference]) -> Any:
    """Return one row per difference; NaN without a test."""
    import polars as pl

    schema: dict[str, Any] = {"method": pl.String, "other": pl.String, "k": pl.Int64}
    numbers = ("difference", "normality_p", "other_normality_p", "t_test_p", "corrected_p")
    schema |= dict.fromkeys(numbers, pl.Float64)
    return pl.DataFrame([each.row() for each in differences], schema=schema)


def roc_frame(trials: Sequence[Trial], methods: Sequence[str], ks: Sequence[int]) -> Any:
    """Return the mean ROC curve over the trials per method and k, on the fixed grid."""
    import polars as pl

    schema = {"method": pl.String, "k": pl.Int64, "fpr": pl.Float64, "tpr": pl.Float64}
    schema |= {"sd": pl.Float64, "trials": pl.Int64}
    parts = [pl.DataFrame(schema=schema)]
    for name in methods:
        curves = [trial.curves[name] for trial in trials if name in trial.curves]
        for place, k in enumerate(ks):
            known = [curve[place] for curve in curves if not np.isnan(curve[place, 0])]
            if known:
                parts.append(pl.DataFrame(_mean_curve(name, k, np.array(known)), schema=schema))
    return pl.concat(parts)


def _mean_curve(method: str, k: int, curves: Any) -> dict[str, Any]:
    nothing = np.full(POINTS, np.nan)
    return {
        "method": [method] * POINTS,
        "k": np.full(POINTS, k),
        "fpr": np.arange(POINTS) / (POINTS - 1),
        "tpr": curves.mean(axis=0),
        "sd": curves.std(axis=0, ddof=1) if len(curves) > 1 else nothing,
        "trials": np.full(POINTS, len(curves)),
    }
