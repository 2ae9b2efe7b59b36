import numpy as np
import pytest
from sklearn.metrics import mutual_info_score, normalized_mutual_info_score

from featrank import MutualInformation


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 3, 250)
    X = rng.normal(0, 1, (250, 30)) + np.linspace(0, 1, 30) * y[:, None]
    X[:, :5] = rng.poisson(2 + y[:, None], (250, 5))
    return X, np.array(["a", "b", "c"])[y]


def width_codes(column, bins):
    if np.all(column == np.round(column)) and np.ptp(column) < bins:
        return column - column.min()
    edges = np.linspace(column.min(), column.max(), bins + 1)
    return np.searchsorted(edges[1:-1], column, side="right")


@pytest.mark.parametrize(("bins", "number"), [("auto", 20), (7, 7)])
def test_equals_scikit_learn_on_the_same_bins(data, bins, number):
    X, y = data
    expected = [mutual_info_score(width_codes(column, number), y) for column in X.T]
    scores = MutualInformation(bins=bins).fit(X, y).scores_
    np.testing.assert_allclose(scores, expected, rtol=1e-10, atol=1e-14)


def test_quantile_bins(data):
    X, y = data
    X = X[:, 5:]
    edges = np.quantile(X, np.arange(1, 8) / 8, axis=0)
    expected = [
        mutual_info_score(np.searchsorted(inner, column, side="right"), y)
        for inner, column in zip(edges.T, X.T, strict=True)
    ]
    scores = MutualInformation(bins=8, binning="quantile").fit(X, y).scores_
    np.testing.assert_allclose(scores, expected, rtol=1e-10)


def test_normalized_is_the_symmetric_uncertainty(data):
    X, y = data
    expected = [normalized_mutual_info_score(width_codes(column, 20), y) for column in X.T]
    scores = MutualInformation(normalized=True).fit(X, y).scores_
    np.testing.assert_allclose(scores, expected, rtol=1e-10)


def test_quantile_bins_do_not_see_monotone_maps(data):
    X, y = data
    for bins in (10, 83):  # the quantiles k/83 of 250 samples are samples themselves
        ranker = MutualInformation(bins=bins, binning="quantile")
        wanted = ranker.fit(X, y).scores_
        np.testing.assert_array_equal(ranker.fit(np.exp(X), y).scores_, wanted)
