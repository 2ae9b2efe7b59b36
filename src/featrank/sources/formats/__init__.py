"""One module a file format: what it is (``FORMAT``) and ``source``, which opens such a file.

``source(path, options)`` takes a :class:`~featrank.sources.options.SourceOptions` and returns a
:class:`~featrank.sources.Source`. The modules are found by walking this package; whatever is heavy
is imported by their functions.
"""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from featrank.tables import Format
from featrank.tables import formats as table_formats


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return the modules of all formats, in the order of their first suffixes."""
    names = [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]
    found = [import_module(name) for name in names]
    return tuple(sorted(found, key=lambda module: module.FORMAT.suffixes[0]))


def known() -> tuple[Format, ...]:
    """Return what all formats declare of themselves."""
    return tuple(module.FORMAT for module in modules())


def with_tables() -> tuple[Format, ...]:
    """Return the formats of tables, and those that are only read in parts."""
    whole = table_formats.known()
    suffixes = {suffix for each in whole for suffix in each.suffixes}
    only = [each for each in known() if not suffixes & set(each.suffixes)]
    return tuple(sorted([*whole, *only], key=lambda each: each.suffixes[0]))


def suffixes() -> tuple[str, ...]:
    """Return the suffixes of all formats."""
    return tuple(suffix for module in modules() for suffix in module.FORMAT.suffixes)


def module_of(path: Path) -> ModuleType | None:
    """Return the module of the format that the suffix of a file names."""
    name = path.name.lower()
    return next((found for found in modules() if name.endswith(found.FORMAT.suffixes)), None)
