"""Registry of the methods: all classes with a name in ``rankers/``."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from featrank.base.ranker import Ranker
from featrank.exceptions import UsageError, unknown_name


@cache
def rankers() -> tuple[type[Ranker], ...]:
    """Return the public, concrete classes of ``rankers/``, sorted by class name."""
    classes = []
    package = importlib.import_module("featrank.rankers")
    for module_info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{module_info.name}")
        for _, member in inspect.getmembers(module, inspect.isclass):
            own = member.__module__ == module.__name__ and not member.__name__.startswith("_")
            if own and issubclass(member, Ranker) and not inspect.isabstract(member):
                classes.append(member)
    return tuple(sorted(classes, key=lambda cls: cls.__name__))


@cache
def _registry() -> dict[str, type[Ranker]]:
    named = {cls.name: cls for cls in rankers() if "name" in vars(cls)}
    return dict(sorted(named.items()))


def methods() -> dict[str, type[Ranker]]:
    """Return every ranking method: name → class.

    Examples
    --------
    >>> import featrank
    >>> featrank.methods()["ec-fs"].__name__
    'ECFS'
    """
    return dict(_registry())


def method(name: str) -> type[Ranker]:
    """Return the class of a method. The error for an unknown name suggests similar names."""
    try:
        return _registry()[name]
    except KeyError:
        raise UsageError(unknown_name("method", name, _registry())) from None
