"""Corrected intervals, verdicts on the choice of features, and sequential p-values."""

import numpy as np
import pytest
from scipy import stats

from featrank.statistics import (
    choice_verdicts,
    corrected_interval,
    corrected_t_test,
    method_intervals,
    recommended_k,
    recommended_number,
    sequential_p_value,
)


@pytest.fixture
def scores():
    return np.random.default_rng(0).normal(0.8, 0.05, size=20)


def test_the_interval_matches_the_corrected_test(scores):
    """The interval of a difference excludes 0 exactly if the test rejects."""
    for shift in (0.02, 0.05, 0.08, 0.2):
        differences = scores - scores.mean() + shift
        found = corrected_interval(differences, test_fraction=0.25)
        p_value = corrected_t_test(differences, np.zeros(20), test_fraction=0.25).p_value
        assert (found.low > 0) == (p_value < 0.05)


def test_the_interval_by_hand(scores):
    found = corrected_interval(np.append(scores, np.nan), test_fraction=1 / 3, confidence=0.9)
    error = scores.std(ddof=1) * np.sqrt(1 / 20 + 1 / 2)
    low, high = stats.t.interval(0.9, 19, scores.mean(), error)
    assert found == pytest.approx((scores.mean(), error, low, high))


def test_a_single_score_has_no_interval():
    assert corrected_interval([0.7]) == pytest.approx((0.7, *[np.nan] * 3), nan_ok=True)


def test_choices_are_adjusted_for_their_number(scores):
    random = scores - np.random.default_rng(1).normal(0.06, 0.03, size=20)
    (alone,) = choice_verdicts({5: scores}, {5: random})
    three = choice_verdicts(dict.fromkeys((5, 10, 20), scores), dict.fromkeys((5, 10, 20), random))
    raw = corrected_t_test(scores, random).p_value / 2
    assert alone.p_value == pytest.approx(raw)
    assert [verdict.p_value for verdict in three] == pytest.approx([3 * raw] * 3)


@pytest.mark.parametrize(("gap", "matters"), [(0.009, False), (0.011, True), (-0.2, False)])
def test_small_differences_count_as_none(gap, matters):
    noise = np.tile([1e-5, -1e-5], 10)
    (verdict,) = choice_verdicts({5: np.full(20, 0.8) + gap + noise}, {5: np.full(20, 0.8)})
    assert verdict.matters is matters


def test_few_trials_give_no_verdict():
    (verdict,) = choice_verdicts({5: [0.9] * 4 + [np.nan]}, {5: [0.5] * 5})
    assert (verdict.difference, verdict.matters) == (pytest.approx(0.4), None)
    assert method_intervals({"a": [0.9] * 4, "b": [0.5] * 4}, "a") == {}


def test_intervals_of_methods_hold_for_all_pairs(scores):
    random = np.random.default_rng(2)
    own = {name: scores + random.normal(0, 0.02, size=20) for name in ("a", "b", "c", "d")}
    found = method_intervals(own, "a")
    assert list(found) == ["b", "c", "d"]
    by_hand = corrected_interval(own["b"] - own["a"], confidence=1 - 0.05 / 6)
    assert found["b"] == by_hand


def test_verdicts_without_a_difference_are_seldom_wrong():
    """Trials of one data set share rows, so their common error is not in their variance."""
    random = np.random.default_rng(3)
    wrong = 0
    for _ in range(400):
        common = random.normal(0, 0.06, size=2)
        own, other = (common[j] + random.normal(0.5, 0.1, size=20) for j in range(2))
        (verdict,) = choice_verdicts({5: own}, {5: other})
        wrong += verdict.matters
    assert wrong <= 32


def test_the_recommended_number_is_within_a_hundredth():
    def curve(*means):
        return [{"k": 10 * n, "mean": mean} for n, mean in enumerate(means, 1)]

    assert recommended_k(curve(0.88, 0.89, 0.90)) == 20
    assert recommended_k(curve(0.90, 0.80, float("nan"))) == 10
    assert recommended_k(curve(float("nan"))) is None


def test_without_scores_the_largest_number_is_recommended():
    import polars as pl

    class Results:
        n_features = (5, 10)

        def table(self):
            return []

        def curves(self):
            return pl.DataFrame(schema={"method": pl.String, "k": pl.Int64, "mean": pl.Float64})

    assert recommended_number(Results()) == 10


# -- sequential p-values


def test_all_permutations_count_until_enough():
    assert sequential_p_value(0.9, [0.95] + [0.1] * 98) == (2 / 100, 99, 1)
    assert sequential_p_value(0.5, [0.6, 0.1] * 50, enough=10) == (10 / 19, 19, 10)


def test_ties_and_missing_scores_count_as_well():
    assert sequential_p_value(0.5, [0.5, np.nan, 0.4]).exceeding == 2
    assert sequential_p_value(0.1 + 0.2, [0.3, 0.1]).exceeding == 1


def test_no_permutation():
    assert sequential_p_value(0.5, []) == (1.0, 0, 0)


@pytest.mark.parametrize("level", [0.05, 0.2, 0.5])
def test_stopping_early_keeps_the_error_rate(level):
    random = np.random.default_rng(4)
    scores = random.normal(size=(3000, 200))
    p_values = [sequential_p_value(row[0], row[1:]).p_value for row in scores]
    assert np.mean(np.array(p_values) <= level) < level + 3 * np.sqrt(level * (1 - level) / 3000)
