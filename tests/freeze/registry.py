"""The list of cases, and how functions get onto it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import names
from .recording import Case, Text

CASES: list[Case] = []


def add(name: str, run: Callable[[Path], Any]) -> None:
    """Add a case: a function of a temporary folder, which is also the working directory."""
    CASES.append(Case(name, run))


def case(name: str) -> Callable[[Callable[[Path], Any]], Callable[[Path], Any]]:
    """Return a decorator that adds a function as a case."""

    def added(run: Callable[[Path], Any]) -> Callable[[Path], Any]:
        add(name, run)
        return run

    return added


def cli(*args: Any, parse: Callable[[str], Any] = Text) -> dict[str, Any]:
    """Run a command in this process; ``parse`` makes of its output what is recorded."""
    from click.testing import CliRunner

    command = str(args[0])
    done = CliRunner().invoke(names.find("cli"), names.arguments(command, args))
    unforeseen = done.exception if not isinstance(done.exception, SystemExit) else None
    return {
        "exit code": done.exit_code,
        "stdout": parse(done.stdout),
        "stderr": Text(done.stderr),
        "unforeseen": None if unforeseen is None else type(unforeseen).__name__,
    }
