"""The random ranking that runs along."""

import time
from dataclasses import replace

import numpy as np
import pytest

from featrank import FisherScore, methods
from featrank.base.ranker import Ranker
from featrank.evaluation import Protocol, compare, compare_labels, read_label_comparison
from featrank.evaluation.baseline import RandomRanking

QUICK = Protocol(n_repeats=3, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3)


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(5, 1, size=(60, 200))
    X[:, :5] += 2 * y[:, None]
    return X, y


class Slow(Ranker):
    name = "slow"

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        time.sleep(5)
        return X[0]


def test_it_is_judged_as_a_method_of_that_order_would_be(made):
    """A method that returns the same random order has the same scores, whoever else is there.

    That is so for a single random ranking per trial.
    """
    single = replace(QUICK, n_random=1)

    class Same(RandomRanking):
        name = "same"

    done = compare(*made, {"same": Same()}, single)
    other = compare(*made, ["fisher", "mi"], single)
    for k in QUICK.feature_counts:
        assert done.scores("random", k).tolist() == done.scores("same", k).tolist()
        assert other.scores("random", k).tolist() == done.scores("same", k).tolist()
    for trial, order in enumerate(done.rankings["same"]):
        scores = np.random.default_rng(QUICK.trial_seed(trial)).permutation(200)
        assert order.tolist() == np.argsort(-scores).tolist()


def test_it_is_the_mean_of_many_rankings(made):
    """Their mean varies less between trials than a single one does."""
    once, often = (
        compare(*made, ["fisher"], replace(QUICK, n_repeats=8, n_random=n, n_permutations=0))
        for n in (1, 30)
    )
    assert often.scores("random", 2).std() < 0.6 * once.scores("random", 2).std()
    assert once.scores("fisher", 2).tolist() == often.scores("fisher", 2).tolist()


def test_it_is_near_chance_where_methods_are_not(made):
    done = compare(*made, ["fisher"], replace(QUICK, n_repeats=8))
    assert done.table()[0]["average"] > 0.9
    assert 0.35 < done.baseline_row()["average"] < 0.7


def test_it_is_no_method(made):
    done = compare(*made, ["ec-fs", "fisher"], replace(QUICK, n_repeats=5))
    assert done.baseline == "random"
    assert done.methods == ["ec-fs", "fisher"] == [row["method"] for row in done.table()]
    assert list(done.rankings) == done.methods
    assert {found.other for found in done.pairwise_tests()} == {"fisher"}
    assert set(done.baseline_row()) == set(done.table()[0])
    assert set(done.curves()["method"]) == {"ec-fs", "fisher", "random"}
    assert "random" not in methods()


def test_nothing_drops_it(made):
    done = compare(*made, [Slow()], QUICK, time_limit=0.01, patience=1)
    assert done.failures() == {"slow": (3, "took longer than 0.01 s")}
    assert np.isfinite(done.scores("random", 2)).all()
    assert done.baseline_row()["failed"] == 0


def test_of_its_own_failure_it_is_told(made):
    class NoJudge:
        def get_params(self, deep=True):
            return {}

    done = compare(*made, [FisherScore()], replace(QUICK, estimator=NoJudge()))
    [sentence] = [sentence for sentence in done.missing_parts() if "random" in sentence]
    assert sentence.startswith("The random ranking has no score in 3 of 3 trials: AttributeError")
    assert "random" not in done.failures()


@pytest.mark.parametrize("jobs", [1, 2])
def test_it_runs_along_for_every_label(made, tmp_path, jobs):
    X, y = made
    Y = np.column_stack([y, np.arange(60) % 3 == 0, np.arange(60) % 5 == 0])
    done = compare_labels(
        X, Y, ["fisher"], replace(QUICK, n_repeats=2), out_dir=tmp_path, n_jobs=jobs
    )
    assert (done.baseline, done.methods) == ("random", ["fisher"])
    assert len(done.frame.filter(method="random")) == 2 * 3 * 2
    assert set(done.table(2)[0]) == {"class", "fisher"}
    found = done.baseline_precisions(2)
    assert found.shape == (3,)
    single = done.of_class("class 0")
    assert single.scores("random", 2).mean() == pytest.approx(found[0])
    again = read_label_comparison(tmp_path)
    assert again.baseline_precisions(2).tolist() == found.tolist()
    assert again.feature_names == [f"x{j}" for j in range(200)]
