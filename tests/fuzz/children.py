"""A child process that is asked, ended when it takes too long, and started anew when it died."""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from .outcomes import Outcome

ROOT = Path(__file__).parents[2]
# Where files that went wrong are left.
KEPT = ROOT / "build" / "fuzz"
START, PATIENCE = 120, 10
# What a process keeps of each file would add up.
MOST_FILES = 1000


class Child:
    """Asks a process for outcomes; ``with`` ends it.

    Parameters
    ----------
    patience : float
        Seconds that a call may take.
    bare : bool
        Whether the process starts without the packages that read files, which takes long.
    """

    def __init__(self, patience: float = PATIENCE, *, bare: bool = False):
        self.patience, self.bare = patience, bare
        self._process: subprocess.Popen[str] | None = None
        self._asked = 0

    def __enter__(self):
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()

    def ask(self, question: dict[str, Any]) -> Outcome:
        """Return the outcome of a call; what a busy machine may have caused is asked again."""
        found = self._ask(question)
        if found.kind in ("timeout", "memory"):
            self.end()
            found = self._ask(question)
        return found

    def _ask(self, question: dict[str, Any]) -> Outcome:
        if self._process is None or self._asked >= MOST_FILES:
            self._start()
        self._asked += 1
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            return Outcome(*json.loads(self._line(self.patience)))
        except TimeoutError:
            self.end()
            return Outcome("timeout", f"no answer within {self.patience} s")
        except (EOFError, BrokenPipeError):
            return self._died()

    def _start(self) -> None:
        self.end()
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.child", *(["--bare"] if self.bare else [])],
            cwd=ROOT,
            env={**os.environ, "POLARS_MAX_THREADS": "2", "OMP_NUM_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._asked = 0
        assert self._line(START) == "ready\n"

    def _line(self, seconds: float) -> str:
        """Read a line; each comes in one piece."""
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        if not ready:
            raise TimeoutError
        line = self._process.stdout.readline()
        if not line:
            raise EOFError
        return line

    def _died(self) -> Outcome:
        code = self._process.wait()
        self.end()
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Outcome("signal" if code < 0 else "died", name)

    def end(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process.stdin.close()
            self._process.stdout.close()
            self._process = None
