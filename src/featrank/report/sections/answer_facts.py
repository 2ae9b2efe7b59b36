"""The facts behind the answer of a comparison, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.exceptions import DataError
from featrank.statistics import (
    best_method,
    choice_verdicts,
    method_intervals,
    nogueira_interval,
    recommended_k,
)
from featrank.statistics.normality import SMALLEST

if TYPE_CHECKING:
    from featrank.error_control import FDRControl
    from featrank.evaluation import Comparison

# Features that the answer names.
NAMED = 10


def facts(results: Comparison) -> dict[str, Any]:
    """Return the facts of the answer."""
    best = best_method(results)
    protocol = results.manifest["protocol"]
    common: dict[str, Any] = {
        "data": results.manifest["data"]["name"],
        "scoring": protocol["scoring"],
        "estimator": protocol["estimator"],
        "regression": protocol.get("task") == "regression",
        "leaky": bool(protocol.get("leaky")),
        "trials": len(results.trials),
        "planned": results.manifest["n_repeats"],
        "methods": len(results.methods),
        "failed": {name: list(each) for name, each in results.failures().items()},
        "signal": None if results.signal is None else results.signal.as_dict(),
        "best": best,
    }
    return common if best is None else common | _of_best(results, best)


def _of_best(results: Comparison, best: str) -> dict[str, Any]:
    curve = [point for point in results.curves().to_dicts() if point["method"] == best]
    k = recommended_k(curve)
    assert k is not None
    point = next(point for point in curve if point["k"] == k)
    top = max((p for p in curve if p["mean"] == p["mean"]), key=lambda each: each["mean"])
    rankings = results.rankings[best]
    interval = nogueira_interval(rankings, k) if len(rankings) > 1 else None
    claims = results.claims if results.claims and results.claims.method == best else None
    return {
        "k": k,
        "score": point["mean"],
        "low": point["low"],
        "high": point["high"],
        "best_k": top["k"],
        "best_score": top["mean"],
        **_random(results, best, k),
        "rivals": _rivals(results, best, k),
        "named": _named(results, best, k, claims),
        "claims": None if claims is None else {**claims.to_dict(), "sentence": claims.sentence()},
        "stability": None if interval is None else interval.value,
        "always": _always(rankings, k),
        "all_features": results.manifest["data"]["features"],
    }


def _random(results: Comparison, best: str, k: int) -> dict[str, Any]:
    """Return the score of random features at k, and the verdicts at each number of features."""
    if results.baseline is None:
        return {"random": None, "choice": None}
    own = {n: results.scores(best, n) for n in results.n_features}
    random = {n: results.scores(results.baseline, n) for n in results.n_features}
    verdicts = choice_verdicts(own, random, test_fraction=results.test_fraction, fewest=SMALLEST)
    known = random[k][~np.isnan(random[k])]
    return {
        "random": float(known.mean()) if len(known) else None,
        "choice": [verdict._asdict() for verdict in verdicts],
    }


def _rivals(results: Comparison, best: str, k: int) -> dict[str, Any] | None:
    """Return the intervals of the other methods; None if the trials are too few."""
    if len(results.trials) < SMALLEST or len(results.methods) < 2:
        return None
    scores = {name: results.scores(name, k) for name in results.methods}
    found = method_intervals(scores, best, test_fraction=results.test_fraction, fewest=SMALLEST)
    return {name: interval._asdict() for name, interval in found.items()}


def _named(
    results: Comparison, best: str, k: int, claims: FDRControl | None
) -> list[dict[str, Any]]:
    """Return the top features of the method on all rows, with how often trials select them."""
    import polars as pl

    try:
        table = results.features()
    except DataError:
        return []
    own = table.filter(pl.col("method") == best).drop_nulls("rank").sort("rank")
    return [
        {
            "feature": row["feature"],
            "chosen": row[f"chosen_{k}"],
            "trials": row["trials"],
            "q_value": None if claims is None else float(claims.q_values[row["column"]]),
        }
        for row in own.head(min(k, NAMED)).iter_rows(named=True)
    ]


def _always(rankings: Any, k: int) -> int:
    """Return how many features are in the top k of every trial."""
    counts = np.bincount(np.asarray(rankings)[:, :k].ravel())
    return int((counts == len(rankings)).sum())
