"""Trials of comparisons on a cluster: the numbers of one process, whatever befalls the workers."""

import os
import signal
import threading
import time
from collections import Counter

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest

from featrank import FisherScore
from featrank._utils.progress import progress_to
from featrank.evaluation import Protocol, compare, compare_labels
from featrank.exceptions import UsageError

from .chunks import made, with_process

QUICK = Protocol(n_repeats=6, n_features=(2, 5), C=(0.1, 1.0), inner_cv=3)


class Travelling(FisherScore):
    """Leaves a file in a folder whenever it arrives in a process."""

    def __init__(self, n_features_to_select=None, *, folder=None):
        super().__init__(n_features_to_select)
        self.folder = folder

    def __setstate__(self, state):
        super().__setstate__(state)
        (state["folder"] / f"{os.getpid()}-{time.monotonic_ns()}").touch()


class Lazy(FisherScore):
    """Takes its time in small steps."""

    def __init__(self, n_features_to_select=None, *, seconds=0.02):
        super().__init__(n_features_to_select)
        self.seconds = seconds

    def fit(self, X, y):
        end = time.monotonic() + self.seconds
        while time.monotonic() < end:
            time.sleep(0.005)
        return super().fit(X, y)


@pytest.fixture
def wide():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    X = rng.normal(5, 1, size=(40, 30))
    X[:, :5] += 1.5 * y[:, None]
    return X, y


def without_times(comparison):
    return comparison.frame.drop("ranking_seconds")


def assert_same(found, wanted):
    assert without_times(found).equals(without_times(wanted))
    for method, orders in wanted.rankings.items():
        np.testing.assert_array_equal(found.rankings[method], orders)
    assert found.features().equals(wanted.features())


def test_the_numbers_are_those_of_one_process(dask_engine, wide, tmp_path):
    told = []
    with progress_to(lambda done, total: told.append((done, total))):
        found = compare(*wide, ["ec-fs", "mi"], QUICK, client=dask_engine.client, out_dir=tmp_path)
    assert_same(found, compare(*wide, ["ec-fs", "mi"], QUICK))
    assert told == [(done, 8) for done in range(1, 9)]
    assert len(list(tmp_path.glob("trials/[0-9]*.npz"))) == 6


def test_the_data_goes_to_each_worker_for_the_trials_and_for_the_permutations(
    dask_engine, wide, tmp_path
):
    compare(*wide, {"travelling": Travelling(folder=tmp_path)}, QUICK, client=dask_engine.client)
    arrivals = Counter(file.name.split("-")[0] for file in tmp_path.iterdir())
    assert set(arrivals.values()) <= {1, 2}
    assert len(arrivals) <= 2
    assert str(os.getpid()) not in arrivals


def test_labels_are_compared_there_too(dask_engine):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 8)), rng.random((60, 2)) < 0.4
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(0.1,), inner_cv=2)
    found = compare_labels(X, Y, ["fisher"], protocol, client=dask_engine.client)
    wanted = compare_labels(X, Y, ["fisher"], protocol)
    np.testing.assert_array_equal(found.precisions(k=2), wanted.precisions(k=2))


def test_a_worker_that_is_killed_changes_nothing(dask_engine, wide):
    victims, killed = set(), []
    for processes, _ in dict(dask_engine.each(with_process, made(4))).values():
        victims |= processes

    def kill(done, total):
        if done == 2:
            os.kill(min(victims), signal.SIGKILL)
            killed.append(done)

    with progress_to(kill):
        found = compare(*wide, {"lazy": Lazy()}, QUICK, client=dask_engine.client)
    assert killed
    assert_same(found, compare(*wide, {"lazy": Lazy(seconds=0)}, QUICK))


@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_run_goes_on(dask_engine, wide, tmp_path):
    alarms = []

    def interrupt_soon(done, total):
        if not alarms:
            alarms.append(threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)))
            alarms[0].start()

    call = {"client": dask_engine.client, "out_dir": tmp_path}
    with pytest.raises(KeyboardInterrupt), progress_to(interrupt_soon):
        compare(*wide, {"lazy": Lazy()}, QUICK, **call)
    done = list(tmp_path.glob("trials/[0-9]*.npz"))
    assert 1 <= len(done) < 6
    before = {path: path.stat().st_mtime_ns for path in done}
    found = compare(*wide, {"lazy": Lazy()}, QUICK, **call, resume=True)
    assert_same(found, compare(*wide, {"lazy": Lazy(seconds=0)}, QUICK))
    assert {path: path.stat().st_mtime_ns for path in done} == before


def test_time_is_limited_there_too(dask_engine, wide):
    methods = {"lazy": Lazy(seconds=60), "fisher": "fisher"}
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(0.1,), inner_cv=2)
    found = compare(*wide, methods, protocol, client=dask_engine.client, time_limit=0.2)
    states = [row["status"] for trial in found.trials for row in trial.rows]
    assert states == ["over time", "ok", "ok"] * 2


def test_one_place_to_run_is_given(dask_engine, wide):
    with pytest.raises(UsageError, match=r"`n_jobs=2` starts .* `client` .* Leave out `n_jobs`"):
        compare(*wide, ["fisher"], QUICK, n_jobs=2, client=dask_engine.client)


def test_selectors_of_others_and_functions_go_there(dask_engine, wide):
    def distance(X, y):
        return np.abs(X[y == 0].mean(axis=0) - X[y == 1].mean(axis=0))

    methods = {
        "k best": SelectKBest(),
        "forest": RandomForestClassifier(3),
        "function": distance,
        "lambda": lambda X, y: X.std(axis=0),
    }
    found = compare(*wide, methods, QUICK, client=dask_engine.client)
    assert (found.frame["status"] == "ok").all()
    assert_same(found, compare(*wide, methods, QUICK))
