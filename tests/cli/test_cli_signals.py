"""``compare`` that is interrupted or asked to end: soon, in a word, and to be resumed."""

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.processes import all_ended
from tests.support.launcher import Launcher

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux")

LAZY = """
import time
from pathlib import Path
from featrank import FisherScore

class Lazy(FisherScore):
    def fit(self, X, y=None):
        deadline = time.monotonic() + 600
        while Path("hold").exists() and list(Path("run").glob("trials/0*")):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return super().fit(X, y)
"""


IMPORTS = """
import joblib, numpy, polars, sklearn.svm
import featrank.cli, featrank.evaluation
featrank.methods()
"""

# As `python -m featrank` does, in a group of processes of its own.
COMMAND = """
import os, runpy
os.setsid()
runpy.run_module("featrank", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    with Launcher(IMPORTS, tmp_path_factory.mktemp("launcher")) as launcher:
        yield launcher


@pytest.fixture
def start(launcher, tmp_path):
    """Begin a comparison, or go on with it, in a group of processes of its own."""
    (tmp_path / "lazy.py").write_text(LAZY)
    rng = np.random.default_rng(0)
    rows = [f"{a},{b},{'xy'[n % 2]}" for n, (a, b) in enumerate(rng.normal(size=(20, 2)))]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,target", *rows]))
    call = (
        "compare data.csv --target target -m lazy:Lazy --n-features 1 --trials 4 --out-dir run -q"
    )

    def begin(jobs):
        return launcher.start(COMMAND, *call.split(), "--resume", f"--jobs={jobs}", folder=tmp_path)

    return begin


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("number", "to_all", "code", "says"),
    [
        (signal.SIGINT, True, 130, "Interrupted."),  # Ctrl-C in a terminal
        (signal.SIGTERM, False, 143, "Terminated."),
    ],
)
def test_a_comparison_ends_and_is_resumed(tmp_path, start, jobs, number, to_all, code, says):
    (tmp_path / "hold").touch()
    process, trials = start(jobs), tmp_path / "run" / "trials"
    deadline = time.monotonic() + 240
    while not list(trials.glob("0*")) and time.monotonic() < deadline:
        assert process.runs, process.completed()
        time.sleep(0.02)
    (os.killpg if to_all else os.kill)(process.number, number)
    done = process.completed(patience=60)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (code, says)
    assert all_ended(process.number)
    assert not list((tmp_path / "run").rglob(".*"))
    kept = {path: path.stat().st_mtime_ns for path in trials.iterdir()}
    assert 1 <= len(kept) < 4
    (tmp_path / "hold").unlink()
    again = start(1).completed()
    assert again.returncode == 0, again.stderr
    assert len(list(trials.iterdir())) == 4
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
