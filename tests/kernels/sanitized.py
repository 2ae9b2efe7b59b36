"""A pytest plugin that loads the kernels from FEATRANK_KERNELS instead of the installed ones."""

import importlib.util
import os
import sys
from pathlib import Path

(library,) = Path(os.environ["FEATRANK_KERNELS"]).glob("_featrank*.so")
spec = importlib.util.spec_from_file_location("featrank.compiled._featrank", library)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.modules[spec.name] = module


def pytest_report_header():
    return f"featrank kernels: {library}"
