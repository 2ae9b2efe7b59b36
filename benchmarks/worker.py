"""Measure one task on one data set. Started by timing.measure, once for each measurement.

A task is a function of X and y that prepares what is not to be timed, and yields the calls to
time: one, or several ways to call the same thing, of which the fastest counts.
"""

import os
import resource
import sys
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np

from timing import timed

# A first call that takes longer, in seconds, is not tried in the other ways.
LONG = 20.0
MEMORY_SHARE = 0.7
WARM_UP = (slice(200), slice(100))


def main(task, folder, result, limit):
    """Warm up on a corner of the data, then time the task and store its answer."""
    warnings.simplefilter("ignore")
    limit_memory()
    module, name = task.split(":")
    calls = getattr(import_module(module), name)
    X, y = np.load(Path(folder) / "X.npy"), np.load(Path(folder) / "y.npy")
    for call in calls(np.ascontiguousarray(X[WARM_UP]), y[WARM_UP[0]]):
        call()
    seconds, answer = fastest(calls(X, y), float(limit))
    np.savez(result, seconds=seconds, answer=answer)


def limit_memory():
    """Let a task that needs too much fail by itself, before the machine runs out of memory."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    allowed = int(MEMORY_SHARE * physical)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def fastest(calls, limit):
    """Return the best time, and the answer that goes with it."""
    best = timed(next(calls), limit)
    if best[0] <= LONG:
        for call in calls:
            best = min(best, timed(call, limit), key=lambda pair: pair[0])
    return best


if __name__ == "__main__":
    main(*sys.argv[1:])
    # Some packages leave threads or processes behind that would delay the exit.
    sys.stdout.flush()
    os._exit(0)
