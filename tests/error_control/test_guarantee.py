"""What a list with a false discovery rate promises, on simulated data with known truth."""

import numpy as np
import pytest
from scipy.stats import binom

from featrank import FisherScore
from featrank.data.opening import open_data
from featrank.data.with_decoys import copy_with_decoys
from featrank.error_control import FDRSelector, control_fdr
from featrank.error_control.draws import Draws

N_SAMPLES, N_FEATURES, BLOCK = 40, 200, 20
LEVEL = 0.1


def simulate_null(seed, correlated):
    """Return values, in blocks of correlated features or not, and labels that mean nothing."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_SAMPLES, N_FEATURES))
    if correlated:
        shared = rng.normal(size=(N_SAMPLES, N_FEATURES // BLOCK))
        X = np.sqrt(0.5) * (X + np.repeat(shared, BLOCK, axis=1))
    return X, rng.permutation(np.arange(N_SAMPLES) % 2)


def simulate_signal(seed, correlated, n_true=20, effect=2.0):
    """Return values and labels, and which features depend on the labels."""
    X, y = simulate_null(1000 + seed, correlated)
    true = np.random.default_rng(seed).choice(N_FEATURES, n_true, replace=False)
    X[:, true] += effect * y[:, None]
    is_true = np.zeros(N_FEATURES, dtype=bool)
    is_true[true] = True
    return X, y, is_true


def claims_of(X, y, method="fisher", **params):
    return FDRSelector(method, LEVEL, **params).fit(X, y).support_


def count_claiming_runs(method="fisher", n_runs=40, **params):
    """Return in how many null data sets anything is claimed; every second one is correlated."""
    data = (simulate_null(seed, seed % 2 == 1) for seed in range(n_runs))
    return sum(claims_of(*each, method, **params).any() for each in data)


def is_above_level(n_claiming, n_runs=40):
    """Whether so many claiming runs are significantly more than a tenth."""
    return binom.sf(n_claiming - 1, n_runs, LEVEL) < 0.05


def first_columns(X, y):
    """Score features by their place, and by nothing else."""
    return -np.arange(X.shape[1], dtype=float)


def test_random_labels_claim_something_in_a_tenth_of_the_runs_at_most():
    assert not is_above_level(count_claiming_runs())


def test_the_bound_on_claiming_runs_can_be_exceeded():
    assert is_above_level(9)
    assert not is_above_level(4)


@pytest.mark.parametrize("correlated", [False, True], ids=["independent", "blocks"])
def test_strong_signals_are_found_at_the_level(correlated):
    proportions, powers = [], []
    for seed in range(15):
        X, y, is_true = simulate_signal(seed, correlated)
        claimed = claims_of(X, y)
        proportions.append((claimed & ~is_true).sum() / max(claimed.sum(), 1))
        powers.append(claimed[is_true].mean())
    error = np.std(proportions, ddof=1) / np.sqrt(len(proportions))
    assert np.mean(proportions) <= LEVEL + 2 * error
    assert np.mean(powers) >= 0.9


def test_a_lower_level_claims_less_and_keeps_its_rate():
    proportions = []
    for seed in range(15):
        X, y, is_true = simulate_signal(seed, correlated=False)
        result = FDRSelector("fisher", LEVEL).fit(X, y).control_
        strict = result.at(0.03)
        assert not (strict.support & ~result.support).any()
        proportions.append((strict.support & ~is_true).sum() / max(strict.n_selected, 1))
    error = np.std(proportions, ddof=1) / np.sqrt(len(proportions))
    assert np.mean(proportions) <= 0.03 + 2 * error


@pytest.mark.parametrize("method", ["fisher", "ec-fs", "mi", "relieff"])
def test_duplicates_of_a_true_feature_are_claimed_as_well(method):
    X, y, is_true = simulate_signal(0, correlated=False, effect=3.0)
    source = np.flatnonzero(is_true)[0]
    copies = np.flatnonzero(~is_true)[:5]
    X[:, copies] = X[:, [source]]
    claimed = claims_of(X, y, method)
    assert claimed[source]
    assert claimed[copies].all()


def test_expected_false_features_match_what_happens():
    """Summed over data sets, the expected number of false features is not below the real one."""
    expected = actual = 0.0
    for seed in range(15):
        X, y, is_true = simulate_signal(seed, correlated=seed % 2 == 1)
        control = FDRSelector("fisher", LEVEL).fit(X, y).control_
        expected += control.expected_false
        actual += (control.support & ~is_true).sum()
    assert expected / 2 < actual < 2 * expected


# What a method may do without breaking the promise


@pytest.mark.parametrize("method", [first_columns, lambda X, y: np.zeros(X.shape[1])])
def test_methods_that_look_at_the_place_of_a_column_claim_nothing(method):
    assert count_claiming_runs(method, 10) == 0


@pytest.mark.parametrize("constant", [0.0, 3.0])
def test_ties_by_column_claim_nothing(constant):
    X, y = np.full((N_SAMPLES, 60), constant), np.arange(N_SAMPLES) % 2
    result = FDRSelector("fisher", 0.5).fit(X, y).control_
    assert result.n_selected == 0


def test_methods_that_prefer_certain_features_claim_nothing():
    """A score of the standard deviation alone ranks the same features first for any labels."""
    count = 0
    for seed in range(10):
        X, y = simulate_null(seed, correlated=False)
        X[:, :20] *= 5
        count += claims_of(X, y, lambda X, y: X.std(axis=0)).any()
    assert count == 0


def test_a_method_that_partly_prefers_certain_features_keeps_the_level():
    """Relevance times standard deviation: wide features rank high, true or not."""

    def wide_and_relevant(X, y):
        return X.std(axis=0) * np.abs(np.corrcoef(X.T, y)[-1, :-1])

    count = 0
    for seed in range(20):
        X, y = simulate_null(seed, correlated=False)
        X[:, :20] *= 3
        count += claims_of(X, y, wide_and_relevant).any()
    assert not is_above_level(count, 20)


# Broken versions, which the tests above must catch


def test_decoys_that_keep_their_rows_find_nothing(monkeypatch):
    """Decoys equal to their features: power is lost, and the test of power would fail."""
    monkeypatch.setattr(
        "featrank.error_control.draws.permuted_rows", lambda rng, n, groups=None: np.arange(n)
    )
    X, y, _ = simulate_signal(0, correlated=False)
    assert not claims_of(X, y).any()


def test_columns_that_are_not_shuffled_claim_by_their_place(monkeypatch):
    """Without shuffled columns, ties by column would rank all features above their decoys."""
    own = Draws._draw

    def in_order(self, seed):
        rows, columns = own(self, seed)
        return rows, np.sort(columns)

    monkeypatch.setattr(Draws, "_draw", in_order)
    assert is_above_level(count_claiming_runs(first_columns, 10), 10)


def test_decoys_of_other_values_claim_what_a_method_prefers(monkeypatch):
    """Decoys need the values of the features, or a method that prefers large ones sees them."""

    def copy(data, rows, columns):
        both = copy_with_decoys(data, rows, columns)
        both.X[:, columns[data.X.shape[1] :]] *= 0.5
        return both

    monkeypatch.setattr("featrank.error_control.draws.copy_with_decoys", copy)
    assert is_above_level(count_claiming_runs(lambda X, y: X.std(axis=0), 10), 10)


# Two ways to the same list


def test_the_estimator_and_its_function_agree():
    X, y, _ = simulate_signal(0, correlated=False)
    ranker = FisherScore()
    with open_data(ranker, X, y, {}) as data:
        result = control_fdr(ranker, data, LEVEL)
    np.testing.assert_array_equal(result.support, claims_of(X, y))
