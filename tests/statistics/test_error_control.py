"""False discovery rates from ranks among decoys: formulas, and what must not change them."""

import numpy as np
import pytest

from featrank.statistics import expected_false, log_ranks, q_values


def simulated_values(n_draws=20, n_features=60, seed=0):
    """Return values of features and decoys that have no information."""
    return np.random.default_rng(seed).normal(size=(2, n_draws, n_features))


def brute_force_q_values(expected):
    """Return q-values by the definition: the smallest rate of a list that has the feature."""
    ascending = sorted(expected)
    rates = [(value / (count - 0.5), value) for count, value in enumerate(ascending, 1)]
    return [min(1, min(rate for rate, last in rates if last >= own)) for own in expected]


def test_log_ranks_follow_the_definition():
    order = np.array([3, 0, 4, 2, 1])
    expected = np.empty(5)
    for place, feature in enumerate(order):
        expected[feature] = -np.log((place + 0.5) / 5)
    np.testing.assert_allclose(log_ranks(order), expected)


def test_log_ranks_keep_the_order():
    order = np.random.default_rng(0).permutation(50)
    np.testing.assert_array_equal(np.argsort(-log_ranks(order)), order)


def test_a_feature_above_all_decoys_has_the_smallest_expected_number():
    for n_draws in (2, 5, 20):
        features, decoys = simulated_values(n_draws)
        features[:, 3] += 100
        found = expected_false(features, decoys)
        assert found[3] == pytest.approx(1 / (n_draws + 1))
        assert found.argmin() == 3


def test_a_feature_below_all_decoys_has_all_of_them_above():
    features, decoys = simulated_values()
    features[:, 3] -= 100
    assert expected_false(features, decoys)[3] == pytest.approx(60 + 1 / 21)


def test_the_order_of_the_draws_does_not_matter():
    features, decoys = simulated_values()
    order = np.random.default_rng(1).permutation(20)
    expected = expected_false(features, decoys)
    np.testing.assert_allclose(expected_false(features[order], decoys[order]), expected)


def test_the_order_of_the_features_does_not_matter():
    features, decoys = simulated_values()
    order = np.random.default_rng(1).permutation(60)
    expected = expected_false(features, decoys)[order]
    np.testing.assert_allclose(expected_false(features[:, order], decoys[:, order]), expected)


def test_a_feature_that_rises_never_gets_more_expected_false_features():
    features, decoys = simulated_values(8)
    found = []
    for rise in (0, 0.5, 1, 2, 4):
        raised = features.copy()
        raised[:, 7] += rise
        found.append(expected_false(raised, decoys)[7])
    assert found[-1] < found[0]
    assert found[-1] == pytest.approx(1 / 9)


def test_decoys_with_the_same_value_count_as_above():
    features, decoys = np.zeros((4, 6)), np.zeros((4, 6))
    np.testing.assert_allclose(expected_false(features, decoys), 6 + 1 / 5)


def test_centring_removes_what_a_feature_always_has():
    """Features that a method always ranks high look like their decoys, not like signals."""
    features, decoys = simulated_values(50, 200)
    always_high = np.arange(200) < 10
    shift = 6.0 * always_high
    plain = expected_false(features, decoys)
    found = expected_false(features + shift, decoys + shift)
    assert np.median(found[always_high]) > 20
    assert abs(np.log(found.min() / plain.min())) < 1
    assert q_values(found).min() > 0.1


def test_centring_leaves_a_signal_above_its_own_decoys():
    features, decoys = simulated_values(50, 200)
    shift = 6.0 * (np.arange(200) < 10)
    features, decoys = features + shift, decoys + shift
    features[:, 0] += 20
    assert expected_false(features, decoys)[0] == pytest.approx(1 / 51)


def test_draws_in_which_decoys_rise_like_the_features_count(monkeypatch):
    """Correlated features rise together by chance, in the data as in some of the draws."""
    features, decoys = np.random.default_rng(0).normal(size=(2, 40, 100))
    block = slice(0, 40)
    features[:, block] += 1.5
    decoys[:14, block] += 1.5
    matched = np.median(expected_false(features, decoys)[block])
    monkeypatch.setattr("featrank.statistics.error_control.MATCHED_SHARE", 1)
    mean = np.median(expected_false(features, decoys)[block])
    assert matched > 1.2 * mean


def test_matched_draws_lower_the_mean_to_half_at_most():
    """Draws that look like the data have no decoy above the feature, all others have 20."""
    rng = np.random.default_rng(0)
    features, decoys = rng.normal(size=(2, 40, 100))
    features[:, 0] = 50
    for draw in range(14, 40):
        decoys[draw] += 1.0
        decoys[draw, rng.permutation(100)[:20]] = 100
    found = expected_false(features, decoys)[0]
    assert found == pytest.approx(20 * 26 / 40 / 2 + 1 / 41)


@pytest.mark.parametrize("n_draws", [1, 2])
def test_few_draws(n_draws):
    found = expected_false(*simulated_values(n_draws))
    assert np.isfinite(found).all()
    assert found.min() >= 1 / (n_draws + 1)


def test_inputs_are_not_changed():
    features, decoys = simulated_values()
    copies = features.copy(), decoys.copy()
    expected_false(features, decoys)
    np.testing.assert_array_equal(features, copies[0])
    np.testing.assert_array_equal(decoys, copies[1])


@pytest.mark.parametrize("seed", range(5))
def test_q_values_follow_the_definition(seed):
    expected = np.random.default_rng(seed).exponential(3, size=40)
    np.testing.assert_allclose(q_values(expected), brute_force_q_values(expected))


def test_q_values_of_ties():
    """A list that ends within tied features ends with all of them."""
    expected = np.array([0.1, 0.5, 0.5, 0.5, 9])
    found = q_values(expected)
    np.testing.assert_allclose(found, brute_force_q_values(expected))
    assert found[1] == found[2] == found[3]
    np.testing.assert_allclose(q_values(expected[::-1]), found[::-1])


def test_q_values_are_monotone_and_at_most_one():
    expected = np.random.default_rng(0).exponential(30, size=100)
    found = q_values(expected)
    assert (np.diff(found[np.argsort(expected)]) >= 0).all()
    assert found.max() <= 1


def test_one_feature():
    np.testing.assert_allclose(q_values([0.04]), [0.08])
