"""Tests of one data set against SciPy, statsmodels and scikit-learn's published example."""

import numpy as np
import pytest
from scipy import stats
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC

from featrank.exceptions import DataError, UsageError
from featrank.statistics import compare_to, corrected_t_test, lilliefors, t_test


def pair(n=30, shift=0.3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(shift, 1, size=n), rng.normal(0, 1.2, size=n)


@pytest.mark.parametrize("n", [5, 8, 20, 50, 100, 200])
def test_lilliefors_as_statsmodels(n):
    diagnostic = pytest.importorskip("statsmodels.stats.diagnostic")
    rng = np.random.default_rng(n)
    for shape in (0.2, 1, 2, 4):
        for _ in range(10):
            values = np.abs(rng.normal(size=n)) ** shape * rng.choice([-1, 1], size=n)
            statistic, p_value = diagnostic.lilliefors(values)
            found = lilliefors(values)
            assert found.statistic == pytest.approx(statistic, rel=1e-12)
            # Its p-values are straight lines between a few levels, the last of them 0.001.
            if p_value < 0.1:
                assert max(found.p_value, 0.001) == pytest.approx(p_value, abs=0.003)


def test_lilliefors_at_the_levels_of_statsmodels():
    module = pytest.importorskip("statsmodels.stats._lilliefors")
    from featrank.statistics.normality import _p_value

    table = module.get_lilliefors_table()
    for n, critical in zip(table.size, table.crit_table, strict=True):
        found = np.array([_p_value(statistic, int(n)) for statistic in critical])
        if n >= 5:
            np.testing.assert_allclose(found, table.alpha, atol=0.008)
            np.testing.assert_allclose(found[:8], table.alpha[:8], atol=0.002)


@pytest.mark.parametrize("n", [5, 12, 100])
def test_lilliefors_holds_its_level(n):
    rng = np.random.default_rng(3)
    found = np.array([lilliefors(rng.normal(7, 3, size=n)).p_value for _ in range(4000)])
    for level in (0.01, 0.05, 0.3, 0.8):
        assert np.mean(found < level) == pytest.approx(level, abs=4 * np.sqrt(level / 4000))


def test_lilliefors_falls_with_the_statistic():
    from featrank.statistics.normality import _p_value

    for n in (5, 6, 30, 1000):
        found = [_p_value(d, n) for d in np.linspace(0.0, 3, 200) / np.sqrt(n)]
        assert found[0] == 1
        assert (np.diff(found) <= 0).all()


def test_lilliefors_edges():
    assert np.isnan(lilliefors([1.0] * 10).p_value)
    with pytest.raises(DataError, match="at least 5 finite values"):
        lilliefors([1, 2, 3, 4])
    with pytest.raises(DataError, match="5 finite ones of 6"):
        lilliefors([1, 2, 3, 4, 5, np.nan])


@pytest.mark.parametrize("n", [2, 7, 100])
def test_t_test_as_scipy(n):
    a, b = pair(n)
    found, expected = t_test(a, b[: n // 2 + 1]), stats.ttest_ind(a, b[: n // 2 + 1])
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)
    assert (found.df, found.difference) == (expected.df, a.mean() - b[: n // 2 + 1].mean())


def test_t_test_as_statsmodels():
    weighted = pytest.importorskip("statsmodels.stats.weightstats")
    a, b = pair()
    found = t_test(a, b)
    expected = weighted.ttest_ind(a, b, usevar="pooled")
    assert (found.statistic, found.p_value, found.df) == pytest.approx(expected)


def test_t_test_without_spread():
    assert t_test([1, 1], [1, 1]).p_value == 1
    assert t_test([1, 1], [0, 0]).p_value == 0
    assert t_test([1, 1], [0, 0]).statistic == np.inf
    assert corrected_t_test([1, 1], [1, 1]).p_value == 1


def test_corrected_test_written_plainly():
    a, b = pair(10)
    d = a - b
    t = d.mean() / np.sqrt((1 / 10 + 20 / 40) * d.var(ddof=1))
    found = corrected_t_test(a, b, test_fraction=20 / 60)
    assert found.statistic == pytest.approx(t)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(t), 9))


def test_corrected_test_as_published():
    """The example of scikit-learn's guide prints t = 0.750 and a one-sided p of 0.227."""
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    rbf, linear = (
        cross_val_score(SVC(kernel=kernel, random_state=0), X, y, scoring="roc_auc", cv=folds)
        for kernel in ("rbf", "linear")
    )
    found = corrected_t_test(rbf, linear, test_fraction=10 / 100)
    assert f"{found.statistic:.3f} {found.p_value / 2:.3f}" == "0.750 0.227"


def test_correction_lowers_false_alarms():
    """Scores that share most of their rows differ by chance alone; the plain test does not see."""
    rng = np.random.default_rng(5)
    alarms = np.zeros(2)
    for _ in range(300):
        rows = rng.normal(size=60)
        splits = [rng.permutation(60)[:20] for _ in range(30)]
        d = np.array([rows[split].mean() for split in splits])
        alarms += [
            t_test(d, np.zeros(30)).p_value < 0.05,
            corrected_t_test(d, 0 * d).p_value < 0.05,
        ]
    assert alarms[0] > 90
    assert alarms[1] < 45


def scores():
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.05, size=(40, 2))
    return {
        "ec-fs": base + np.array([0.1, 0.0]),
        "fisher": base + rng.normal(0, 0.01, size=(40, 2)),
        "mi": np.where(rng.random((40, 2)) < 0.5, 0.1, 0.9),
    }


def test_each_method_at_each_k():
    table = scores()
    found = compare_to(table, "ec-fs", ks=[50, 100])
    assert [(test.other, test.k) for test in found] == [
        ("fisher", 50),
        ("fisher", 100),
        ("mi", 50),
        ("mi", 100),
    ]
    first, second = found[0], found[1]
    assert first.t_test == t_test(table["ec-fs"][:, 0], table["fisher"][:, 0])
    assert first.corrected == corrected_t_test(table["ec-fs"][:, 0], table["fisher"][:, 0])
    assert first.significant
    assert first.corrected_significant
    assert not second.significant
    assert first.normal
    assert not found[2].normal


def test_failed_trials_are_left_out():
    table = scores()
    table["fisher"][3, 0] = table["ec-fs"][7, 0] = np.nan
    [found] = compare_to({name: table[name][:, 0] for name in ("ec-fs", "fisher")}, "ec-fs")
    assert (found.t_test.df, found.corrected.df, found.k) == (76, 37, None)
    assert [test.n for test in found.normality] == [39, 39]


def test_a_method_that_always_failed():
    [found] = compare_to({"a": [1.0, 2, 3], "b": [np.nan, np.nan, 2]}, "a")
    assert np.isnan([found.t_test.p_value, found.corrected.p_value]).all()
    assert not found.significant
    assert not found.corrected_significant


def test_few_trials_have_no_normality():
    [found] = compare_to({"a": [1.0, 2, 3], "b": [1.0, 2, 4]}, "a")
    assert found.normality == (None, None)
    assert not found.normal


def test_refusals():
    with pytest.raises(UsageError, match="Did you mean 'ec-fs'"):
        compare_to(scores(), "ecfs")
    with pytest.raises(UsageError, match="ks names 1 columns, but the scores have 2"):
        compare_to(scores(), "ec-fs", ks=[50])
    with pytest.raises(DataError, match="same trials"):
        compare_to({"a": [1, 2, 3], "b": [1, 2]}, "a")
    with pytest.raises(DataError, match="trials × ks"):
        compare_to({"a": np.zeros((2, 2, 2))}, "a")
    with pytest.raises(DataError, match="same splits, got 3 and 2"):
        corrected_t_test([1, 2, 3], [1, 2])
    with pytest.raises(UsageError, match="test_fraction"):
        corrected_t_test([1, 2, 3], [1, 2, 4], test_fraction=1)
    with pytest.raises(DataError, match="at least two finite scores"):
        t_test([1], [2, 3])
