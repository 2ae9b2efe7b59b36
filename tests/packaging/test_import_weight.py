"""Importing one method loads only the modules that this method needs."""

import subprocess
import sys

import pytest

#: Largest number of featrank modules that importing a method may load.
LIMITS = {"featrank.rankers.fisher": 40, "featrank.rankers.relieff": 30}
CODE = """
import sys
import {module}
print(*sorted(name for name in sys.modules if name.partition(".")[0] == "featrank"))
"""


@pytest.mark.parametrize("module", LIMITS)
def test_a_method_loads_few_modules(module):
    command = [sys.executable, "-c", CODE.format(module=module)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert module in loaded
    assert len(loaded) <= LIMITS[module], loaded
