"""Clocks of the benchmarks: the best of several calls, and calls in a process of their own."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Calls shorter than this, in seconds, are repeated until they have taken this long together.
SHORT = 2.0
LEAST_REPEATS, MOST_REPEATS = 3, 500
ROUNDS = 10
# Imports, compilation and the preparation of the data may take this many seconds beside the call.
PREPARATION = 300.0


def best_times(*calls):
    """Return each call's shortest time: what is left when the machine is quiet.

    The calls take turns, so that a busy spell of the machine meets them all, for at least
    SHORT seconds and ROUNDS rounds.
    """
    rounds = []
    while len(rounds) < ROUNDS or sum(map(sum, rounds)) < SHORT:
        rounds.append([_time(call) for call in calls])
    return [min(times) for times in zip(*rounds, strict=True)]


def _time(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def timed(call, limit):
    """Return the best time and the answer of a call; one that passes the limit ends the process.

    A short call is repeated, a long one is not.
    """
    times = []
    while True:
        signal.setitimer(signal.ITIMER_REAL, limit)
        start = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - start)
        signal.setitimer(signal.ITIMER_REAL, 0)
        enough = len(times) >= LEAST_REPEATS and sum(times) >= SHORT
        if times[0] >= SHORT or enough or len(times) == MOST_REPEATS:
            return min(times), answer


@dataclass(frozen=True)
class Measurement:
    """Seconds and answer of a task, or the reason why there is none."""

    seconds: float | None = None
    answer: np.ndarray | None = None
    reason: str = ""
    over_limit: bool = False


def measure(task, data, limit):
    """Measure ``"module:function"`` on the data in a folder, in a process of its own.

    No task can disturb the next one: not by threads, caches, memory or a crash.
    """
    result, errors = data / "result.npz", data / "errors.txt"
    result.unlink(missing_ok=True)
    script = Path(__file__).with_name("worker.py")
    command = [sys.executable, script, task, data, result, str(limit)]
    # Files of processes that are killed disappear with the folder.
    environment = {**os.environ, "JOBLIB_TEMP_FOLDER": str(data)}
    with errors.open("w") as stderr:
        worker = subprocess.Popen(
            command, env=environment, stdout=stderr, stderr=stderr, start_new_session=True
        )
    try:
        # Up to two ways to call a peer, of which only the first may take up to the limit.
        in_time = _wait_for(worker, 2 * limit + PREPARATION)
    finally:
        status = _end(worker)
    return _outcome(status if in_time else None, result, errors)


def _wait_for(worker, seconds):
    """Wait for the end of the worker, which keeps its number until ``_end``."""
    watched = os.WEXITED | os.WNOWAIT | os.WNOHANG
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if os.waitid(os.P_PID, worker.pid, watched) is not None:
            return True
        time.sleep(0.05)
    return False


def _end(worker):
    """End the worker and the processes that it started, and return its status."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    return worker.wait()


def _outcome(status, result, errors):
    if status == 0 and result.exists():
        with np.load(result) as stored:
            return Measurement(float(stored["seconds"]), stored["answer"])
    if status == -signal.SIGALRM:
        return Measurement(over_limit=True)
    if status == -signal.SIGKILL:
        return Measurement(reason="killed, most likely for want of memory")
    if status is None:
        return Measurement(reason=f"not ready to be timed after {PREPARATION:.0f} s")
    lines = errors.read_text(errors="replace").strip().splitlines()
    return Measurement(reason=lines[-1] if lines else f"ended with status {status}")
