"""Runs that are killed at random moments, again and again, come to what an undisturbed one does.

FEATRANK_KILLS is the number of kills of each kind of run; a few by default.
"""

import json
import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from featrank.evaluation import read_comparison, read_label_comparison
from tests.support.launcher import Launcher

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux"),
]

IMPORTS = """
import joblib, numpy, polars, sklearn.svm
import featrank.evaluation
import tests.evaluation.processes
featrank.methods()
"""

# Forks, so that a run begins at once and a kill costs no import of packages.
KILLS = """if True:
    import os, random, shutil, signal, sys, time
    from pathlib import Path
    import joblib, sklearn.svm
    import numpy as np
    from featrank import FisherScore
    from featrank.evaluation import (
        Protocol, compare, compare_labels, read_comparison, read_label_comparison,
    )
    from featrank.exceptions import UsageError
    from tests.evaluation.processes import all_ended

    kind, jobs, kills = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = np.random.default_rng(0)
    X, y = rng.normal(5, 1, size=(30, 12)), np.arange(30) % 2
    X[:, 3] += y
    protocol = Protocol(n_repeats=4, n_features=(2, 4), C=(0.1, 1.0), inner_cv=2)

    class Lazy(FisherScore):
        def fit(self, X, y=None):
            time.sleep(0.02 * jobs)
            return super().fit(X, y)

    def run(folder, jobs):
        methods = {"lazy": Lazy(), "ec-fs": "ec-fs"}
        make, target = compare, y
        if kind == "labels":
            make, target = compare_labels, np.column_stack([y, np.arange(30) % 3 == 0])
        make(X, target, methods, protocol, out_dir=folder, resume=True, n_jobs=jobs)

    def child(work, *given):
        # All work is done by children: polars must not have threads when there is a fork.
        found = os.fork()
        if found == 0:
            os.setsid()
            code = 1
            try:
                work(*given)
                code = 0
            except BaseException as error:
                print(repr(error), file=sys.stderr, flush=True)
            finally:
                os._exit(code)
        return found

    def finish(work, *given):
        assert os.waitpid(child(work, *given), 0)[1] == 0

    def readable(folder):
        try:
            (read_label_comparison if kind == "labels" else read_comparison)(folder)
        except UsageError as error:
            assert "is not a results folder" in str(error), error

    def killed(folder, delay):
        process = child(run, folder, jobs)
        time.sleep(delay)
        os.kill(process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        assert status in (0, -signal.SIGKILL), status
        assert all_ended(process), "workers are left"
        finish(readable, folder)
        return status != 0

    if __name__ == "__main__":
        moments = random.Random(kills)
        start = time.monotonic()
        finish(run, Path("timed"), jobs)
        usual, done, number = time.monotonic() - start, 0, 0
        while done < kills:
            if killed(Path(f"run{number}"), moments.uniform(0, usual)):
                done += 1
            else:
                number += 1
        for place in range(number + 1):
            finish(run, Path(f"run{place}"), jobs)
        print(done, "kills", number + 1, "folders")
        finish(run, Path("whole"), 1)
"""


def content(folder):
    """Return everything a folder holds but the times."""
    found = {}
    for path in sorted(folder.glob("*.parquet")):
        frame = pl.read_parquet(path)
        found[path.name] = frame.drop("ranking_seconds", strict=False).write_json()
    for path in sorted(folder.rglob("*.npz")):
        with np.load(path) as stored:
            arrays = {name: stored[name] for name in stored if name != "rows"}
            rows = json.loads(str(stored["rows"])) if "rows" in stored else []
        found[str(path.relative_to(folder))] = (
            {k: v.tobytes() for k, v in arrays.items()},
            [
                {key: value for key, value in row.items() if key != "ranking_seconds"}
                for row in rows
            ],
        )
    table = pl.read_csv(folder / "results.csv", infer_schema=False).drop("ranking_seconds")
    manifest = json.loads((folder / "manifest.json").read_text())
    return found | {"csv": table.write_csv(), "manifest": manifest | {"created": None}}


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    with Launcher(IMPORTS, tmp_path_factory.mktemp("launcher")) as launcher:
        yield launcher


@pytest.mark.parametrize(
    ("kind", "jobs"), [("classes", 1), ("classes", 2), ("labels", 1), ("labels", 2)]
)
def test_killed_at_random_moments(launcher, tmp_path, kind, jobs):
    kills = os.environ.get("FEATRANK_KILLS", "6" if jobs == 1 else "1")
    said = launcher.run(KILLS, kind, jobs, kills, folder=tmp_path)
    assert said.returncode == 0, said.stderr
    whole = content(tmp_path / "whole")
    for folder in tmp_path.glob("run*"):
        assert content(folder) == whole
        assert not list(folder.rglob(".*"))
    read = read_label_comparison if kind == "labels" else read_comparison
    assert len(read(tmp_path / "run0").frame) == len(read(tmp_path / "whole").frame)
