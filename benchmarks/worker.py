"""Measure one task on one data set. timing.measure starts it once per measurement.

A task is a function of X and y that does the preparation, which is not timed, and yields the calls
to time. If it yields several equivalent calls, the fastest counts.
"""

import os
import resource
import sys
import warnings
from importlib import import_module
from pathlib import Path

import numpy as np

from timing import timed

# If the first call takes longer, in seconds, the other calls are not tried.
LONG = 20.0
MEMORY_SHARE = 0.7
WARM_UP = (slice(200), slice(100))


def main(task, folder, result, limit):
    """Warm up on a corner of the data, then time the task and store its result."""
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
    """Make a task fail before the computer runs out of memory."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    allowed = int(MEMORY_SHARE * physical)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, allowed))


def fastest(calls, limit):
    """Return the best time and its result."""
    best = timed(next(calls), limit)
    if best[0] <= LONG:
        for call in calls:
            best = min(best, timed(call, limit), key=lambda pair: pair[0])
    return best


if __name__ == "__main__":
    main(*sys.argv[1:])
    # Some packages leave behind threads or processes that would delay the exit.
    sys.stdout.flush()
    os._exit(0)
