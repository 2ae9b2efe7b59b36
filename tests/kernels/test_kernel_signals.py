"""Kernels end when a handler of a signal raises, and on other threads when they are asked to."""

import signal
import threading
from contextlib import contextmanager

import numpy as np
import pytest

from featrank._utils import threads
from featrank.kernels import Groups, _featrank
from featrank.kernels.svm import Eliminator

needs_alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm")


class Rung(Exception):
    pass


@contextmanager
def alarm(seconds):
    def ring(number, frame):
        raise Rung

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Count:
    """Counts of pairs of codes, again and again: seconds of work."""

    def __init__(self, times=4000):
        rows = 1_000_000
        self.codes = np.random.default_rng(0).integers(0, 4, (2, rows)).astype(np.uint8)
        self.n_log_n = np.zeros(rows + 1, np.int64)
        self.candidates = np.ones(times, np.int64)
        self.sums = np.full(times, -1)

    def __call__(self):
        _featrank.pair_sums(self.codes, 4, self.n_log_n, 0, self.candidates, self.sums)

    @property
    def unfinished(self):
        return bool(self.sums[-1] == -1)


@needs_alarm
def test_a_handler_that_raises_ends_the_kernel():
    count = Count()
    with alarm(0.1), pytest.raises(Rung):
        count()
    assert count.unfinished


@needs_alarm
def test_a_handler_that_returns_lets_the_kernel_go_on():
    count, heard = Count(times=200), []
    before = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(count.unfinished))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        count()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not count.unfinished
    assert heard == [True]


@needs_alarm
def test_an_elimination_ends_within_a_call():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 600))
    offsets = Groups.of(np.repeat([0, 1], 750), 2).offsets
    machines = Eliminator(X, offsets, C=1.0, tol=1e-6, step=1, keep=1, by_kernel=False)
    with alarm(0.3), pytest.raises(Rung):
        machines.run(work=1e15)
    assert machines.left > 1


@needs_alarm
@pytest.mark.parametrize("busy", ["all", "others"])
def test_helping_threads_end_too(busy):
    """Whether the thread that gets the signal works itself or waits for the others."""
    caller, both = threading.current_thread(), threading.Barrier(2, timeout=30)
    counts = [Count(), Count()]

    def work(block):
        both.wait()
        if busy == "all" or threading.current_thread() is not caller:
            counts[block.start]()

    with alarm(0.2), pytest.raises(Rung):
        threads.map_blocks(work, 2, 1, n_jobs=2)
    assert all(count.unfinished for count in counts)


def test_stopped_threads_can_work_again():
    stop, count = _featrank.Stop(), Count(times=5)
    stop.ask()
    with pytest.raises(RuntimeError, match="stopped"), stop:
        count()
    count()
    assert not count.unfinished
