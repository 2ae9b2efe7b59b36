"""The greedy choice by volume against determinants written out."""

import numpy as np
import pytest

from featrank.data.matrix import Matrix
from featrank.pairwise.volume import GreedyVolume


def greedy_volume(X, relevance, diversity=1.0, n_jobs=None):
    mean = X.mean(axis=0)
    scale = 1 / np.linalg.norm(X - mean, axis=0)
    return GreedyVolume(
        Matrix(X, None).columns,
        len(X),
        X.dtype,
        relevance,
        mean,
        scale,
        diversity=diversity,
        n_jobs=n_jobs,
    )


def sample(n_samples, n_features):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, n_features))
    X[:, 1::3] += 2 * X[:, ::3][:, : X[:, 1::3].shape[1]]
    return X, rng.uniform(0.1, 1, n_features)


@pytest.mark.parametrize("diversity", [0.5, 1.0, 2.0])
def test_each_choice_has_the_largest_gain(diversity):
    X, relevance = sample(40, 15)
    similarity = np.corrcoef(X.T) ** 2
    chosen, gains = greedy_volume(X, relevance, diversity).choose(8)
    for step in range(8):
        before = chosen[:step]
        volume = np.linalg.det(similarity[np.ix_(before, before)])
        rest = np.full(15, -1.0)
        for f in np.setdiff1d(np.arange(15), before):
            both = [*before, f]
            rest[f] = np.linalg.det(similarity[np.ix_(both, both)]) / volume
        expected = np.where(rest > 0, relevance * np.abs(rest) ** diversity, -1)
        assert chosen[step] == np.argmax(expected)
        assert gains[step] == pytest.approx(expected.max())


def test_most_features_are_never_touched(monkeypatch):
    """Sleeping features cost neither a copy nor a correlation."""
    woken = []
    standardised = GreedyVolume._standardised
    monkeypatch.setattr(
        GreedyVolume,
        "_standardised",
        lambda self, features: woken.extend(features) or standardised(self, features),
    )
    X, relevance = sample(100, 5000)
    greedy_volume(X, relevance**30).choose(20)
    assert len(woken) == len(set(woken)) < 500
