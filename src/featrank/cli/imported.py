"""Methods that the command line is given as ``module:name``: what others wrote, or the user."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from featrank.exceptions import UsageError, unknown_name


def methods_by_name(texts: Iterable[str]) -> dict[str, Any]:
    """Return methods by their names in results: featrank's as names, others as objects."""
    found: dict[str, Any] = {}
    for text in texts:
        name, given = _method(text.strip())
        if name in found:
            raise UsageError(
                f"--methods: {name!r} stands there twice, and each method needs a name of its own."
            )
        found[name] = given
    return found


def _method(text: str) -> tuple[str, Any]:
    from featrank.base.registry import method

    module, colon, name = text.partition(":")
    if not colon:
        return text, method(text).name
    return name, _made(_attribute(module, name), text)


def _attribute(module: str, name: str) -> Any:
    found = _imported(module)
    if not hasattr(found, name):
        public = [known for known in dir(found) if not known.startswith("_")]
        raise UsageError(f"--methods: {unknown_name(f'name in {module!r}', name, public)}")
    return getattr(found, name)


def _imported(module: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # last, so that no file there takes the place of a package
    try:
        return import_module(module)
    except Exception as error:  # a module may raise anything
        raise UsageError(
            f"--methods: the module {module!r} cannot be imported: {type(error).__name__}: "
            f"{error}. Give MODULE:NAME of an installed package, or of a file of Python code in "
            "this folder (my_file.py is my_file)."
        ) from error


def _made(found: Any, text: str) -> Any:
    """Return an object of a class, made without arguments; anything else as it is."""
    if not isinstance(found, type):
        return found
    try:
        return found()
    except TypeError as error:
        raise UsageError(
            f"--methods: {text!r} is a class that needs arguments ({error}). Make an object of it "
            "in a file of your own, and name that one."
        ) from error
