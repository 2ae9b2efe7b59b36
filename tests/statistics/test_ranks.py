"""Tests across data sets against SciPy, statsmodels and scikit-posthocs."""

import numpy as np
import pytest
from scipy import stats

from featrank.exceptions import DataError, UsageError
from featrank.statistics import friedman, holm, nemenyi, wilcoxon_holm


def table(n=9, k=5, seed=0, decimals=None):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, k)) + np.linspace(0.8, 0, k)
    return scores if decimals is None else scores.round(decimals)


@pytest.mark.parametrize("decimals", [None, 0])
def test_friedman_as_scipy(decimals):
    scores = table(decimals=decimals)
    found, expected = friedman(scores), stats.friedmanchisquare(*scores.T)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue)
    f = 8 * found.statistic / (9 * 4 - found.statistic)
    assert found.f_statistic == pytest.approx(f)
    assert found.f_p_value == pytest.approx(stats.f.sf(f, 4, 32))


def test_the_best_method_has_rank_one():
    scores = np.array([[0.1, 0.9, 0.5], [0.2, 0.8, 0.2], [0.1, 0.7, 0.6]])
    assert friedman(scores).average_ranks == pytest.approx([8.5 / 3, 1, 6.5 / 3])


def test_unanimous_and_equal_methods():
    unanimous = friedman(np.tile([0.3, 0.2, 0.1], (6, 1)))
    assert (unanimous.statistic, unanimous.f_statistic, unanimous.f_p_value) == (12, np.inf, 0)
    equal = friedman(np.ones((6, 3)))
    assert (equal.statistic, equal.p_value, equal.f_p_value) == (0, 1, 1)


@pytest.mark.parametrize("decimals", [None, 1])
def test_nemenyi_as_scikit_posthocs(decimals):
    posthocs = pytest.importorskip("scikit_posthocs")
    scores = table(decimals=decimals)
    expected = posthocs.posthoc_nemenyi_friedman(scores).to_numpy()
    np.testing.assert_allclose(nemenyi(scores).p_values, expected, atol=1e-6)


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (4, 2.569), (10, 3.164)])
def test_published_critical_values(k, q):
    # Table 5 of Demšar (2006), for a level of 0.05.
    found = nemenyi(table(n=20, k=k))
    assert found.critical_difference == pytest.approx(q * np.sqrt(k * (k + 1) / 120), rel=3e-4)


def test_critical_difference_is_where_p_crosses_the_level():
    found = nemenyi(table(n=8, k=6, seed=4), level=0.1)
    distances = np.abs(found.average_ranks[:, None] - found.average_ranks)
    np.testing.assert_array_equal(
        distances >= found.critical_difference, found.p_values <= found.level
    )


def test_groups_are_the_largest_runs_within_the_critical_difference():
    found = nemenyi(table(n=40, k=6, seed=2), methods=list("abcdef"))
    ranks = dict(zip(found.methods, found.average_ranks, strict=True))
    for group in found.groups:
        inside = [ranks[name] for name in group]
        assert np.ptp(inside) < found.critical_difference
        assert inside == sorted(inside)
        for name in set(found.methods) - set(group):
            assert np.ptp([*inside, ranks[name]]) >= found.critical_difference
    assert len(found.groups) > 1
    assert nemenyi(np.tile([0.2, 0.1], (50, 1))).groups == []


def test_holm_as_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    raw = np.random.default_rng(0).random(20) ** 3
    np.testing.assert_allclose(holm(raw), multitest.multipletests(raw, method="holm")[1])
    assert holm([]).tolist() == []
    assert holm([0.9, 0.8]).tolist() == [1, 1]


@pytest.mark.parametrize("decimals", [None, 1])
def test_wilcoxon_as_scikit_posthocs(decimals):
    posthocs = pytest.importorskip("scikit_posthocs")
    scores = table(n=14, k=4, decimals=decimals)
    columns = list(scores.T)
    expected = posthocs.posthoc_wilcoxon(columns, zero_method="zsplit", p_adjust="holm").to_numpy()
    found = wilcoxon_holm(scores)
    pairs = [(int(test.first), int(test.second)) for test in found]
    assert pairs == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    adjusted = [test.adjusted_p_value for test in found]
    np.testing.assert_allclose(adjusted, [expected[i, j] for i, j in pairs])


def test_control_against_each():
    scores = table(n=14, k=4)
    found = wilcoxon_holm(scores, list("abcd"), control="c")
    assert [(test.first, test.second) for test in found] == [("c", "a"), ("c", "b"), ("c", "d")]
    raw = [stats.wilcoxon(scores[:, 2], scores[:, j]).pvalue for j in (0, 1, 3)]
    assert [test.p_value for test in found] == pytest.approx(raw)
    assert [test.adjusted_p_value for test in found] == pytest.approx(holm(raw).tolist())
    assert found[0].difference == pytest.approx((scores[:, 2] - scores[:, 0]).mean())


def test_equal_methods_do_not_differ():
    [found] = wilcoxon_holm(np.ones((5, 2)))
    assert found.p_value == found.adjusted_p_value == 1


def test_refusals():
    with pytest.raises(DataError, match="at least 2 × 3"):
        friedman([[1, 2], [2, 1]])
    with pytest.raises(DataError, match="lack 1 values"):
        nemenyi([[1, 2], [2, np.nan]])
    with pytest.raises(UsageError, match="name 2 columns"):
        nemenyi([[1, 2], [2, 1]], ["a", "a"])
    with pytest.raises(UsageError, match="level"):
        nemenyi([[1, 2], [2, 1]], level=5)
    with pytest.raises(UsageError, match="Unknown method 'z'"):
        wilcoxon_holm([[1, 2], [2, 1]], control="z")
    with pytest.raises(DataError, match="p_values"):
        holm([2])
