"""Ctrl-C and SIGTERM in the midst of a fit: every method ends soon, with nothing half written."""

import signal
import sys
import time

import numpy as np
import pytest

import featrank
from tests.support.launcher import Launcher

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

# What takes seconds; methods that are fast on any table that fits are fitted again and again.
SHAPES = {
    "dominant-set": (400, 4000),
    "fsv": (3000, 1500),
    "inf-fs": (400, 4000),
    "laplacian": (20_000, 100),
    "relieff": (20_000, 100),
    "svm-rfe": (1500, 1200),
}
SHAPE = (1000, 4000)
# A machine may be busy; without looking for signals the fits take far longer.
SOON = 5.0
CAUGHT = 77

# What every fit and the command import; they start once with it, not once a test.
IMPORTS = """
import numpy, featrank, featrank.cli
featrank.methods()
"""

FIT = """
import sys, warnings
import numpy as np
import featrank

name, n_jobs, rows, columns = sys.argv[1], *map(int, sys.argv[2:])
rng = np.random.default_rng(0)
X = rng.normal(size=(rows, columns))
y = np.where(X[:, :5].sum(axis=1) + rng.normal(size=rows) > 0, "a", "b")
ranker = featrank.methods()[name]()
if "n_jobs" in ranker.get_params():
    ranker.set_params(n_jobs=n_jobs)
# What is imported late, also for threads: an import may swallow a signal.
ranker.fit(X[:40, :8], y[:40])
if rows * columns == 4_000_000:
    ranker.fit(X[:300, :1000], y[:300])
try:
    print("ready", flush=True)
    while True:
        ranker.fit(X, y)
except KeyboardInterrupt:
    sys.exit(77)
"""

MANY_CLASSES = """
import sys, warnings
import numpy as np
import featrank

warnings.simplefilter("ignore")
y = np.repeat([f"class {number}" for number in range(800)], 5)
X = np.random.default_rng(0).normal(size=(len(y), 3))
try:
    print("ready", flush=True)
    featrank.SVMRFE().fit(X, y)
except KeyboardInterrupt:
    sys.exit(77)
"""

# The command in a child that says when the fit begins.
COMMAND = """
import sys
import featrank
from featrank.cli import main

method = featrank.methods()[sys.argv[sys.argv.index("--method") + 1]]
fit = method.fit

def told(self, *args, **keywords):
    print("ready", flush=True)
    while True:
        fit(self, *args, **keywords)

method.fit = told
main(sys.argv[1:])
"""


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """Send a signal half a second into a fit; return the process at its end and the seconds."""
    with Launcher(IMPORTS, tmp_path_factory.mktemp("signals")) as launcher:

        def run(code, arguments, number):
            process = launcher.start(code, *arguments)
            try:
                process.wait_for("ready\n")
                time.sleep(0.5)
                begin = time.monotonic()
                process.send_signal(number)
            finally:
                done = process.completed(patience=60)
            return done, time.monotonic() - begin

        yield run


@pytest.mark.slow
@pytest.mark.parametrize("name", featrank.methods())
def test_every_method_hears_ctrl_c(ended, name):
    process, seconds = ended(FIT, [name, 2, *SHAPES.get(name, SHAPE)], signal.SIGINT)
    assert process.returncode == CAUGHT, process.stderr
    assert seconds < SOON


def test_many_classes_hear_ctrl_c(ended):
    process, seconds = ended(MANY_CLASSES, [], signal.SIGINT)
    assert process.returncode == CAUGHT, process.stderr
    assert seconds < SOON


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["int", "term"])
@pytest.mark.parametrize("name", ["mrmr", "relieff", "svm-rfe"])
def test_the_command_ends_tidily(ended, tmp_path, name, number):
    rng = np.random.default_rng(0)
    shape = SHAPES.get(name, SHAPE)
    X = rng.normal(size=shape)
    np.savez(tmp_path / "table.npz", X=X, y=(X[:, 0] > 0).astype(int))
    arguments = ["rank", tmp_path / "table.npz", "--method", name, "-o", tmp_path / "ranking.csv"]
    process, seconds = ended(COMMAND, arguments, number)
    assert process.returncode == 128 + number
    assert process.stderr.rstrip().endswith(
        "Interrupted." if number == signal.SIGINT else "Terminated."
    )
    assert "Traceback" not in process.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.npz"]
    assert seconds < SOON
