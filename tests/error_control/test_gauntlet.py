"""The gauntlet: known truth planted into a user's own values."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from featrank import FisherScore
from featrank.error_control import FDRSelector, Gauntlet, Rate, Scenario, run_gauntlet
from featrank.error_control.gauntlet import mean_rate, share_of_runs
from featrank.error_control.planting import permuted_target, planted, varying_features
from featrank.exceptions import DataError, UsageError
from featrank.report import gauntlet_report
from featrank.sources import open_dataset


@pytest.fixture
def made():
    rng = np.random.default_rng(0)
    return rng.normal(3, 2, size=(50, 100)), np.arange(50) % 2


def small(X, y, method="fisher", **params):
    return run_gauntlet(X, y, method, **{"n_runs": 3, "effects": (3.0,), **params})


# Planting


@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_class_of_each_planted_feature_is_shifted(made, n_classes):
    X, _ = made
    y = np.arange(50) % n_classes
    changed, features = planted(np.random.default_rng(0), X, y, 10, 1.5, n_classes)
    assert len(set(features)) == 10
    others = np.setdiff1d(np.arange(100), features)
    np.testing.assert_array_equal(changed[:, others], X[:, others])
    for feature in features:
        shift = changed[:, feature] - X[:, feature]
        own = shift != 0
        assert len({*y[own]}) == 1
        assert own.sum() == (y == y[own][0]).sum()
        np.testing.assert_allclose(np.abs(shift[own]), 1.5 * X[:, feature].std())


def test_shifts_go_up_and_down(made):
    changed, features = planted(np.random.default_rng(0), *made, 50, 1.0, 2)
    signs = np.sign((changed - made[0])[:, features].sum(axis=0))
    assert {*signs} == {-1, 1}


def test_a_planted_regression_effect_is_linear(made):
    X, _ = made
    y = np.random.default_rng(1).normal(size=50)
    changed, features = planted(np.random.default_rng(0), X, y, 5, 2.0, 0)
    for feature in features:
        shift = changed[:, feature] - X[:, feature]
        assert abs(np.corrcoef(shift, y)[0, 1]) == pytest.approx(1)
        assert shift.std() == pytest.approx(X[:, feature].std())


def test_sparse_values_are_planted_like_dense_ones(made):
    X, y = made
    X = np.where(X > 3, X, 0)
    dense, sparse = (
        planted(np.random.default_rng(0), each, y, 5, 1, 2) for each in (X, csr_matrix(X))
    )
    np.testing.assert_array_equal(dense[1], sparse[1])
    np.testing.assert_allclose(sparse[0].toarray(), dense[0])


def test_values_and_constant_features_are_left_alone(made):
    X, y = made
    X[:, 20:] = 7
    before = X.copy()
    _, features = planted(np.random.default_rng(0), X, y, 50, 1, 2)
    np.testing.assert_array_equal(X, before)
    assert features.tolist() == list(range(20))
    for values in (X, csr_matrix(X)):
        assert varying_features(values).tolist() == list(range(20))


def test_whole_numbers_can_be_shifted_by_fractions(made):
    X, y = made
    changed, features = planted(np.random.default_rng(0), X.astype(int), y, 5, 0.5, 2)
    assert (changed[:, features] % 1 != 0).any()


def test_permuted_targets_keep_their_values_and_groups(made):
    _, y = made
    found = permuted_target(np.random.default_rng(0), y)
    assert (found != y).any()
    assert found.sum() == y.sum()
    groups = np.arange(50) // 5
    whole = permuted_target(np.random.default_rng(0), groups % 2, groups)
    assert all(len({*whole[groups == one]}) == 1 for one in range(10))


# Rates


def test_share_of_runs_is_the_interval_of_wilson():
    from scipy.stats import binomtest

    for count, n in ((0, 20), (1, 20), (7, 9), (20, 20)):
        expected = binomtest(count, n).proportion_ci(0.95, method="wilson")
        found = share_of_runs(count, n)
        assert (found.mean, found.low, found.high) == pytest.approx(
            (count / n, expected.low, expected.high), abs=1e-3
        )


def test_mean_rate_is_the_interval_of_student():
    from scipy.stats import t

    values = np.array([0.0, 0.2, 0.25, 0.4])
    low, high = t.interval(0.95, 3, values.mean(), values.std(ddof=1) / 2)
    found = mean_rate(values)
    assert (found.mean, found.high) == pytest.approx((values.mean(), high))
    assert found.low == max(0, low)


# Runs


def test_a_sound_method_holds(made):
    gauntlet = small(*made)
    random, strong = gauntlet.scenarios
    assert gauntlet.holds
    assert (gauntlet.n_samples, gauntlet.n_features, gauntlet.method) == (50, 100, "fisher")
    assert (random.n_planted, random.power) == (0, None)
    assert random.fdr == random.any_claim
    assert (strong.n_planted, strong.effect, strong.n_runs) == (10, 3.0, 3)
    assert strong.power.mean > 0.9
    assert strong.mean_size >= 9


def test_rates_of_random_labels_are_never_certain(made):
    """Without a single claim, three runs say little: the interval must not be from 0 to 0."""
    assert small(*made).scenarios[0].fdr == Rate(0.0, 0.0, share_of_runs(0, 3).high)


def test_the_target_has_nothing_to_do_with_the_result(made):
    """Features that the target separates are not claimed once it is permuted."""
    X, y = made
    X[:, ::10] += 20 * y[:, None]
    assert FDRSelector("fisher").fit(X, y).control_.n_selected >= 10
    gauntlet = small(X, y, effects=(), n_runs=5)
    assert gauntlet.scenarios[0].mean_size <= 1


def test_a_list_without_error_control_is_caught(made, monkeypatch):
    """A selector that always takes ten features fails on random labels."""

    def fit(self, X, y, groups=None):
        self.support_ = np.arange(100) < 10
        return self

    monkeypatch.setattr(FDRSelector, "fit", fit)
    monkeypatch.setattr(FDRSelector, "get_support", lambda self: self.support_)
    gauntlet = small(*made)
    assert not gauntlet.holds
    assert gauntlet.scenarios[0].fdr.mean == 1
    assert gauntlet.sentence().startswith(
        "On these values, fisher does not keep the false discovery rate of 0.1: it reaches 1.00 "
    )


def test_the_same_seed_gives_the_same_rates(made):
    first, same, other = (small(*made, random_state=seed, fdr=0.3) for seed in (1, 1, 2))
    assert first == same
    assert first != other


def test_regression_sparse_frames_and_groups(made):
    X, y = made
    names = [f"gene {j}" for j in range(100)]
    frame = pd.DataFrame(X, columns=names).assign(
        kind=y, patient=[f"p{i // 2:02}" for i in range(50)]
    )
    assert small(frame, "kind", groups="patient") == small(X, y, groups=np.arange(50) // 2)
    assert small(X, y, groups=np.arange(50) // 2) != small(X, y)
    assert small(csr_matrix(np.where(X > 3, X, 0)), y).scenarios[1].power.mean > 0.5
    target = np.random.default_rng(0).normal(size=50)
    assert small(X, target, FisherScore(task="regression")).scenarios[1].power.mean > 0.9
    assert small(X, np.array(list("abc"))[np.arange(50) % 3], "relieff").n_features == 100


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_runs": 1}, "`n_runs` must be 2 or more, got 1"),
        ({"fdr": 2}, "`fdr` must lie between 0 and 1"),
        ({"n_planted": 0}, "`n_planted=0` must lie between 1 and 99"),
        ({"n_planted": 100}, "`n_planted=100` must lie between 1 and 99"),
        ({"method": "laplacian"}, "LaplacianScore does not use the target"),
        ({"method": "fishr"}, "Did you mean 'fisher'"),
    ],
)
def test_wrong_calls(made, given, message):
    with pytest.raises(UsageError, match=message):
        small(*made, **given)


def test_values_that_cannot_be_used(made, tmp_path):
    X, y = made
    with pytest.raises(UsageError, match="at least two features that are not constant"):
        small(np.ones_like(X), y)
    with pytest.raises(DataError, match="Input X contains NaN"):
        small(np.where(X > 6, np.nan, X), y)
    np.save(tmp_path / "X.npy", X)
    with pytest.raises(UsageError, match="needs the values in memory"):
        small(open_dataset(tmp_path / "X.npy"), y)


# Conclusions


def gauntlet_of(fdr, n_runs=20):
    scenario = Scenario(10, 1.5, n_runs, Rate(1, 0.8, 1), fdr, Rate(0.9, 0.8, 1), 11.0)
    return Gauntlet("mi", 0.1, 40, 100, (scenario,))


def test_a_rate_above_the_level_holds_if_its_interval_has_the_level():
    assert gauntlet_of(Rate(0.12, 0.09, 0.15)).holds
    assert not gauntlet_of(Rate(0.2, 0.11, 0.29)).holds


def test_notes_ask_for_more_runs_if_the_interval_is_wide():
    assert gauntlet_of(Rate(0.1, 0.0, 0.2)).notes() == []
    assert "`n_runs=100`" in gauntlet_of(Rate(0.1, 0.0, 0.21)).notes()[0]


def test_the_report_has_every_scenario(made):
    gauntlet = small(*made)
    report = gauntlet_report(gauntlet)
    assert report.content["schema"] == "featrank/gauntlet"
    assert [row["n_planted"] for row in report.rows] == [0, 10]
    assert report.rows[0]["power_mean"] is None
    assert report.rows[1]["fdr_high"] == gauntlet.scenarios[1].fdr.high
