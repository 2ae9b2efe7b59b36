"""Install the packages of the extra ``peers`` one by one, so that a failure affects only one."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
CONSTRAINTS = (ROOT / "constraints.txt", ROOT / "benchmarks" / "constraints-peers.txt")


def main():
    """Install the packages in pyproject.toml, with the tested versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command = [sys.executable, "-m", "pip", "install", "--quiet"]
    for constraints in CONSTRAINTS:
        command += ["--constraint", str(constraints)]
    for peer in project["optional-dependencies"]["peers"]:
        if subprocess.run([*command, peer], check=False).returncode != 0:
            print(f"{peer} could not be installed. The benchmark continues without it.")


if __name__ == "__main__":
    main()
