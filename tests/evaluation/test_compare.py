"""Comparisons: who sees which rows, what is repeatable, what failures become."""

import json
import re
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupShuffleSplit, PredefinedSplit, StratifiedShuffleSplit

from featrank import ECFS, FisherScore
from featrank.base.ranker import Ranker
from featrank.evaluation import Protocol, compare, read_comparison, row_numbers
from featrank.evaluation.data import Data
from featrank.evaluation.folder.manifest import LAYOUT_VERSION
from featrank.evaluation.folder.result_tables import COLUMNS
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.statistics import corrected_t_test

QUICK = Protocol(n_repeats=3, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3)


@pytest.fixture
def wide():
    """Return 40 × 30 and two classes; columns 0 to 4 tell them apart."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(5, 1, size=(40, 30))
    X[:, :5] += 1.5 * y[:, None]
    return X, y


class Spy(Ranker):
    """Ranks by the first row, and keeps the values of the first column that each fit saw."""

    name = "spy"
    seen: ClassVar[list] = []

    def __init__(self, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def _score(self, X, y):
        self.seen.append(set(X[:, 0].tolist()))
        return X[0].astype(float)


class Broken(Spy):
    name = "broken"

    def _score(self, X, y):
        raise ValueError("no such\n luck")


class Doubting(Spy):
    name = "doubting"

    def _score(self, X, y):
        warnings.warn(f"Doubt of {X[0, 0]:.6f}.", FeatrankWarning, stacklevel=2)
        return super()._score(X, y)


class Slow(Spy):
    name = "slow"

    def _score(self, X, y):
        time.sleep(30)


def without_times(comparison):
    return comparison.frame.drop("ranking_seconds")


def test_rankers_see_training_rows_only(wide):
    X, y = wide
    protocol = Protocol(n_repeats=2, n_features=(3,), C=(0.1, 1.0), inner_cv=3)
    Spy.seen.clear()
    compare(X, y, [Spy()], protocol)
    # The last fit, to all rows, is after the trials and for nobody's score.
    assert len(Spy.seen) == 9
    assert Spy.seen[8] == set(X[:, 0])
    for trial, fits in enumerate((Spy.seen[:4], Spy.seen[4:8])):
        splits = StratifiedShuffleSplit(1, test_size=1 / 3, random_state=protocol.trial_seed(trial))
        train, test = next(splits.split(X, y))
        assert len(fits) == 4
        assert set().union(*fits).isdisjoint(X[test, 0])
        assert fits[3] == set(X[train, 0])
        # Each fold leaves out its own third of the training rows.
        left_out = [set(X[train, 0]) - seen for seen in fits[:3]]
        assert set().union(*left_out) == set(X[train, 0])
        assert sum(map(len, left_out)) == len(train)


def test_jobs_change_nothing(wide):
    methods = ["ec-fs", "mi"]
    one = compare(*wide, methods, QUICK)
    two = compare(*wide, methods, QUICK, n_jobs=2)
    assert without_times(one).equals(without_times(two))
    for label in methods:
        np.testing.assert_array_equal(one.rankings[label], two.rankings[label])


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_trials_warn_of_is_told_once(wide, jobs):
    with pytest.warns(FeatrankWarning) as told:
        compare(*wide, [Doubting()], QUICK, n_jobs=jobs)
    [warning] = told
    assert re.fullmatch(r"In trial \d: Doubt of [\d.]+\.", str(warning.message))


def test_warnings_come_before_the_first_trial(wide):
    X, y = wide
    X[:, 3:] = 1.0
    with pytest.warns(
        FeatrankWarning, match="`n_features=5` is more than the 3 features that vary"
    ):
        compare(X, y, ["fisher"], QUICK)
    copied = wide[0].copy()
    copied[:, :3] = np.repeat(copied[::2, :3], 2, axis=0)
    ks = Protocol(n_repeats=1, n_features=(2,), C=(1.0,))
    with pytest.warns(FeatrankWarning, match="Duplicates of training rows"):
        compare(copied, y, ["fisher"], ks)
    groups = row_numbers(copied)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FeatrankWarning)
        compare(copied, y, ["fisher"], ks, groups=groups)


def test_the_share_of_test_rows_is_the_real_one(wide):
    X, y = wide
    groups = np.repeat(np.arange(4), 10)
    halves = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), test_size=1 / 2)
    assert compare(X, y, ["fisher"], halves, groups=groups).manifest["test_size"] == 0.5
    splitter = StratifiedShuffleSplit(2, test_size=0.25, random_state=5)
    quarter = compare(X, y, ["fisher", "mi"], Protocol(n_repeats=2, n_features=(2,), cv=splitter))
    assert quarter.manifest["test_size"] == 0.25
    [test] = quarter.pairwise_tests("mi")
    scores = [quarter.scores(name, 2) for name in ("mi", "fisher")]
    assert test.corrected == corrected_t_test(*scores, test_fraction=0.25)
    assert quarter.pairwise_tests()[0].reference == quarter.reference_method()


def test_another_seed_gives_other_splits(wide):
    other = Protocol(n_repeats=3, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3, random_state=1)
    first, second = (compare(*wide, ["fisher"], p).frame["seed"] for p in (QUICK, other))
    assert set(first).isdisjoint(second)


def test_signal_is_found(wide):
    protocol = Protocol(n_repeats=6, n_features=(5,), C=(0.01, 1.0), inner_cv=3)
    for row in compare(*wide, ["ec-fs", "fisher", "mi"], protocol).table():
        assert row["average"] > 0.9


def test_shuffled_labels_are_at_chance():
    """Ranked on all rows, the best 5 of 100 noise features would score far above one half."""
    protocol = Protocol(n_repeats=3, n_features=(5,), C=(0.01, 1.0), inner_cv=3)
    averages = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(60, 100)), rng.permutation(np.arange(60) % 2)
        table = compare(X, y, ["ec-fs", "fisher", "mi"], protocol).table()
        averages.append([row["average"] for row in table])
    assert np.mean(averages, axis=0) == pytest.approx(0.5, abs=0.08)


def test_failing_and_slow_methods_become_rows(wide):
    methods = [Broken(), Slow(), FisherScore()]
    frame = compare(*wide, methods, QUICK, time_limit=0.3).frame
    broken, slow, fisher = (frame.filter(method=name) for name in ("broken", "slow", "fisher"))
    assert len(broken) == len(slow) == len(fisher) == 6
    assert set(broken["status"]) == {"failed"}
    assert set(broken["reason"]) == {"ValueError: no such luck"}
    assert set(slow["status"]) == {"over time"}
    assert set(slow["reason"]) == {"took longer than 0.3 s"}
    assert set(fisher["status"]) == {"ok"}
    assert fisher["score"].is_finite().all()
    assert broken["score"].is_nan().all()


def test_nothing_but_failures_is_a_result_too(wide):
    comparison = compare(*wide, [Broken()], QUICK)
    assert comparison.rankings["broken"].shape == (0, 30)
    assert comparison.table()[0]["failed"] == 3
    assert "broken" in repr(comparison)


def test_time_limit_outside_of_the_main_thread_is_refused(wide):
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(compare, *wide, [Slow()], QUICK, time_limit=0.1)
        with pytest.raises(UsageError, match="main thread"):
            future.result()


def test_compare_evaluates_what_fit_does(wide):
    X, y = wide
    ranker = ECFS(random_state=0)
    done = compare(X, y, [ranker], QUICK)
    for trial, order in enumerate(done.rankings["ec-fs"]):
        train, _ = QUICK.split(Data.of(X, y, None, "wide"), trial)
        fitted = clone(ranker).fit(X[train], y[train])
        np.testing.assert_array_equal(order, fitted.order_)
        rows = done.frame.filter(method="ec-fs", trial=trial)
        assert [json.loads(params) for params in rows["params"]] == [
            {"alpha": fitted.alpha_}
        ] * len(QUICK.n_features)
    assert set(done.frame["C"]) <= {0.1, 1.0}


class FitByFit(ECFS):
    """EC-FS without its path over alpha."""

    def _rank_candidates(self, X, y, candidates):
        return self._rank_clones(X, y, candidates)


def test_one_pass_over_alphas_is_many_fits(wide):
    protocol = Protocol(
        n_repeats=2, n_features=(3, 8), inner_cv=3, param_grids={"ec-fs": {"alpha": (0.2, 0.9)}}
    )
    fast, plain = (compare(*wide, [ranker], protocol).frame for ranker in (ECFS(), FitByFit()))
    assert fast["score"].equals(plain["score"])


def test_other_classifiers_scorers_and_splitters(wide):
    splitter = StratifiedShuffleSplit(2, test_size=0.5, random_state=5)
    protocol = Protocol(
        n_repeats=2, n_features=(5,), C=(1.0,), cv=splitter,
        estimator=LogisticRegression(), scoring="accuracy",
    )  # fmt: skip
    X, y = wide
    scores = compare(X, y, ["fisher"], protocol).scores("fisher", 5)
    for score, (train, test) in zip(scores, splitter.split(X, y), strict=True):
        columns = FisherScore(5).fit(X[train], y[train]).order_[:5]
        mean, deviation = X[train][:, columns].mean(axis=0), X[train][:, columns].std(axis=0)
        Z = (X[:, columns] - mean) / deviation
        assert score == pytest.approx(
            LogisticRegression().fit(Z[train], y[train]).score(Z[test], y[test])
        )


def test_test_rows_of_one_class_have_no_score(wide):
    X, y = wide
    folds = PredefinedSplit(np.where(y == 1, np.arange(40) // 20, -1))
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(0.1, 1.0), inner_cv=3, cv=folds)
    comparison = compare(X, y, ["fisher"], protocol)
    assert set(comparison.frame["status"]) == {"no score"}
    assert np.isnan(comparison.table()[0]["average"])


def test_several_classes_and_missing_values():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 16)
    X = rng.normal(size=(48, 12))
    X[:, :2] += 3 * np.repeat(np.eye(3)[:, :2], 16, axis=0)
    X[rng.random(X.shape) < 0.05] = np.nan
    comparison = compare(X, y, ["fisher", "mi"], QUICK)
    assert set(comparison.frame["status"]) == {"ok"}
    assert all(0.8 < row["average"] <= 1 for row in comparison.table())


def test_groups_stay_together(wide):
    X, y = wide
    groups = np.arange(40) // 4
    protocol = Protocol(n_repeats=4, n_features=(2,), C=(0.1, 1.0), inner_cv=3)
    member = dict(zip(X[:, 0], groups, strict=True))
    Spy.seen.clear()
    compare(X, y, [Spy()], protocol, groups=groups)
    for seen in Spy.seen:
        inside = [member[value] for value in seen]
        assert all(inside.count(group) == 4 for group in inside)


def test_refusals(wide):
    with pytest.raises(UsageError, match="more than the 30 features"):
        compare(*wide, ["fisher"], Protocol(n_features=(31,)))
    for taken in ("trials", "random"):
        with pytest.raises(UsageError, match=f"The method name '{taken}' is reserved"):
            compare(*wide, {taken: "fisher"}, QUICK)
    with pytest.raises(UsageError, match="jobs=0"):
        compare(*wide, ["fisher"], QUICK, n_jobs=0)
    with pytest.raises(DataError, match="infinity"):
        compare(np.where(wide[0] > 7, np.inf, wide[0]), wide[1], ["fisher"], QUICK)
    with pytest.raises(UsageError, match="random_state"):
        Protocol(cv=GroupShuffleSplit(2))
    with pytest.raises(UsageError, match="must be unique"):
        compare(*wide, ["fisher", FisherScore()], QUICK)
    with pytest.raises(UsageError, match="Did you mean 'fisher'"):
        compare(*wide, ["fischer"], QUICK)


def test_layout_of_the_folder(wide, tmp_path):
    comparison = compare(*wide, ["ec-fs", Broken()], QUICK, out_dir=tmp_path, dataset="wide")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "claims.json", "classes.parquet", "correlations.parquet", "edges.parquet",
        "features.parquet", "fits", "manifest.json", "names.parquet", "rankings.npz",
        "results.csv", "results.parquet", "roc.parquet", "signal.json", "trials",
    ]  # fmt: skip
    csv, parquet = (
        pl.read_csv(tmp_path / "results.csv"),
        pl.read_parquet(tmp_path / "results.parquet"),
    )
    assert csv.columns == parquet.columns == list(COLUMNS)
    assert parquet.equals(comparison.frame)
    good = csv.filter(status="ok")
    assert good["score"].to_list() == parquet.filter(status="ok")["score"].to_list()
    assert [(r["trial"], r["method"], r["k"]) for r in csv.to_dicts()[:6]] == [
        (0, "ec-fs", 2), (0, "ec-fs", 5), (0, "broken", 2), (0, "broken", 5),
        (0, "random", 2), (0, "random", 5),
    ]  # fmt: skip
    with np.load(tmp_path / "rankings.npz") as stored:
        assert set(stored) == {"trials", "ec-fs", "broken"}
        assert stored["trials"].tolist() == [0, 1, 2]
        assert np.array_equal(np.sort(stored["ec-fs"]), np.tile(np.arange(30), (3, 1)))
        assert (stored["broken"] == -1).all()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["layout_version"] == LAYOUT_VERSION
    assert manifest["data"]["name"] == "wide"
    assert read_comparison(tmp_path).frame.equals(comparison.frame)


def test_resume_takes_up_what_is_there_and_refuses_what_differs(wide, tmp_path):
    X, y = wide
    whole = compare(X, y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path)
    before = (tmp_path / "trials" / "00000.npz").stat().st_mtime_ns
    (tmp_path / "trials" / "00001.npz").unlink()
    (tmp_path / "trials" / ".0a1b2c3d.00001.npz").write_bytes(b"half")
    with pytest.raises(UsageError, match="already contains results"):
        compare(X, y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path)
    again = compare(X, y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path, resume=True)
    assert without_times(again).equals(without_times(whole))
    assert (tmp_path / "trials" / "00000.npz").stat().st_mtime_ns == before
    assert not list((tmp_path / "trials").glob(".*"))
    with pytest.raises(UsageError, match=r"different data \(sha256\)"):
        compare(X + 1, y, ["ec-fs", "fisher"], QUICK, out_dir=tmp_path, resume=True)
    other = Protocol(n_repeats=3, n_features=(2, 5), C=(0.1, 1.0), inner_cv=4)
    with pytest.raises(UsageError, match=r"different protocol \(inner_cv\)"):
        compare(X, y, ["ec-fs", "fisher"], other, out_dir=tmp_path, resume=True)
    with pytest.raises(UsageError, match="different methods"):
        compare(X, y, ["ec-fs"], QUICK, out_dir=tmp_path, resume=True)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_hopeless_method_is_given_up(wide, tmp_path, jobs):
    call = {"n_jobs": jobs, "time_limit": 1, "patience": 2}
    folder = tmp_path / f"{jobs} jobs"
    two = replace(QUICK, n_repeats=2)
    compare(*wide, {"slow": Slow(), "fisher": "fisher"}, two, **call, out_dir=folder)
    four = replace(QUICK, n_repeats=4)
    done = compare(
        *wide, {"slow": Slow(), "fisher": "fisher"}, four, **call, out_dir=folder, resume=True
    )
    reasons = [row["reason"] for trial in done.trials for row in trial.rows if row["k"] == 2]
    assert (
        reasons[::3]
        == ["took longer than 1 s"] * 2
        + ["exceeded the time limit in each of the first 2 trials"] * 2
    )
    assert np.isfinite(done.scores("fisher", 2)).all()


@pytest.mark.slow
def test_one_trial_within_its_time_keeps_a_method_in_the_run(wide):
    class Hurrying(Slow):
        fits = 0

        def _score(self, X, y):
            # The four fits of the first trial.
            Hurrying.fits += 1
            return X[0].astype(float) if Hurrying.fits <= 4 else super()._score(X, y)

    four = replace(QUICK, n_repeats=3)
    done = compare(*wide, [Hurrying()], four, time_limit=1, patience=2)
    rows = [row for trial in done.trials for row in trial.rows if row["k"] == 2]
    reasons = [row["reason"] for row in rows if row["method"] == "slow"]
    assert reasons == ["", "took longer than 1 s", "took longer than 1 s"]


def test_of_parameters_that_tie_the_last_one_is_taken(wide):
    X, y = wide
    X = X + 100 * (np.arange(30) < 5) * y[:, None]  # any alpha finds these
    grid = (0.6, 0.7, 0.8, 0.9, 1.0)
    done = compare(X, y, ["ec-fs"], replace(QUICK, param_grids={"ec-fs": {"alpha": grid}}))
    assert set(done.frame.filter(method="ec-fs")["params"]) == {'{"alpha": 1.0}'}


def test_a_parameter_that_is_given_is_not_tuned(wide):
    X, y = wide
    methods = {"fixed": ECFS(alpha=0.3), "few": ECFS(alphas=(0.2, 0.4)), "free": ECFS()}
    done = compare(X, y, methods, QUICK)
    params = {row["method"]: json.loads(row["params"]) for row in done.trials[0].rows}
    assert params["fixed"] == {}
    assert params["few"]["alpha"] in (0.2, 0.4)
    assert 0 <= params["free"]["alpha"] <= 1
    assert [entry["candidates"] for entry in done.manifest["methods"]] == [[{}]] * 3


def test_few_groups_make_few_folds(wide):
    X, y = wide
    groups = np.arange(len(y)) % 6 // 2
    done = compare(X, y, ["fisher"], QUICK, groups=groups)
    assert set(done.frame["status"]) == {"ok"}
