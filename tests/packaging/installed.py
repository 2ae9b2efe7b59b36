"""Tries the copy of featrank that this Python has installed, as its user would.

Run it where no sources of featrank are: beside this folder of tests alone.
"""

import subprocess
import sys
from pathlib import Path

import featrank


def run(*command):
    """Run a command and stop if it fails."""
    subprocess.run(command, check=True)


if __name__ == "__main__":
    home = Path(featrank.__file__).resolve()
    if not home.is_relative_to(Path(sys.prefix).resolve()):
        raise SystemExit(f"The installed copy is to be tried, not {home}.")
    run(sys.executable, "-m", "featrank", "--version")
    run("featrank", "demo")
    run(sys.executable, "-m", "pytest", "--quiet", str(Path(__file__).parents[1] / "common"))
