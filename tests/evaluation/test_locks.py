"""One writer at a time: real processes, one of which is killed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

from featrank.evaluation import Protocol, compare, compare_labels, read_comparison
from featrank.exceptions import UsageError

pytest.importorskip("fcntl")

RUN = """if True:
    import sys, time
    import numpy as np
    from featrank.evaluation import Protocol, compare
    from featrank import FisherScore

    class Lazy(FisherScore):
        def fit(self, X, y=None):
            time.sleep(float(sys.argv[2]))
            return super().fit(X, y)

    if __name__ == "__main__":
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(40, 20)), np.arange(40) % 2
        protocol = Protocol(trials=4, ks=(2, 4), C=(1.0,), folds=2)
        jobs = int(sys.argv[3])
        compare(X, y, {"lazy": Lazy()}, protocol, out=sys.argv[1], resume=True, jobs=jobs)
"""


def start(folder, pause, jobs=1):
    call = [sys.executable, "-c", RUN, str(folder), str(pause), str(jobs)]
    return subprocess.Popen(call, stderr=subprocess.PIPE, text=True)


def wait_for_a_trial(folder, process):
    deadline = time.monotonic() + 240
    while not list(folder.glob("trials/[0-9]*.npz")) and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.01)


def test_a_second_writer_is_told_who_holds_the_folder(tmp_path):
    folder = tmp_path / "run"
    first = start(folder, pause=1)
    wait_for_a_trial(folder, first)
    second = start(folder, pause=0)
    _, said = second.communicate()
    assert second.returncode == 1
    assert f"'{folder}' is being written by process {first.pid} on {socket.gethostname()}" in said
    assert "Wait until that has ended, or give another folder." in said
    assert 1 <= len(read_comparison(folder).trials) <= 4  # a reader needs no lock
    assert first.poll() is None
    assert first.wait() == 0
    assert not (folder / ".lock").exists()
    assert read_comparison(folder).lacks() == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_killed_writer_holds_nothing(tmp_path, jobs):
    folder = tmp_path / "run"
    first = start(folder, pause=0.5, jobs=jobs)
    wait_for_a_trial(folder, first)
    first.kill()
    assert first.wait() == -signal.SIGKILL
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
    second = start(folder, pause=0)
    assert second.wait() == 0, second.stderr.read()
    assert read_comparison(folder).lacks() == []
    left = {str(path.relative_to(folder)) for path in folder.rglob(".*")}
    assert left == {".0a1b2c3d.notes.txt", ".0a1b.results.csv", ".hidden", ".0a1b2c3d.results.csv"}


def test_two_runs_in_one_process(tmp_path):
    """A method that starts a run into the folder of its own run."""
    from featrank import FisherScore

    X, y = np.random.default_rng(0).normal(size=(40, 20)), np.arange(40) % 2
    protocol = Protocol(trials=1, ks=(2,), C=(1.0,), folds=2)
    told = []

    class Greedy(FisherScore):
        def fit(self, X, y=None):
            for run, target in ((compare, y), (compare_labels, np.eye(2)[y])):
                with pytest.raises(UsageError, match=f"written by process {os.getpid()}") as error:
                    run(X, target, ["fisher"], protocol, out=tmp_path, resume=True)
                told.append(error)
            return super().fit(X, y)

    assert len(compare(X, y, {"greedy": Greedy()}, protocol, out=tmp_path).trials) == 1
    assert len(told) == 4
    shutil.rmtree(tmp_path)


def test_a_failed_run_lets_go(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(40, 20)), np.arange(40) % 2
    protocol = Protocol(trials=1, ks=(2,), C=(1.0,), folds=2)

    def stop(done, total):
        raise KeyboardInterrupt

    from featrank.progress import progress_to

    with pytest.raises(KeyboardInterrupt), progress_to(stop):
        compare(X, y, ["fisher"], protocol, out=tmp_path)
    assert not (tmp_path / ".lock").exists()
    assert compare(X, y, ["fisher"], protocol, out=tmp_path, resume=True).lacks() == []
