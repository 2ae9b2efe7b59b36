"""One module a file format: what it is (``FORMAT``), ``read`` and, if it can be written, ``write``.

The modules are found by walking this package. They are all imported for a line of help, so that
whatever is heavy, NumPy included, is imported by their functions.
"""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from featrank.tables.format import Format


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of all formats, in the order of their first suffixes."""
    names = [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]
    found = [import_module(name) for name in names]
    return tuple(sorted(found, key=lambda module: module.FORMAT.suffixes[0]))


def known() -> tuple[Format, ...]:
    """Return what all formats declare of themselves."""
    return tuple(module.FORMAT for module in modules())


def module_of(path: Path) -> ModuleType | None:
    """Return the module of the format that the suffix of a file names."""
    name = path.name.lower()
    return next((found for found in modules() if name.endswith(found.FORMAT.suffixes)), None)


def format_of(path: Path) -> Format | None:
    """Return what the format of a file declares of itself."""
    module = module_of(path)
    return None if module is None else module.FORMAT
