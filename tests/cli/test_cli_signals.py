"""``compare`` that is interrupted or asked to end: soon, in a word, and to be resumed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.evaluation.processes import all_ended

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


@pytest.fixture
def start(tmp_path):
    """Begin a comparison, or go on with it, in a group of processes of its own."""
    (tmp_path / "lazy.py").write_text(LAZY)
    rng = np.random.default_rng(0)
    rows = [f"{a},{b},{'xy'[n % 2]}" for n, (a, b) in enumerate(rng.normal(size=(20, 2)))]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,target", *rows]))
    call = "compare data.csv --target target -m lazy:Lazy --features 1 --trials 4 --out run -q"

    def begin(jobs):
        command = [sys.executable, "-m", "featrank", *call.split(), "--resume", f"--jobs={jobs}"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=tmp_path, start_new_session=True, **pipes)

    return begin


@pytest.mark.parametrize("jobs", [1, 2])
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
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    (os.killpg if to_all else os.kill)(process.pid, number)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said.splitlines()[-1]) == (code, says)
    assert all_ended(process.pid)
    assert not list((tmp_path / "run").rglob(".*"))
    done = {path: path.stat().st_mtime_ns for path in trials.iterdir()}
    assert 1 <= len(done) < 4
    (tmp_path / "hold").unlink()
    again = start(1)
    assert again.wait() == 0, again.stderr.read()
    assert len(list(trials.iterdir())) == 4
    assert {path: path.stat().st_mtime_ns for path in done} == done
