"""Stability against the published formulas written plainly, and at its extremes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import rel_entr

from featrank.exceptions import DataError, UsageError
from featrank.statistics import (
    nogueira_interval,
    ranking_stability,
    stability_curve,
    subset_interval,
    subset_stability,
)

MEASURES = ["kuncheva", "nogueira", "jaccard", "jensen-shannon"]
CORRECTED = ["kuncheva", "nogueira"]


def orders(m, n, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.permutation(n) for _ in range(m)]


def noisy_orders(m, n, noise, seed=0):
    rng = np.random.default_rng(seed)
    return [np.argsort(np.arange(n) + noise * rng.normal(size=n)) for _ in range(m)]


def mean_over_pairs(sets, value):
    return np.mean([value(set(a), set(b)) for a, b in combinations(sets, 2)])


def plain_kuncheva(sets, n):
    k = len(sets[0])
    return mean_over_pairs(sets, lambda a, b: (len(a & b) * n - k**2) / (k * (n - k)))


def plain_jaccard(sets, n):
    return mean_over_pairs(sets, lambda a, b: len(a & b) / len(a | b))


def indicator(sets, n):
    z = np.zeros((len(sets), n))
    for row, members in zip(z, sets, strict=True):
        row[list(members)] = 1
    return z


def plain_nogueira(sets, n):
    """Sample variances of the columns over that of a random choice of the same mean size."""
    z = indicator(sets, n)
    share = z.sum(axis=1).mean() / n
    return 1 - z.var(axis=0, ddof=1).mean() / (share * (1 - share))


def plain_divergence(lists, n, ranked):
    """1 - D/D* from the probability vectors themselves."""
    k = len(lists[0])
    p = np.zeros((len(lists), n))
    for row, members in zip(p, lists, strict=True):
        for rank, feature in enumerate(members, start=1):
            tail = sum(1 / s for s in range(rank, k + 1))
            row[feature] = (1 + tail) / (2 * k) if ranked else 1 / k
    divergence = np.mean([rel_entr(row, p.mean(axis=0)).sum() for row in p])
    return 1 - divergence / rel_entr(p[0], np.full(n, 1 / n)).sum()


@pytest.mark.parametrize("k", [1, 3, 9, 11])
def test_formulas_written_plainly(k):
    n = 12
    rankings = noisy_orders(7, n, noise=3)
    tops = [order[:k].tolist() for order in rankings]
    assert ranking_stability(rankings, k) == pytest.approx(plain_kuncheva(tops, n))
    assert ranking_stability(rankings, k, "nogueira") == pytest.approx(plain_nogueira(tops, n))
    assert ranking_stability(rankings, k, "jaccard") == pytest.approx(plain_jaccard(tops, n))
    plain = plain_divergence(tops, n, ranked=True)
    assert ranking_stability(rankings, k, "jensen-shannon") == pytest.approx(plain)
    unordered = plain_divergence(tops, n, ranked=False)
    assert subset_stability(tops, n, "jensen-shannon") == pytest.approx(unordered)


def test_full_rankings_have_a_divergence():
    rankings = noisy_orders(5, 9, noise=4)
    plain = plain_divergence(rankings, 9, ranked=True)
    assert ranking_stability(rankings, 9, "jensen-shannon") == pytest.approx(plain)
    assert 0 < plain < 1


@given(st.lists(st.sets(st.integers(0, 7)), min_size=2, max_size=6))
@settings(max_examples=100, deadline=None)
def test_sets_of_any_sizes(sets):
    total = sum(map(len, sets))
    plain = plain_nogueira(sets, 8) if 0 < total < 8 * len(sets) else 1
    assert subset_stability(sets, 8, "nogueira") == pytest.approx(plain)
    jaccard = mean_over_pairs(sets, lambda a, b: len(a & b) / len(a | b) if a | b else 1)
    assert subset_stability(sets, 8, "jaccard") == pytest.approx(jaccard, rel=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("k", [1, 10, 37, 200, 500])
def test_identical_rankings_are_stable(measure, k):
    ranking = np.random.default_rng(1).permutation(500)
    assert ranking_stability([ranking] * 7, k, measure) == pytest.approx(1, abs=1e-12)
    assert subset_stability([ranking[:k]] * 7, 500, measure) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("k", [10, 100, 200])
def test_random_rankings_are_about_zero(k):
    rankings = orders(100, 1000)
    for measure in CORRECTED:
        assert abs(ranking_stability(rankings, k, measure)) < 0.01
    # Random sets of a tenth of the features share 1/19 of their union.
    assert ranking_stability(rankings, 100, "jaccard") == pytest.approx(1 / 19, abs=0.002)


def test_divergence_of_endless_random_rankings_is_zero():
    few, many = (ranking_stability(orders(m, 50), 10, "jensen-shannon") for m in (3, 3000))
    assert 0 <= many < 0.01 < few


@pytest.mark.parametrize("measure", ["kuncheva", "nogueira", "jaccard"])
def test_all_features_are_identical_by_necessity(measure):
    assert ranking_stability(orders(5, 20), 20, measure) == 1


def test_disjoint_halves_are_the_least():
    rankings = [[0, 1, 2, 3], [2, 3, 0, 1]]
    assert ranking_stability(rankings, 2) == ranking_stability(rankings, 2, "nogueira") == -1
    assert ranking_stability(rankings, 2, "jaccard") == 0


def test_order_counts_for_the_divergence_alone():
    rankings = [np.arange(30), np.r_[np.arange(10)[::-1], np.arange(10, 30)]]
    assert ranking_stability(rankings, 10) == ranking_stability(rankings, 10, "jaccard") == 1
    assert ranking_stability(rankings, 10, "jensen-shannon") < 0.97


def test_divergence_weighs_the_top_most():
    ranking = np.arange(20)
    top, bottom = ranking.copy(), ranking.copy()
    top[[0, 1]], bottom[[18, 19]] = [1, 0], [19, 18]
    at_top, at_bottom = (
        ranking_stability([ranking, other], 20, "jensen-shannon") for other in (top, bottom)
    )
    assert at_top < at_bottom < 1


@pytest.mark.parametrize("measure", MEASURES)
def test_curve_is_the_value_at_each_k(measure):
    rankings, ks = noisy_orders(6, 40, noise=8), [1, 5, 17, 40]
    curve = stability_curve(rankings, ks, measure)
    assert curve.tolist() == [ranking_stability(rankings, k, measure) for k in ks]


@pytest.mark.parametrize("measure", MEASURES)
def test_features_and_rankings_have_no_names(measure):
    rankings = noisy_orders(6, 40, noise=8)
    renamed = np.random.default_rng(2).permutation(40)
    other = [renamed[order] for order in rankings[::-1]]
    value = ranking_stability(rankings, 12, measure)
    assert ranking_stability(other, 12, measure) == pytest.approx(value, rel=1e-12)


def test_top_lists_of_known_width():
    rankings = noisy_orders(6, 40, noise=8)
    tops = [order[: 12 + i] for i, order in enumerate(rankings)]
    for measure in MEASURES:
        value = ranking_stability(tops, 10, measure, n_features=40)
        assert value == ranking_stability(rankings, 10, measure)


def test_masks_are_sets():
    sets = [[0, 3], [3, 4]]
    masks = [np.isin(np.arange(6), members) for members in sets]
    assert subset_stability(masks, 6) == subset_stability(sets, 6)


def plain_interval(sets, n):
    """The variance of the estimate, term by term as published."""
    z = indicator(sets, n)
    m, sizes, value = len(z), z.sum(axis=1), plain_nogueira(sets, n)
    mean, phi = sizes.mean(), []
    for row, size in zip(z, sizes, strict=True):
        within = (row * z.mean(axis=0)).mean() - size * mean / n**2
        pull = 2 * size * mean / n**2 - size / n - mean / n + 1
        phi.append((within + value / 2 * pull) / (mean / n * (1 - mean / n)))
    error = np.sqrt(4 / m**2 * np.sum((np.array(phi) - np.mean(phi)) ** 2))
    return value - 1.959963984540054 * error, value + 1.959963984540054 * error


def test_interval_written_plainly():
    sets = [{0, 1, 2}, {0, 1}, {0, 2, 5, 6}, {1}, {0, 1, 7}]
    found = subset_interval(sets, 9)
    assert found.value == pytest.approx(plain_nogueira(sets, 9))
    assert (found.low, found.high) == pytest.approx(plain_interval(sets, 9))


def test_interval_of_rankings_and_confidence():
    rankings = noisy_orders(20, 50, noise=8)
    found = nogueira_interval(rankings, 10)
    tops = [order[:10] for order in rankings]
    assert (found.low, found.high) == pytest.approx(plain_interval(tops, 50))
    wider = nogueira_interval(rankings, 10, confidence=0.99)
    assert wider.low < found.low < found.value == ranking_stability(rankings, 10, "nogueira")


def test_interval_covers_the_stability_of_endless_rankings():
    truth = ranking_stability(noisy_orders(4000, 30, noise=6, seed=99), 8, "nogueira")
    inside = 0
    for seed in range(200):
        found = nogueira_interval(noisy_orders(40, 30, noise=6, seed=seed), 8)
        inside += found.low <= truth <= found.high
    assert 180 <= inside <= 199


def test_intervals_without_choice_have_no_width():
    for found in (nogueira_interval(orders(4, 6), 6), subset_interval([[], []], 6)):
        assert (found.value, found.low, found.high) == (1, 1, 1)


@pytest.mark.parametrize(
    ("rankings", "k", "says"),
    [
        ([[0, 1, 2]], 1, "at least two rankings, got 1"),
        ([], 1, "got 0"),
        ([[0, 1, 2], [0, 1]], 1, "ranking 1 has 2 features"),
        ([[1, 2, 3], [3, 2, 1]], 1, "as ranks do"),
        ([[0, 1, 7], [0, 1, 2]], 1, "n_features"),
        ([[0, 1, 1], [0, 1, 2]], 1, "feature 1 more than once"),
        ([[0, -1, 2], [0, 1, 2]], 1, "index -1"),
        ([[0.5, 1, 2], [0, 1, 2]], 1, "argsort"),
        ([[[0, 1]], [[0, 1]]], 1, "2 dimensions"),
        ([[0, 1, 2], [0, 1, 2]], 4, "k = 4 is more than the 3"),
        ([[0, 1, 2], [0, 1, 2]], 0, "from 1 on, got 0"),
        ([[0, 1, 2], [0, 1, 2]], 1.5, "got 1.5"),
    ],
)
def test_refused_rankings(rankings, k, says):
    with pytest.raises((DataError, UsageError), match=says):
        ranking_stability(rankings, k)


def test_refused_sets():
    with pytest.raises(UsageError, match=r"sets of one size.*nogueira"):
        subset_stability([[0], [1, 2]], 5)
    with pytest.raises(DataError, match=r"index 5\. Expected 0 to 4"):
        subset_stability([[0], [5]], 5)
    with pytest.raises(DataError, match="at least two subsets"):
        subset_stability([[0]], 5)
    with pytest.raises(DataError, match="mask of shape"):
        subset_stability([np.ones(4, dtype=bool)] * 2, 5)
    with pytest.raises(UsageError, match="n_features must be"):
        subset_stability([[0], [1]], 0)


def test_refused_words():
    with pytest.raises(UsageError, match="Did you mean 'jaccard'"):
        ranking_stability([[0, 1], [1, 0]], 1, "jacard")
    with pytest.raises(UsageError, match="confidence"):
        nogueira_interval([[0, 1], [1, 0]], 1, confidence=95)
    with pytest.raises(UsageError, match="empty"):
        stability_curve([[0, 1], [1, 0]], [])
