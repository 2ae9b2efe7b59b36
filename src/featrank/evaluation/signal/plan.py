"""How to test for signal: with the fastest method, and as many splits as are cheap enough.

Everything follows from the shape of the data and from stored times of each method, never from the
clock, so that the same run gives the same p-value on any computer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

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
# Splits that the score of a labeling is the mean of. More add little power: see `docs/verdicts.md`.
SPLITS = (5, 3, 1)
# The smallest possible p-value is then 0.005.
N_PERMUTATIONS = 200
# Seconds of one core, on the computer on which the methods were timed, that all permutations may
# take with several splits, and with one.
USUAL, LONGEST = 30.0, 120.0


@dataclass(frozen=True)
class SignalPlan:
    """The index of the method to test, the number of splits and of permutations, and their kind.

    Without permutations, ``reason`` says why the test is not run. ``seconds`` are estimated for one
    core, 0 if they are unknown.
    """

    method: int = 0
    splits: int = 0
    permutations: int = 0
    kind: str = ""
    reason: str = ""
    seconds: float = 0.0


def plan_signal_test(data: Data, methods: Sequence[Entry], protocol: Protocol) -> SignalPlan:
    """Return how to test for signal, or the reason not to."""
    wanted, kind = protocol.n_permutations, permutation_kind(data.y, data.groups)
    reason = _reason_against(data, protocol, kind)
    if reason:
        return SignalPlan(reason=reason)
    seconds = [_seconds(data, entry, protocol) for entry in methods]
    # An unsupervised method has less power, because it does not see the labels.
    supervised = [place for place, entry in enumerate(methods) if entry.ranker.supervised]
    fastest = min(supervised or range(len(methods)), key=lambda place: seconds[place])
    if wanted != AUTO:
        known = seconds[fastest] if seconds[fastest] < inf else 0.0
        return SignalPlan(
            fastest, SPLITS[0], int(wanted), kind, seconds=int(wanted) * SPLITS[0] * known
        )
    for splits in SPLITS:
        limit = LONGEST if splits == SPLITS[-1] else USUAL
        total = N_PERMUTATIONS * splits * seconds[fastest]
        if total <= limit:
            return SignalPlan(fastest, splits, N_PERMUTATIONS, kind, seconds=total)
    return SignalPlan(reason="no method is known to be fast enough with this evaluation model")


def _reason_against(data: Data, protocol: Protocol, kind: str) -> str:
    if protocol.n_permutations == 0:
        return "the test is turned off"
    if protocol.leaky:
        return "the run is leaky"
    if protocol.n_trials < FEWEST_TRIALS:
        return f"the test needs {FEWEST_TRIALS} trials, better 20 or more"
    if not can_reject(data.y, data.groups, kind):
        return "the labels of so few samples or groups have 20 arrangements at most"
    return ""


def _seconds(data: Data, entry: Entry, protocol: Protocol) -> float:
    """Return the estimated seconds of one split, infinite if they are unknown."""
    costs = [seconds for seconds in seconds_of(name_of(entry.ranker)).values() if seconds]
    if len(costs) < 2:
        return inf
    n_samples, n_features = data.X.shape
    share = n_samples * n_features / 2e6  # of the tables on which the methods were timed
    longer_list = max(1.0, protocol.feature_counts[-1] / 50)
    knn = protocol.imputer == "knn" and bool(np.isnan(data.X).any())
    imputed = 2e-9 * n_samples**2 * n_features if knn else 0.0
    ranked = 2e-3 + share * (max(costs) * longer_list + 5e-3)
    return ranked + imputed + _model_seconds(data, protocol)


def _model_seconds(data: Data, protocol: Protocol) -> float:
    """Return the estimated seconds to fit the evaluation model for each number of features."""
    n_train = round(len(data.y) * (1 - protocol.test_size))
    model, counts = evaluation_model(protocol, n_train, 0), protocol.feature_counts
    if isinstance(model, SklearnModel):
        return inf
    targets = len(data.classes) if len(data.classes) > 2 else 1
    if isinstance(model, HingeSVM):
        return targets * len(counts) * (5e-4 + 5e-8 * n_train**2)
    return targets * sum(5e-4 + n_train * k * 1.5e-8 + 1e-7 * k**2 for k in counts)
