"""Tries the copy of featrank that this Python has installed, as its user would.

Run it where no sources of featrank are: beside this folder of tests alone.
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import featrank

# A process a core where pytest can do that, and threads that do not spin while they wait.
WORKERS = ["--numprocesses", "auto"] if find_spec("xdist") else []
CALM = {"OPENBLAS_THREAD_TIMEOUT": "4", "OMP_WAIT_POLICY": "PASSIVE"}


def run(*command):
    """Run a command and stop if it fails."""
    subprocess.run(command, check=True, env={**os.environ, **CALM})


if __name__ == "__main__":
    home = Path(featrank.__file__).resolve()
    if not home.is_relative_to(Path(sys.prefix).resolve()):
        raise SystemExit(f"The installed copy is to be tried, not {home}.")
    run(sys.executable, "-m", "featrank", "--version")
    run("featrank", "demo")
    suite = str(Path(__file__).parents[1] / "common")
    run(sys.executable, "-m", "pytest", "--quiet", *WORKERS, suite)
