"""Timing for the benchmarks: the best of several calls, and calls in a separate process."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Calls shorter than this, in seconds, are repeated until their total time reaches it.
SHORT = 2.0
LEAST_REPEATS, MOST_REPEATS = 3, 500
ROUNDS = 10
# Seconds allowed for imports, compilation and data preparation, in addition to the call.
PREPARATION = 300.0


def best_times(*calls):
    """Return the shortest time of each call, which other processes disturb least.

    The calls alternate, so that a busy period affects all of them, for at least SHORT seconds and
    ROUNDS rounds.
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
    """Return the best time and the result of a call. A call above the limit ends the process.

    Only short calls are repeated.
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
    """Seconds and result of a task, or the reason why it has none."""

    seconds: float | None = None
    answer: np.ndarray | None = None
    reason: str = ""
    over_limit: bool = False


def measure(task, data, limit):
    """Measure ``"module:function"`` on the data in a folder, in a separate process.

    A task cannot affect the next one by threads, caches, memory or a crash.
    """
    result, errors = data / "result.npz", data / "errors.txt"
    result.unlink(missing_ok=True)
    script = Path(__file__).with_name("worker.py")
    command = [sys.executable, script, task, data, result, str(limit)]
    # Files of killed processes are deleted with the folder.
    environment = {**os.environ, "JOBLIB_TEMP_FOLDER": str(data)}
    with errors.open("w") as stderr:
        worker = subprocess.Popen(
            command, env=environment, stdout=stderr, stderr=stderr, start_new_session=True
        )
    try:
        # There are up to two calls of a peer. Only the first may take as long as the limit.
        in_time = _wait_for(worker, 2 * limit + PREPARATION)
    finally:
        status = _end(worker)
    return _outcome(status if in_time else None, result, errors)


def _wait_for(worker, seconds):
    """Wait until the worker ends. It keeps its process ID until ``_end``."""
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
        return Measurement(reason="killed, probably out of memory")
    if status is None:
        return Measurement(reason=f"preparation not finished after {PREPARATION:.0f} s")
    lines = errors.read_text(errors="replace").strip().splitlines()
    return Measurement(reason=lines[-1] if lines else f"ended with status {status}")
