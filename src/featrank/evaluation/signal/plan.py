"""How to test for signal: the methods, splits and permutations that are cheap enough.

Everything follows from the shape of the data and from stored times of each method, never from the
clock, so that the same run gives the same p-value on any computer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featrank.base.ranker import name_of
from featrank.base.suitability import seconds_of
from featrank.evaluation.data import Data
from featrank.evaluation.estimators import SklearnModel, evaluation_model
from featrank.evaluation.method_entries import Entry
from featrank.evaluation.protocol import AUTO, Protocol
from featrank.evaluation.signal.permuted_labels import can_reject, permutation_kind
from featrank.solvers.linear_svm import HingeSVM

# With fewer trials, no verdict is given.
FEWEST_TRIALS = 5
# Splits that the score of a labeling is averaged over, and methods: more add little power.
SPLITS, MOST_METHODS = (5, 3, 1), 3
FEWEST_PERMUTATIONS, MOST_PERMUTATIONS = 200, 999
# Seconds of one core on the computer on which the methods were timed: for the fewest permutations
# with every split and method, for more permutations, and for the fewest with a single split.
COMFORTABLE, USUAL, LONGEST = 10.0, 5.0, 120.0


@dataclass(frozen=True)
class SignalPlan:
    """The methods to test by index, the number of splits and of permutations, and their kind.

    Without permutations, ``reason`` says why the test is not run.
    """

    methods: tuple[int, ...] = ()
    splits: int = 0
    permutations: int = 0
    kind: str = ""
    reason: str = ""


def plan_signal_test(data: Data, methods: Sequence[Entry], protocol: Protocol) -> SignalPlan:
    """Return how to test for signal, or the reason not to."""
    wanted, kind = protocol.n_permutations, permutation_kind(data.y, data.groups)
    reason = _reason_against(data, protocol, kind)
    if reason:
        return SignalPlan(reason=reason)
    seconds = {place: _seconds(data, entry, protocol) for place, entry in enumerate(methods)}
    known = {place: each for place, each in seconds.items() if each is not None}
    if wanted != AUTO:
        cheapest = min(seconds, key=lambda place: known.get(place, np.inf))
        return SignalPlan((cheapest,), SPLITS[0], int(wanted), kind)
    if not known:
        return SignalPlan(reason="no method or evaluation model is known to be fast enough")
    return _affordable(known, kind)


def _affordable(seconds: dict[int, float], kind: str) -> SignalPlan:
    """Return the plan with the most methods, splits and permutations that time allows."""
    order = sorted(seconds, key=lambda place: (seconds[place], place))
    for splits in SPLITS:
        for count in range(min(MOST_METHODS, len(order)) if splits == SPLITS[0] else 1, 0, -1):
            one = splits * sum(seconds[place] for place in order[:count])
            limit = LONGEST if splits == SPLITS[-1] else COMFORTABLE
            if FEWEST_PERMUTATIONS * one <= limit:
                m = int(np.clip(USUAL / one, FEWEST_PERMUTATIONS, MOST_PERMUTATIONS))
                return SignalPlan(tuple(order[:count]), splits, m, kind)
    return SignalPlan(reason=f"{FEWEST_PERMUTATIONS} permutations would take too long")


def _reason_against(data: Data, protocol: Protocol, kind: str) -> str:
    if protocol.n_permutations == 0:
        return "`n_permutations` is 0"
    if protocol.leaky:
        return "the run is leaky"
    if protocol.n_trials < FEWEST_TRIALS:
        return f"it needs {FEWEST_TRIALS} trials"
    if not can_reject(data.y, data.groups, kind):
        return "the labels of so few groups have fewer than 20 arrangements"
    return ""


def _seconds(data: Data, entry: Entry, protocol: Protocol) -> float | None:
    """Return the estimated seconds of one split, or None if they are unknown."""
    costs = [seconds for seconds in seconds_of(name_of(entry.ranker)).values() if seconds]
    fits = _model_seconds(data, protocol)
    if len(costs) < 2 or fits is None:
        return None
    n_samples, n_features = data.X.shape
    share = n_samples * n_features / 2e6  # of the tables on which the methods were timed
    longer_lists = max(1.0, protocol.feature_counts[-1] / 50)
    return 5e-4 + share * (max(costs) * longer_lists + 5e-3) + fits


def _model_seconds(data: Data, protocol: Protocol) -> float | None:
    """Return the estimated seconds to fit the evaluation model for each number of features."""
    n_train = round(len(data.y) * (1 - protocol.test_size))
    model = evaluation_model(protocol, n_train, 0)
    if isinstance(model, SklearnModel):
        return None
    counts, classes = protocol.feature_counts, max(2, len(data.classes))
    if isinstance(model, HingeSVM):
        one = len(counts) * (1.5e-4 + 5e-8 * n_train**2)
    else:
        one = sum(3e-4 + n_train * k * 1.5e-8 + 1e-7 * k**2 for k in counts)
    imputed = 2e-9 * n_train**2 * data.X.shape[1] if protocol.imputer == "knn" else 0.0
    return one * (classes if classes > 2 else 1) + imputed


def as_plain(plan: SignalPlan, methods: Sequence[Entry]) -> dict[str, Any]:
    """Return the plan as JSON can hold it."""
    names = [methods[place].name for place in plan.methods]
    return {
        "methods": names,
        "splits": plan.splits,
        "permutations": plan.permutations,
        "kind": plan.kind,
        "reason": plan.reason,
    }
