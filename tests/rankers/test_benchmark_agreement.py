"""The benchmark's verdict on ReliefF: single precision passes, another method does not."""

import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification

from featrank import ReliefF

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
K = 10


@pytest.fixture
def check(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    comparisons = pytest.importorskip("comparisons")
    yield comparisons.agreement.equal_in_single(comparisons.RELIEFF_TERMS)
    for name in ("comparisons", "agreement", "ours"):
        sys.modules.pop(name, None)


def in_single(X, y, k, *, scaled=True):
    """ReliefF of two classes by loops, values and sums in float32."""
    width = np.ptp(X, axis=0) if scaled else np.ones(X.shape[1])
    Z = ((X - X.min(axis=0)) / width).astype(np.float32)
    scores = np.zeros(X.shape[1], np.float32)
    for i, row in enumerate(Z):
        gaps = np.abs(Z - row)
        distance = gaps.sum(axis=1)
        distance[i] = np.inf
        for label, sign in ((y[i], -1), (1 - y[i], 1)):
            members = np.flatnonzero(y == label)
            for near in members[np.argsort(distance[members], kind="stable")[:k]]:
                scores += np.float32(sign / (k * len(X))) * gaps[near]
    return scores


@pytest.fixture(scope="module")
def data():
    return make_classification(200, 60, random_state=0)


def test_single_precision_agrees(check, data):
    agrees, seen = check(ReliefF(n_neighbors=K).fit(*data).scores_, in_single(*data, K))
    assert agrees, seen


@pytest.mark.parametrize("change", [{"k": K - 1}, {"k": K + 1}, {"k": K, "scaled": False}])
def test_another_method_is_rejected(check, data, change):
    agrees, seen = check(ReliefF(n_neighbors=K).fit(*data).scores_, in_single(*data, **change))
    assert not agrees, seen
