"""Packages whose modules are imported when one of their names is asked for.

The command line looks names up before anything heavy is loaded.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def importing(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, given the module of each of its names."""

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find


def homes(**names: str) -> dict[str, str]:
    """Return the module of each name, given the names in each module, apart by blanks.

    Examples
    --------
    >>> homes(sums="first second", means="third")
    {'first': 'sums', 'second': 'sums', 'third': 'means'}
    """
    return {name: home for home, listed in names.items() for name in listed.split()}
