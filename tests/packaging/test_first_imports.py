"""Any package of featrank can be the first one that a program imports."""

import subprocess
import sys
from pathlib import Path

import pytest

import featrank

ROOT = Path(featrank.__file__).parent
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
# One process forks a child per statement, which takes less time than a new process for each.
FORKS = """
import os, sys, traceback
failed = []
for statement in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        code = 0
        try:
            exec(statement, {})
        except BaseException:
            traceback.print_exc()
            code = 1
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1]:
        failed.append(statement)
print("\\n".join(failed))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_every_package_and_format_can_be_imported_first():
    formats = sorted(path.stem for path in (ROOT / "formats").glob("[a-z]*.py"))
    statements = [f"import featrank.{name}" for name in PACKAGES]
    statements += [f"from featrank.formats import {name}" for name in formats]
    assert len(PACKAGES) > 15
    assert "csv" in formats or "delimited" in formats
    call = [sys.executable, "-c", FORKS, *statements, "import featrank.no_such_package"]
    done = subprocess.run(call, capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.split("\n")[:-1] == ["import featrank.no_such_package"], done.stderr
