"""Selectors of other packages and functions in comparisons: the same honesty as for ours."""

import json
import time
import warnings
from typing import ClassVar

import numpy as np
import pytest
from boruta import BorutaPy
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    f_classif,
    mutual_info_classif,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from featrank import SelectorRanker
from featrank.evaluation import Protocol, compare, compare_labels, read_comparison
from featrank.evaluation.data import Data
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.report import comparison_html_report, comparison_report, stability_report, write

QUICK = Protocol(n_repeats=3, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3)


def made_wide():
    """Return 40 × 30 and two classes; columns 20 to 24 tell them apart."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(size=(40, 30))
    X[:, 20:25] += 1.5 * y[:, None]
    return X, y


@pytest.fixture
def wide():
    """Return data that a test may change."""
    return made_wide()


@pytest.fixture(scope="module")
def undisturbed():
    """Return the comparison of all selectors, in one process and one go."""
    return compare(*made_wide(), selectors(), QUICK)


def distance(X, y):
    return np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))


def boruta():
    return BorutaPy(RandomForestClassifier(max_depth=3), n_estimators=10, max_iter=8)


def selectors():
    return {
        "k best": SelectKBest(f_classif, k=1),
        "rfe": RFE(LinearSVC(), step=0.5),
        "boruta": boruta(),
        "model": SelectFromModel(RandomForestClassifier(5)),
        "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
        "mi": SelectKBest(mutual_info_classif),
        "mine": distance,
        "lambda": lambda X, y: X.std(axis=0),
    }


def without_times(comparison):
    return comparison.frame.drop("ranking_seconds")


def training_rows(data, protocol, trial):
    X, y = data
    train, _ = protocol.split(Data.of(X, y, None, "data"), trial)
    return X[train], y[train]


def test_orders_are_those_of_the_packages_on_the_training_rows(wide, undisturbed):
    done = undisturbed
    assert (done.frame["status"] == "ok").all()
    for trial in range(3):
        X, y = training_rows(wide, QUICK, trial)
        seed = QUICK.trial_seed(trial)
        orders = {name: found[trial] for name, found in done.rankings.items()}
        np.testing.assert_array_equal(orders["k best"], np.argsort(-f_classif(X, y)[0]))
        np.testing.assert_array_equal(orders["mine"], np.argsort(-distance(X, y)))
        ranks = RFE(LinearSVC(random_state=seed % 2**31), step=0.5).fit(X, y).ranking_
        assert (np.diff(ranks[orders["rfe"]]) >= 0).all()
        ranks = boruta().set_params(random_state=seed % 2**31).fit(X, y).ranking_
        assert (np.diff(ranks[orders["boruta"]]) >= 0).all()


class Recording(BaseEstimator):
    """Remembers the values of the first column that any fit saw, and what came along."""

    seen: ClassVar[list] = []

    def __init__(self, n_jobs=-1, random_state=None):
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        assert not hasattr(self, "scores_"), "fitted before"
        assert not np.isnan(X).any()
        self.seen.append((set(X[:, 0].tolist()), set(y.tolist()), self.n_jobs, self.random_state))
        self.scores_ = X.std(axis=0)
        return self


def test_they_see_training_rows_only_with_values_filled_in(wide):
    X, y = wide
    X[3, 7] = np.nan
    names = np.array(["sick", "well"])[y]
    protocol = Protocol(
        n_repeats=2,
        n_features=(3,),
        C=(0.1, 1.0),
        inner_cv=3,
        param_grids={"spy": {"n_jobs": [1, 1]}},
    )
    Recording.seen.clear()
    compare(X, names, {"spy": Recording()}, protocol)
    everything = set(X[:, 0].tolist())
    seeds = {protocol.trial_seed(trial) % 2**31 for trial in (0, 1)}
    assert {(*codes,) for _, codes, _, _ in Recording.seen} == {(0, 1)}
    assert {jobs for _, _, jobs, _ in Recording.seen} == {1}
    assert {seed for _, _, _, seed in Recording.seen} == seeds
    seen = [rows for rows, *_ in Recording.seen]
    assert sum(rows == everything for rows in seen) == 1  # the fit beside the trials
    trained = [set(training_rows((X, y), protocol, trial)[0][:, 0].tolist()) for trial in (0, 1)]
    for rows in trained:
        assert rows in seen
    in_trials = [rows for rows in seen if rows != everything]
    assert all(any(rows <= trained_on for trained_on in trained) for rows in in_trials)
    assert len(in_trials) > 2 * 3 * 2  # candidates in folds too


def test_jobs_change_nothing(wide, undisturbed):
    one, two = undisturbed, compare(*wide, selectors(), QUICK, n_jobs=2)
    assert without_times(one).equals(without_times(two))
    for name, orders in one.rankings.items():
        np.testing.assert_array_equal(two.rankings[name], orders)
    assert one.features().equals(two.features())


def test_a_run_is_taken_up_again_in_its_folder(wide, undisturbed, tmp_path):
    short = Protocol(n_repeats=1, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3)
    compare(*wide, selectors(), short, out_dir=tmp_path)
    params = json.loads((tmp_path / "manifest.json").read_text())["methods"][0]["params"]
    assert params["selector"] == "SelectKBest(k=1, score_func=f_classif)"
    done = compare(*wide, selectors(), QUICK, out_dir=tmp_path, resume=True)
    assert without_times(done).equals(without_times(undisturbed))
    assert " at 0x" not in (tmp_path / "manifest.json").read_text()
    other = selectors() | {"rfe": RFE(LinearSVC(C=2.0), step=0.5)}
    with pytest.raises(UsageError, match="a run with different methods"):
        compare(*wide, other, QUICK, out_dir=tmp_path, resume=True)


def test_results_are_reported_like_those_of_methods(wide, tmp_path):
    compare(*wide, selectors() | {"ec-fs": "ec-fs"}, QUICK, out_dir=tmp_path)
    done = read_comparison(tmp_path)
    assert {row["method"] for row in done.table()} == {*selectors(), "ec-fs"}
    stability = stability_report(done).content
    assert "boruta" in json.dumps(stability)
    write(comparison_report(done), "json", tmp_path / "report.json")
    write(comparison_html_report(done), "html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    assert "k best" in page
    assert "-m SelectorRanker" not in page  # no command does the same


def slow(X, y):
    time.sleep(30)


def broken(X, y):
    raise ValueError("no such\n luck")


@pytest.mark.slow
def test_failures_become_rows(wide):
    mask = SequentialFeatureSelector(LinearSVC(), n_features_to_select=1, cv=2)
    methods = {"slow": slow, "broken": broken, "mask": mask, "mine": distance}
    rows = compare(
        *wide, methods, Protocol(n_repeats=1, n_features=(2,), C=(1.0,)), time_limit=2
    ).frame
    found = {row["method"]: (row["status"], row["reason"]) for row in rows.to_dicts()}
    assert found["slow"] == ("over time", "took longer than 2 s")
    assert found["broken"] == ("failed", "ValueError: no such luck")
    assert found["mask"][0] == "failed"
    assert "does not rank features" in found["mask"][1]
    assert found["mine"] == ("ok", "")


def test_names_in_a_list_are_those_of_classes_and_functions(wide):
    methods = ["fisher", SelectKBest(), distance, SelectorRanker(RFE(LinearSVC()))]
    done = compare(*wide, methods, Protocol(n_repeats=1, n_features=(2,), C=(1.0,)))
    assert done.methods == ["fisher", "SelectKBest", "distance", "RFE"]


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        ([SelectKBest()] * 2, "must be unique"),
        ([SelectKBest], r"SelectKBest is a class\. Pass an instance: `SelectKBest\(\)`\."),
        ({"three": 3}, "3 cannot rank features"),
        ({"random": distance}, "The method name 'random' is reserved"),
    ],
)
def test_refusals(wide, methods, told):
    with pytest.raises(UsageError, match=told):
        compare(*wide, methods, QUICK)


def test_parameters_of_a_selector_are_tuned_inside_the_training_rows(wide):
    grids = {"model": {"selector__C": [1e-6, 1.0]}}
    protocol = Protocol(n_repeats=1, n_features=(3,), C=(0.1,), inner_cv=3, param_grids=grids)
    rows = compare(*wide, {"model": LogisticRegression()}, protocol).frame.filter(method="model")
    assert json.loads(rows["params"][0])["selector__C"] in (1e-6, 1.0)


def test_many_labels_take_them_too():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 8)), rng.random((60, 2)) < 0.4
    protocol = Protocol(n_repeats=1, n_features=(2,), C=(0.1,), inner_cv=2)
    done = compare_labels(X, Y, {"k best": SelectKBest(k=2), "mine": distance}, protocol)
    assert done.methods == ["k best", "mine"]
    assert np.isfinite(done.precisions(k=2)).all()


class Peeking(BaseEstimator):
    """Scores by all rows, as a selector that had seen the test rows would."""

    rows: ClassVar[tuple] = ()

    def fit(self, X, y):
        self.scores_ = f_classif(*self.rows)[0]
        return self


def test_labels_that_mean_nothing_are_at_chance_and_a_leak_is_not(monkeypatch):
    methods = {
        "k best": SelectKBest(),
        "rfe": RFE(LinearSVC(), step=0.5),
        "boruta": BorutaPy(RandomForestClassifier(max_depth=3), n_estimators=5, max_iter=4),
        "mine": distance,
        "equal": lambda X, y: np.zeros(X.shape[1]),
        "peeking": Peeking(),
    }
    protocol = Protocol(n_repeats=3, n_features=(5,), C=(0.1,))
    averages = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(45, 60)), rng.permutation(np.arange(45) % 2)
        monkeypatch.setattr(Peeking, "rows", (X, y))
        averages.append([row["average"] for row in compare(X, y, methods, protocol).table()])
    means = dict(zip(methods, np.mean(averages, axis=0), strict=True))
    assert means.pop("peeking") > 0.7
    assert means == pytest.approx(dict.fromkeys(means, 0.5), abs=0.1)


def test_what_a_selector_warns_of_is_told_once(wide):
    def doubtful(X, y):
        warnings.warn(f"Doubt of {abs(X[0, 0]):.6f}.", FeatrankWarning, stacklevel=2)
        return distance(X, y)

    with pytest.warns(FeatrankWarning, match="In trial 0: Doubt") as told:
        compare(*wide, {"mine": doubtful}, QUICK)
    assert len(told) == 1
