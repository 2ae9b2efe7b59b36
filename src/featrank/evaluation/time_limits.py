"""A limit to the time of a method, where the system has a timer signal."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class OverTimeError(BaseException):
    """A method took longer than it may; no Exception, so that no method can catch it unseen."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise OverTimeError in the block after this time, where the system has such a signal."""
    here = threading.current_thread() is threading.main_thread()
    if seconds is None or not here or not hasattr(signal, "SIGALRM"):
        yield
        return

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
