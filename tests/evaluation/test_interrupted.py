"""A comparison that is killed at any moment leaves readable results and can be resumed."""

import json
import signal
import time

import numpy as np
import polars as pl
import pytest

from featrank.evaluation import read_comparison
from tests.support.launcher import Launcher

IMPORTS = """
import joblib, numpy, polars, sklearn.svm
import featrank.evaluation
featrank.methods()
"""

RUN = """if True:
    import sys, time
    import numpy as np
    from featrank.evaluation import Protocol, compare
    from featrank import FisherScore

    class Lazy(FisherScore):
        def fit(self, X, y):
            time.sleep(float(sys.argv[2]))
            return super().fit(X, y)

    if __name__ == "__main__":
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 20)), np.arange(40) % 2
        protocol = Protocol(n_repeats=6, n_features=(2, 4), C=(0.1, 1.0), inner_cv=2)
        methods = {"lazy": Lazy(), "mi": "mi"}
        compare(X, y, methods, protocol, out_dir=sys.argv[1], resume=True, n_jobs=int(sys.argv[3]))
"""


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    with Launcher(IMPORTS, tmp_path_factory.mktemp("launcher")) as launcher:
        yield launcher


@pytest.fixture(scope="module")
def whole(launcher, tmp_path_factory):
    """Return the folder of a run that nothing disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed") / "whole"
    done = launcher.run(RUN, folder, 0, 1)
    assert done.returncode == 0, done.stderr
    return folder


def finished(folder):
    return sorted(path.name for path in folder.glob("trials/[0-9]*.npz"))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_killed_and_resumed_is_as_if_undisturbed(launcher, whole, tmp_path, jobs):
    killed = tmp_path / "killed"
    process = launcher.start(RUN, killed, 0.1 * jobs, jobs)
    deadline = time.monotonic() + 240
    while len(finished(killed)) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    assert process.completed().returncode == -signal.SIGKILL
    done = finished(killed)
    assert 2 <= len(done) < 6
    json.loads((killed / "manifest.json").read_text())
    assert len(read_comparison(killed).trials) == len(done)
    assert launcher.run(RUN, killed, 0, jobs).returncode == 0
    tables = [
        pl.read_parquet(folder / "results.parquet").drop("ranking_seconds")
        for folder in (killed, whole)
    ]
    assert tables[0].equals(tables[1])
    with np.load(killed / "rankings.npz") as ours, np.load(whole / "rankings.npz") as theirs:
        assert set(ours) == set(theirs) == {"trials", "lazy", "mi"}
        assert all(np.array_equal(ours[name], theirs[name]) for name in ours)
