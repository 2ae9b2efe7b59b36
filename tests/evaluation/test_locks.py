"""One writer at a time: real processes, one of which is killed."""

import errno
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from featrank.evaluation import Protocol, compare, compare_labels, read_comparison
from featrank.exceptions import UsageError
from tests.support.launcher import Launcher

pytest.importorskip("fcntl")

IMPORTS = """
import joblib, numpy, polars, sklearn.svm
import featrank.evaluation
featrank.methods()
"""

RUN = """if True:
    import sys, time
    from pathlib import Path
    import numpy as np
    from featrank.evaluation import Protocol, compare
    from featrank import FisherScore

    class Lazy(FisherScore):
        def fit(self, X, y=None):
            time.sleep(float(sys.argv[2]))
            while (Path(sys.argv[1]) / "trials/00000.npz").exists() and Path("hold").exists():
                time.sleep(0.01)
            return super().fit(X, y)

    if __name__ == "__main__":
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 20)), np.arange(40) % 2
        protocol = Protocol(n_repeats=4, n_features=(2, 4), C=(1.0,), inner_cv=2)
        jobs = int(sys.argv[3])
        compare(X, y, {"lazy": Lazy()}, protocol, out_dir=sys.argv[1], resume=True, n_jobs=jobs)
"""


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    with Launcher(IMPORTS, tmp_path_factory.mktemp("launcher")) as launcher:
        yield launcher


@pytest.fixture
def start(launcher):
    """Begin to write a folder, in another process."""

    def begin(folder, pause, jobs=1):
        return launcher.start(RUN, folder, pause, jobs, folder=folder.parent)

    return begin


def wait_for_a_trial(folder, process):
    deadline = time.monotonic() + 240
    while not list(folder.glob("trials/[0-9]*.npz")) and time.monotonic() < deadline:
        assert process.runs
        time.sleep(0.01)


def test_a_second_writer_is_told_who_holds_the_folder(start, tmp_path):
    folder, hold = tmp_path / "run", tmp_path / "hold"
    hold.touch()
    first = start(folder, pause=0)
    wait_for_a_trial(folder, first)
    call = [sys.executable, "-c", RUN, folder, "0", "1"]
    second = subprocess.run(call, capture_output=True, text=True, cwd=tmp_path)
    said, host = second.stderr, socket.gethostname()
    assert second.returncode == 1
    assert f"'{folder}' is being written by process {first.number} on {host}" in said
    assert "Wait until it has ended, or use another folder." in said
    assert 1 <= len(read_comparison(folder).trials) <= 4  # a reader needs no lock
    assert first.runs
    hold.unlink()
    assert first.completed().returncode == 0
    assert not (folder / ".lock").exists()
    assert read_comparison(folder).missing_parts() == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_killed_writer_holds_nothing(start, tmp_path, jobs):
    folder = tmp_path / "run"
    first = start(folder, pause=0.5, jobs=jobs)
    wait_for_a_trial(folder, first)
    first.send_signal(signal.SIGKILL)
    assert first.completed().returncode == -signal.SIGKILL
    assert (folder / ".lock").exists()
    for name in (
        ".0a1b2c3d.results.parquet",
        "trials/.0a1b2c3d.00003.npz",
        "fits/.00aa00aa.00000.npz",
    ):
        (folder / name).write_bytes(b"half")
    for name in (".0a1b2c3d.notes.txt", ".0a1b.results.csv", ".hidden"):
        (folder / name).write_bytes(b"of somebody else")
    (folder / ".0a1b2c3d.results.csv").mkdir()
    second = start(folder, pause=0).completed()
    assert second.returncode == 0, second.stderr
    assert read_comparison(folder).missing_parts() == []
    left = {str(path.relative_to(folder)) for path in folder.rglob(".*")}
    assert left == {".0a1b2c3d.notes.txt", ".0a1b.results.csv", ".hidden", ".0a1b2c3d.results.csv"}


def test_two_runs_in_one_process(tmp_path):
    """A method that starts a run into the folder of its own run."""
    from featrank import FisherScore

    X, y = np.random.default_rng(0).normal(size=(40, 20)), np.arange(40) % 2
    protocol = Protocol(n_repeats=1, n_features=(2,), C=(1.0,), inner_cv=2)
    told = []

    class Greedy(FisherScore):
        def fit(self, X, y=None):
            for run, target in ((compare, y), (compare_labels, np.eye(2)[y])):
                with pytest.raises(UsageError, match=f"written by process {os.getpid()}") as error:
                    run(X, target, ["fisher"], protocol, out_dir=tmp_path, resume=True)
                told.append(error)
            return super().fit(X, y)

    assert len(compare(X, y, {"greedy": Greedy()}, protocol, out_dir=tmp_path).trials) == 1
    assert len(told) == 4
    shutil.rmtree(tmp_path)


def test_a_failed_run_lets_go(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(40, 20)), np.arange(40) % 2
    protocol = Protocol(n_repeats=1, n_features=(2,), C=(1.0,), inner_cv=2)

    def stop(done, total):
        raise KeyboardInterrupt

    from featrank._utils.progress import progress_to

    with pytest.raises(KeyboardInterrupt), progress_to(stop):
        compare(X, y, ["fisher"], protocol, out_dir=tmp_path)
    assert not (tmp_path / ".lock").exists()
    assert compare(X, y, ["fisher"], protocol, out_dir=tmp_path, resume=True).missing_parts() == []


ROUND = """if True:
    import errno, fcntl, os, random, sys, time
    from pathlib import Path
    import numpy as np
    from featrank.evaluation import Protocol, compare
    from featrank import FisherScore

    X, y = np.random.default_rng(0).normal(size=(20, 4)), np.arange(20) % 2
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1.0,), inner_cv=2)

    class Alone(FisherScore):
        def fit(self, X, y=None):
            inside = Path(sys.argv[1]) / "inside"
            try:
                os.close(os.open(inside, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                os._exit(1)  # two at once
            time.sleep(0.02)
            inside.unlink()
            return super().fit(X, y)

    def no_locks(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    def write(folder, start, spread):
        random.seed(os.getpid())
        time.sleep(max(0, start - time.time()) + spread * random.random())
        try:
            compare(X, y, {"alone": Alone()}, protocol, out_dir=folder, resume=True)
            return "done"
        except BaseException as error:
            return f"{type(error).__name__}: {error}"

    def race(folder, spread):
        ends, start, children = os.pipe(), time.time() + 0.05, []
        for _ in range(6):
            child = os.fork()
            if child == 0:
                said = write(folder, start, spread)
                os.write(ends[1], f"{os.getpid()} {said}\\n".encode())
                os._exit(0)
            children.append(child)
        os.close(ends[1])
        print(folder, *children)
        print(open(ends[0]).read(), end="")
        for child in children:
            os.waitpid(child, 0)

    if sys.argv[2] == "no-locks":
        fcntl.flock = no_locks
    for number in range(int(sys.argv[3])):
        race(Path(sys.argv[1]) / "new" / str(number), 0.1 * number)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("locks", ["locks", "no-locks"])
def test_of_six_that_start_at_once_one_writes_and_the_others_are_told_who(
    launcher, tmp_path, locks
):
    rounds = os.environ.get("FEATRANK_RACES", "3")
    raced = launcher.run(ROUND, tmp_path, locks, rounds)
    assert raced.returncode == 0, raced.stderr
    place = re.escape(str(tmp_path))
    started = re.split(rf"^({place}\S+) (.*)\n", raced.stdout, flags=re.MULTILINE)[1:]
    for folder, children, lines in zip(*[iter(started)] * 3, strict=True):
        outcomes = dict(line.split(" ", 1) for line in lines.splitlines())
        assert sorted(outcomes) == sorted(children.split())
        assert "done" in outcomes.values()
        told = re.compile(
            rf"UsageError: '{re.escape(folder)}' is being written by process (\d+) on "
            rf"{re.escape(socket.gethostname())} since \S+\. Wait until it has ended, .*"
        )
        for text in set(outcomes.values()) - {"done"}:
            found = told.fullmatch(text)
            assert found, text
            assert outcomes[found[1]] == "done"
        assert not list(Path(folder).rglob(".*"))
        assert read_comparison(folder).missing_parts() == []


def test_without_locks_a_file_of_a_dead_process_is_taken_over(tmp_path, monkeypatch):
    import fcntl

    def no_locks(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    X, y = np.random.default_rng(0).normal(size=(40, 20)), np.arange(40) % 2
    protocol = Protocol(n_repeats=1, n_features=(2,), C=(1.0,), inner_cv=2)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    since = {"since": "2026-01-01T00:00:00+00:00"}
    elsewhere = {"process": dead.pid, "host": "elsewhere"} | since
    (tmp_path / ".writer").write_text(json.dumps(elsewhere))
    with pytest.raises(
        UsageError, match=rf"{dead.pid} on elsewhere.*If this run has ended, delete .*writer"
    ):
        compare(X, y, ["fisher"], protocol, out_dir=tmp_path)
    here = {"process": dead.pid, "host": socket.gethostname()} | since
    (tmp_path / ".writer").write_text(json.dumps(here))
    assert compare(X, y, ["fisher"], protocol, out_dir=tmp_path).missing_parts() == []
    assert not list(tmp_path.rglob(".*"))


def test_a_folder_that_is_filled_while_it_is_looked_at(tmp_path, monkeypatch):
    """Trials that came after the manifest was looked for are those of the other writer."""
    X, y = np.random.default_rng(0).normal(size=(40, 20)), np.arange(40) % 2
    protocol = Protocol(n_repeats=1, n_features=(2,), C=(1.0,), inner_cv=2)
    exists, folder = Path.exists, tmp_path / "run"

    def late(path):
        found = exists(path)
        if path == folder / "manifest.json" and not found and not exists(folder):
            monkeypatch.undo()
            compare(X, y, ["fisher"], protocol, out_dir=folder)
        return found

    monkeypatch.setattr(Path, "exists", late)
    assert compare(X, y, ["fisher"], protocol, out_dir=folder, resume=True).missing_parts() == []
