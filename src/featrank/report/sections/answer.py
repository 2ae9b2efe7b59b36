"""What is the answer, and how sure? Sentences made from the results."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.report.document import Paragraph, Section
from featrank.report.phrases import join_names, with_article
from featrank.report.sections.stable import grade
from featrank.statistics import (
    best_method,
    corrected_t_test,
    nogueira_interval,
    one_standard_error_k,
)
from featrank.statistics.normality import SMALLEST

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

LEVEL = 0.05
# If random features score higher than this, most features carry signal: for classification (ROC
# AUC, chance 0.5) and for regression (R² or a correlation, chance 0).
RANDOM_DOES, RANDOM_DOES_FOR_REGRESSION = 0.8, 0.6


def facts(results: Comparison) -> dict[str, Any]:
    """Return the facts of the answer.

    ``beats_random`` is None if it is unknown: without a baseline, or with fewer than 5 trials.
    """
    best = best_method(results)
    common: dict[str, Any] = {
        "data": results.manifest["data"]["name"],
        "scoring": results.manifest["protocol"]["scoring"],
        "estimator": results.manifest["protocol"]["estimator"],
        "regression": results.manifest["protocol"].get("task") == "regression",
        "leaky": bool(results.manifest["protocol"].get("leaky")),
        "trials": len(results.trials),
        "planned": results.manifest["n_repeats"],
        "methods": len(results.methods),
        "failed": {name: list(each) for name, each in results.failures().items()},
        "best": best,
    }
    return common if best is None else common | _of_best(results, best)


def _of_best(results: Comparison, best: str) -> dict[str, Any]:
    curve = [point for point in results.curves().to_dicts() if point["method"] == best]
    k = one_standard_error_k(curve)
    assert k is not None
    point = next(point for point in curve if point["k"] == k)
    rankings = results.rankings[best]
    interval = nogueira_interval(rankings, k) if len(rankings) > 1 else None
    return {
        "k": k,
        "score": point["mean"],
        "low": point["low"],
        "high": point["high"],
        **_against_random(results, best, k),
        "differs": _worse_methods(results, best, k),
        "stability": None if interval is None else interval.value,
        "always": _always(rankings, k),
        "all_features": results.manifest["data"]["features"],
    }


def _against_random(results: Comparison, best: str, k: int) -> dict[str, Any]:
    if results.baseline is None:
        return {"random": None, "beats_random": None, "random_p": None}
    own, theirs = results.scores(best, k), results.scores(results.baseline, k)
    both = ~(np.isnan(own) | np.isnan(theirs))
    if both.sum() < SMALLEST:
        mean = float(np.nanmean(theirs)) if not np.isnan(theirs).all() else None
        return {"random": mean, "beats_random": None, "random_p": None}
    share = results.manifest.get("test_size", results.manifest["protocol"]["test_size"])
    test = corrected_t_test(own[both], theirs[both], test_fraction=share)
    # A one-sided test: whether it is better, not whether it differs.
    p_value = test.p_value / 2 if test.difference > 0 else 1 - test.p_value / 2
    return {
        "random": float(theirs[both].mean()),
        "beats_random": bool(p_value < LEVEL),
        "random_p": p_value,
    }


def _worse_methods(results: Comparison, best: str, k: int) -> list[str] | None:
    """Return the methods that are significantly worse; None if no test can be made."""
    if len(results.trials) < SMALLEST or len(results.methods) < 2:
        return None
    return [
        test.other
        for test in results.pairwise_tests(best)
        if test.k == k and test.corrected_significant and test.t_test.difference > 0
    ]


def _always(rankings: Any, k: int) -> int:
    """Return how many features are in the top k of every trial."""
    counts = np.bincount(np.asarray(rankings)[:, :k].ravel())
    return int((counts == len(rankings)).sum())


def section(facts: dict[str, Any]) -> Section:
    """Return the sentences."""
    question = "What is the answer, and how sure?"
    return Section("answer", question, list(map(Paragraph, sentences(facts))))


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return the answer: the features, their score, its certainty, and any problems."""
    if facts["best"] is None:
        return ["All methods failed in every trial.", *_failures(facts)]
    parts = (_warning, _result, _rivals, _stability, _unfinished)
    return [*filter(None, (part(facts) for part in parts)), *_failures(facts)]


def _warning(facts: dict[str, Any]) -> str:
    if not facts["leaky"]:
        return ""
    return (
        "LEAKY: features were ranked on all rows, including the test rows. These scores "
        "demonstrate the effect of a leak and do not apply to new data."
    )


def _result(facts: dict[str, Any]) -> str:
    if facts["beats_random"] is False:
        return _no_support(facts)
    scorer = with_article(facts["scoring"])
    result = (
        f"On {facts['data']}, a {facts['estimator']} with {_count(facts['k'])} of "
        f"{facts['best']} reaches {scorer} of {_score(facts)} on test rows"
    )
    if facts["random"] is None:
        return f"{result}."
    result = f"{result}. The same number of random features reaches {facts['random']:.3f}."
    if facts["beats_random"]:
        return result
    return (
        f"{result} With {facts['trials']} trials, this difference cannot be tested: the test needs "
        f"{SMALLEST} trials, better 20 or more."
    )


def _no_support(facts: dict[str, Any]) -> str:
    comparison = (
        f"{_count(facts['k'])} of {facts['best']} reaches {with_article(facts['scoring'])} of "
        f"{_score(facts)}, and the same number of random features {facts['random']:.3f} "
        f"(p = {facts['random_p']:.2f}, corrected t-test)"
    )
    regression = facts.get("regression", False)
    result = (
        f"On {facts['data']}, the best method does not beat random features significantly: "
        f"a model with {comparison}."
    )
    if facts["random"] > (RANDOM_DOES_FOR_REGRESSION if regression else RANDOM_DOES):
        signal = "Most features predict" if regression else "Most features help to predict"
        return f"{result} {signal} the {'target' if regression else 'class'}."
    return result


def _count(k: int) -> str:
    return "the top feature" if k == 1 else f"the top {k} features"


def _score(facts: dict[str, Any]) -> str:
    if isnan(facts["low"]):
        return f"{facts['score']:.3f}"
    return f"{facts['score']:.3f} (95 % interval {facts['low']:.3f} to {facts['high']:.3f})"


def _rivals(facts: dict[str, Any]) -> str:
    if facts["methods"] < 2:
        return ""
    others = facts["methods"] - 1
    if facts["differs"] is None:
        return f"{facts['trials']} trials are too few to test the methods. The test needs 5."
    if not facts["differs"]:
        return (
            f"No other method differs significantly from {facts['best']} (corrected t-test, "
            f"p < {LEVEL:g}). Any of the {others + 1} methods would do as well."
        )
    if len(facts["differs"]) == others:
        return f"All {others} other methods are significantly worse (corrected t-test)."
    return (
        f"{facts['best']} is significantly better than {join_names(facts['differs'])} (corrected "
        f"t-test). It does not differ significantly from {_rest(others - len(facts['differs']))}."
    )


def _rest(count: int) -> str:
    return "the other method" if count == 1 else f"the other {count} methods"


def _stability(facts: dict[str, Any]) -> str:
    if facts["stability"] is None:
        return "With a single trial, the stability of the features is unknown."
    stability = (
        f"The stability of the selection is {grade(facts['stability'])} "
        f"({facts['stability']:.2f}, where 0 is chance and 1 is the same features every time): "
    )
    always, k = facts["always"], facts["k"]
    if k == facts["all_features"]:
        return "All features are used, so nothing is selected."
    if always == 0:
        return f"{stability}no feature is in the top {k} of every trial."
    if always == k:
        return f"{stability}every trial has the same top {k}."
    return f"{stability}{always} features are in the top {k} of every trial."


def _unfinished(facts: dict[str, Any]) -> str:
    if facts["trials"] >= facts["planned"]:
        return ""
    return f"The run is not finished: {facts['trials']} of {facts['planned']} trials are done."


def _failures(facts: dict[str, Any]) -> list[str]:
    return [
        f"{name} has no score in {count} of {facts['trials']} trials: {reason}"
        f"{'' if reason.endswith('.') else '.'}"
        for name, (count, reason) in facts["failed"].items()
    ]
