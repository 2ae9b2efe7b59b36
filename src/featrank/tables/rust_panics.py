"""Hide what Rust libraries print about damaged files, bypassing Python."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO

# How a panic message begins, after the name of the thread.
_PANIC = b"panicked at"
_STDERR = 2


@contextmanager
def hide_panics() -> Iterator[None]:
    """Keep panic messages from stderr, as the exception that follows says what went wrong.

    They are written to the file descriptor by a hook that Python cannot set. Other output to the
    descriptor appears afterwards. Output through ``sys.stderr`` appears at once. Blocks in several
    threads share one buffer.
    """
    _SHARED.enter()
    try:
        yield
    finally:
        _SHARED.leave()


class _Kept:
    """A file that takes the place of stderr while at least one block is open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open = 0
        self._back = ExitStack()

    def enter(self) -> None:
        with self._lock:
            self._open += 1
            if self._open == 1:
                with suppress(OSError):  # stderr is closed, so that nothing is printed anyway
                    self._begin()

    def leave(self) -> None:
        with self._lock:
            self._open -= 1
            if not self._open:
                self._back.close()

    def _begin(self) -> None:
        with ExitStack() as stack:
            kept = stack.enter_context(tempfile.TemporaryFile())
            real = os.dup(_STDERR)
            stack.callback(os.close, real)
            stack.callback(_release_output, kept, real)
            stack.enter_context(_python_stderr(real))
            stack.callback(os.dup2, real, _STDERR)
            os.dup2(kept.fileno(), _STDERR)
            self._back = stack.pop_all()


_SHARED = _Kept()


@contextmanager
def _python_stderr(real: int) -> Iterator[None]:
    """Let the output of Python itself, such as a progress bar, reach stderr."""
    before, elsewhere = sys.stderr, sys.stderr is not sys.__stderr__
    if before is None or elsewhere:
        yield
        return
    before.flush()
    with open(real, "w", buffering=1, closefd=False, errors="backslashreplace") as direct:
        sys.stderr = direct
        try:
            yield
        finally:
            if sys.stderr is direct:
                sys.stderr = before


def _release_output(kept: IO[bytes], real: int) -> None:
    kept.seek(0)
    output = kept.read()
    if output and _PANIC not in output:
        os.write(real, output)
