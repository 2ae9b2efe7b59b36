"""Symmetric uncertainty written plainly."""

from collections import Counter
from math import log

import numpy as np


def entropy(states):
    counts = Counter(states)
    return -sum(n / len(states) * log(n / len(states)) for n in counts.values())


def uncertainty(a, b):
    """Return 2·I(a; b) / (H(a) + H(b)), and 0 if neither varies."""
    a, b = a.tolist(), b.tolist()
    total = entropy(a) + entropy(b)
    shared = total - entropy(list(zip(a, b, strict=True)))
    return 2 * shared / total if total > 0 else 0.0


def uncertainties(codes, y):
    """Return SU of each column with the class, and of each pair of columns."""
    n = codes.shape[1]
    with_class = np.array([uncertainty(column, y) for column in codes.T])
    pairs = np.eye(n)
    for i, j in zip(*np.triu_indices(n, 1), strict=True):
        pairs[i, j] = pairs[j, i] = uncertainty(codes[:, i], codes[:, j])
    return with_class, pairs


def discrete(seed, n_samples=150, n_features=25, n_classes=3):
    """Return integers from 0 to 5: noise, features that tell the class, and echoes of these."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_samples)
    X = rng.integers(0, 4, (n_samples, n_features))
    strength = rng.random(n_features) < 0.5
    X = X + y[:, None] * (strength & (rng.random(X.shape) < 0.7))
    for echo in range(0, n_features - 1, 5):
        X[:, echo + 1] = np.where(rng.random(n_samples) < 0.9, X[:, echo], X[:, echo + 1])
    return X.astype(float), y
