"""One module a layout: its ``NAME``, its ``SUFFIXES``, and ``write(report, stream)``.

The modules are found by walking this package. They are all imported for a line of help, so that
whatever is heavy is imported by their functions. A layout with ``FOR_PEOPLE`` is written as their
terminal can show it, others as UTF-8.
"""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType

from featrank.exceptions import UsageError, unknown_name


@cache
def known() -> dict[str, ModuleType]:
    """Return the layouts by name: first the one for people, then the others by theirs."""
    names = [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]
    found = sorted((import_module(name) for name in names), key=_place)
    return {module.NAME: module for module in found}


def _place(module: ModuleType) -> tuple[bool, str]:
    return not module.FOR_PEOPLE, module.NAME


def module_of(layout: str) -> ModuleType:
    """Return the module of a layout."""
    if layout not in known():
        raise UsageError(unknown_name("layout", layout, known()))
    return known()[layout]


def suffixes() -> dict[str, str]:
    """Return the layout that each suffix of a file means."""
    return {suffix: name for name, module in known().items() for suffix in module.SUFFIXES}
