"""Methods given as ``module:name`` on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from featrank.exceptions import UsageError, unknown_name


def methods_by_name(specs: Iterable[str]) -> dict[str, Any]:
    """Return methods by their names in results: featrank's as names, others as objects."""
    methods: dict[str, Any] = {}
    for spec in specs:
        name, method = _method(spec.strip())
        if name in methods:
            raise UsageError(f"--methods lists {name!r} twice. Each method needs a different name.")
        methods[name] = method
    return methods


def _method(spec: str) -> tuple[str, Any]:
    from featrank.base.registry import method

    module, colon, name = spec.partition(":")
    if not colon:
        return spec, method(spec).name
    return name, _instance(_attribute(module, name), spec)


def _attribute(module: str, name: str) -> Any:
    imported = _imported(module)
    if not hasattr(imported, name):
        public = [known for known in dir(imported) if not known.startswith("_")]
        raise UsageError(f"--methods: {unknown_name(f'name in {module!r}', name, public)}")
    return getattr(imported, name)


def _imported(module: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that no local file shadows a package
    try:
        return import_module(module)
    except Exception as error:  # a module may raise anything
        raise UsageError(
            f"--methods: the module {module!r} cannot be imported: {type(error).__name__}: "
            f"{error}. Use MODULE:NAME, where MODULE is an installed package or a Python file in "
            "this folder (my_file for my_file.py)."
        ) from error


def _instance(method: Any, spec: str) -> Any:
    """Return an instance of a class; anything else unchanged."""
    if not isinstance(method, type):
        return method
    try:
        return method()
    except TypeError as error:
        raise UsageError(
            f"--methods: the class {spec!r} needs arguments ({error}). Create an instance in a "
            "Python file, and name that instance."
        ) from error
