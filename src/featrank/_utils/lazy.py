"""Lazy packages, which import a module when one of its names is first used.

The command line can thus look up names without loading heavy packages.
"""

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def importing(
    package: str, homes: Mapping[str, str], packages: Collection[str] = ()
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, given the modules of its names and its packages."""

    def find(name: str) -> Any:
        if name in packages:
            return import_module(f"{package}.{name}")
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return find


def homes(**names: str) -> dict[str, str]:
    """Return the module of each name, given the names in each module, separated by spaces.

    Examples
    --------
    >>> homes(sums="first second", means="third")
    {'first': 'sums', 'second': 'sums', 'third': 'means'}
    """
    return {name: home for home, listed in names.items() for name in listed.split()}
