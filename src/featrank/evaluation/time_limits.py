"""Time limits for methods."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

# How often to wait for an exception that was sent to a thread, and the seconds in between.
WAITS, PAUSE = 100, 0.001


class OverTimeError(BaseException):
    """A method exceeded its time limit. Not an Exception, so methods do not catch it."""


def limited(seconds: float | None) -> AbstractContextManager[None]:
    """Raise OverTimeError in the block when the time is over."""
    if seconds is None:
        return nullcontext()
    here = threading.current_thread() is threading.main_thread()
    return _by_signal(seconds) if here and hasattr(signal, "SIGALRM") else _by_thread(seconds)


@contextmanager
def _by_signal(seconds: float) -> Iterator[None]:
    """Limit the main thread by the system's timer."""

    def ring(*_: Any) -> None:
        raise OverTimeError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # Its own block, since the signal may come while the timer is being stopped.
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    """Limit any thread, such as that of a cluster's worker, by an exception from another thread.

    Unlike a signal, it cannot interrupt a call that does not return to Python, such as a sleep.
    """
    alarm = _Alarm(threading.get_ident())
    timer = threading.Timer(seconds, alarm.ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    except OverTimeError:
        raise
    except BaseException:
        timer.cancel()
        alarm.stop()
        raise
    else:
        timer.cancel()
        alarm.stop()


class _Alarm:
    """Raises OverTimeError in a thread, unless it is stopped first."""

    def __init__(self, thread: int):
        self._thread, self._lock = thread, threading.Lock()
        self._stopped = self._rung = False

    def ring(self) -> None:
        with self._lock:
            if not self._stopped:
                self._rung = True
                sent = ctypes.c_ulong(self._thread), ctypes.py_object(OverTimeError)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(*sent)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
        # An exception that was sent must arrive here, not in the code that follows.
        for _ in range(WAITS if self._rung else 0):
            time.sleep(PAUSE)
