"""Data and comparisons that the checks share."""

import numpy as np
from scipy.stats import spearmanr

SIGNAL = 7


def problem(n_samples=60, n_features=20, n_classes=2, signal=SIGNAL, seed=0):
    """Return noise with one feature that tells the classes apart, and the classes.

    The values are multiples of 2**-10, so that float32 holds them, and shifts and scales by
    powers of two change them, exactly. The signal also has the largest spread, absolute and
    relative to its mean, and is the only one with clusters, which makes it the best feature
    for methods without labels too.
    """
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n_samples) % n_classes)
    X = rng.normal(loc=8, size=(n_samples, n_features))
    if signal is not None:
        X[:, signal] += 6 * y
    return np.round(X * 1024) / 1024, y


def scores_of(ranker, X, y):
    return ranker.fit(X, y).scores_


def parameters_of(ranker):
    return ranker.get_params(deep=False)


def assert_same_scores(ranker, got, wanted, when, tolerance=1e-6):
    """Scores agree up to rounding; a stochastic method keeps the best and the rough order."""
    if ranker.stochastic:
        assert np.argmax(got) == np.argmax(wanted), f"the best feature changes with {when}"
        assert spearmanr(got, wanted).statistic > 0.4, f"the order changes with {when}"
        return
    size = np.max(np.abs(wanted), where=np.isfinite(wanted), initial=0.0)
    np.testing.assert_allclose(
        got, wanted, rtol=0, atol=tolerance * size, err_msg=f"scores change with {when}"
    )


def assert_ranks(ranker, n_features):
    """The fitted ranker holds one number a feature and a permutation of the ranks."""
    assert ranker.scores_.shape == (n_features,), "scores_ is not one number a feature"
    assert (ranker.scores_ > -np.inf).all(), "scores_ holds NaN or -inf"
    wanted = np.arange(1, n_features + 1)
    assert np.array_equal(np.sort(ranker.ranking_), wanted), "ranking_ is not a permutation"


def assert_refused(action, what, *words):
    """The action raises a ValueError whose text holds the words."""
    try:
        action()
    except ValueError as error:
        message = str(error)
    else:
        raise AssertionError(f"{what} is accepted")
    for word in words:
        assert word in message, f"the error on {what} does not say {word!r}: {message}"
