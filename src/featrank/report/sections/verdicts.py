"""The sentences of the three verdicts: is there signal, does the choice matter, which method?"""

from __future__ import annotations

from typing import Any

from featrank.report.phrases import count_of, join_names
from featrank.statistics import SMALL_DIFFERENCE
from featrank.statistics.normality import SMALLEST

LEVEL = 0.05
# Methods without a significant difference that a sentence describes.
MOST_DESCRIBED = 3


def has_signal(facts: dict[str, Any]) -> bool | None:
    """Return the verdict of the permutation test; None if it was not run."""
    test = facts["signal"]
    if test is None or test["p_value"] is None:
        return None
    return bool(test["p_value"] < LEVEL)


def signal_sentence(facts: dict[str, Any]) -> str:
    """Return whether the features predict the target."""
    target = "target" if facts["regression"] else "class"
    test = facts["signal"]
    if test is None:
        return f"Whether the features predict the {target} is not tested yet."
    if test["p_value"] is None:
        return f"Whether the features predict the {target} was not tested: {test['reason']}."
    values = "target values" if facts["regression"] else "class labels"
    evidence = (
        f"with permuted {values}, {test['method']} scores at least as high in {test['exceeding']} "
        f"of {test['permutations']} permutations (p = {_p(test['p_value'])}, permutation test)"
    )
    if has_signal(facts):
        return f"The features predict the {target}: {evidence}."
    return (
        f"There is no evidence that the features predict the {target}: {evidence}. Do not rely on "
        "this ranking. More samples may show a signal."
    )


def choice_sentences(facts: dict[str, Any]) -> str:
    """Return whether the method's features score higher than random ones."""
    if facts["choice"] is None or facts["random"] is None:
        return ""
    own = next(verdict for verdict in facts["choice"] if verdict["k"] == facts["k"])
    random = f"{_features(facts['k'], 'random ')} {_reach(facts['k'])} {facts['random']:.3f}"
    if own["matters"] is None:
        return (
            f"{random}. With {count_of(facts['trials'], 'trial')}, this difference "
            f"cannot be tested: the test needs {SMALLEST} trials, better 20 or more."
        )
    matters = [verdict["k"] for verdict in facts["choice"] if verdict["matters"]]
    if not matters:
        return _no_difference(facts, random)
    if not own["matters"]:
        return (
            f"{random}, about as much. The choice of features matters at other numbers "
            f"of features: {_numbers(matters)} (corrected t-test, p < {LEVEL:g})."
        )
    others = [verdict["k"] for verdict in facts["choice"] if not verdict["matters"]]
    sentence = (
        f"The choice of features matters: {random}, {own['difference']:.3f} lower "
        f"({_p_clause(own['p_value'])}, corrected t-test)."
    )
    if not others:
        return sentence
    return (
        f"{sentence} At {_numbers(others)} features, the difference from random features is below "
        f"{SMALL_DIFFERENCE:g} or not significant."
    )


def _no_difference(facts: dict[str, Any], random: str) -> str:
    """Return the sentence for a choice that is not shown to matter at any number of features."""
    top = max(facts["choice"], key=lambda verdict: verdict["difference"])
    if top["difference"] < SMALL_DIFFERENCE:
        return (
            f"The choice of features does not matter: {random}, and at no number of features is "
            f"{facts['best']} better by {SMALL_DIFFERENCE:g} or more."
        )
    return (
        f"It is not certain that the choice of features matters: {random}. The largest difference "
        f"is {top['difference']:.3f} with {_features(top['k'])} ({_p_clause(top['p_value'])}, "
        "corrected t-test)."
    )


def method_sentences(facts: dict[str, Any]) -> str:
    """Return which methods are worse than the best, and which differences are excluded."""
    if facts["methods"] < 2:
        return ""
    rivals, best = facts["rivals"], facts["best"]
    if not rivals:
        trials = count_of(facts["trials"], "trial")
        return f"{trials} are too few to compare the methods. That needs {SMALLEST}."
    worse = [name for name, each in rivals.items() if is_worse(each)]
    open_ = sorted(set(rivals) - set(worse), key=lambda name: -rivals[name]["mean"])
    parts = []
    if worse:
        verb = "scores" if len(worse) == 1 else "score"
        parts.append(f"{join_names(worse)} {verb} significantly lower than {best}.")
    parts += [_excluded(name, rivals[name], best) for name in open_[:MOST_DESCRIBED]]
    if len(open_) > MOST_DESCRIBED:
        left, verb = (
            len(open_) - MOST_DESCRIBED,
            "does" if len(open_) == MOST_DESCRIBED + 1 else "do",
        )
        parts.append(f"{count_of(left, 'more method')} {verb} not differ significantly.")
    return " ".join(parts)


def is_worse(rival: dict[str, float]) -> bool:
    """Return whether a method scores significantly lower, by 0.01 or more."""
    return rival["high"] < 0 and rival["mean"] <= -SMALL_DIFFERENCE


def _excluded(name: str, rival: dict[str, float], best: str) -> str:
    mean, low, high = rival["mean"], rival["low"], rival["high"]
    interval = f"95 % interval: {_side(low)} to {_side(high)}"
    return (
        f"{name} scores {_side(mean)} than {best} ({interval}), so larger differences are excluded."
    )


def _side(difference: float) -> str:
    return f"{abs(difference):.3f} {'higher' if difference > 0 else 'lower'}"


def _features(k: int, kind: str = "") -> str:
    return f"{k} {kind}feature{'' if k == 1 else 's'}"


def _reach(k: int) -> str:
    return "reaches" if k == 1 else "reach"


def _numbers(ks: list[int]) -> str:
    return join_names([str(k) for k in ks])


def _p(p_value: float) -> str:
    return f"{p_value:.3f}" if p_value < 0.1 else f"{p_value:.2f}"


def _p_clause(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {_p(p_value)}"
