"""One module a format: its ``NAME``, its ``SUFFIXES``, and ``write(report, stream)``.

The modules are found by walking this package. They are all imported for a line of help, so that
whatever is heavy is imported by their functions. A format with ``FOR_PEOPLE`` is written as their
terminal can show it, others as UTF-8.

One that spreadsheets open has ``FOR_SPREADSHEETS``, and its ``write`` takes ``safe=True``, which
makes texts harmless.

A format of rankings alone has ``RANKINGS``: ONE if it holds one ranking, EACH if it holds one for
each class. What it changes or leaves out is told by ``notes(report)``, if it has that.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from featrank.exceptions import UsageError, unknown_name

if TYPE_CHECKING:
    from featrank.report.document import Report

ONE, EACH = "one", "each"


@cache
def known() -> dict[str, ModuleType]:
    """Return the formats by name: first the one for people, then the others by theirs."""
    names = [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]
    found = sorted((import_module(name) for name in names), key=_place)
    return {module.NAME: module for module in found}


def _place(module: ModuleType) -> tuple[bool, str]:
    return not module.FOR_PEOPLE, module.NAME


def module_of(format: str) -> ModuleType:
    """Return the module of a format."""
    if format not in known():
        raise UsageError(unknown_name("format", format, known()))
    return known()[format]


def general() -> list[str]:
    """Return the formats that any report has."""
    return [name for name in known() if of_rankings(name) is None]


def of_rankings(format: str) -> str | None:
    """Return which rankings a format is of, ONE or EACH; None if any report has it."""
    return getattr(module_of(format), "RANKINGS", None)


def kinds_of(report: Report) -> Collection[str]:
    """Return which formats of rankings a report has: those of one, of one for each class, or none.

    One class of several has both.
    """
    if report.ranking is None:
        return ()
    if not isinstance(report.ranking, Mapping):
        return (ONE,)
    return (ONE, EACH) if len(report.ranking) == 1 else (EACH,)


def require_fit(format: str, kinds: Collection[str]) -> None:
    """Refuse a format that what is to be written does not have."""
    needed = of_rankings(format)
    if needed is None or needed in kinds:
        return
    if not kinds:
        raise UsageError(
            f"A {format} file holds ranked features, and this report is of something else. Choose "
            f"one of {', '.join(general())}."
        )
    if needed == ONE:
        raise UsageError(
            f"A {format} file holds one ranking, and there is one for each class. Name the class "
            "with --of-class LABEL (in Python, report on rankings[label])."
        )
    raise UsageError(
        f"A {format} file holds the markers of classes. Rank for each class: --per-class (in "
        "Python per_class=True). A quantity has none; --target-bins 3 makes three of it."
    )


def notes_of(format: str, report: Report) -> Sequence[str]:
    """Return sentences on what a format makes of a report."""
    module = module_of(format)
    return module.notes(report) if hasattr(module, "notes") else ()


def suffixes() -> dict[str, str]:
    """Return the format that each suffix of a file means."""
    return {suffix: name for name, module in known().items() for suffix in module.SUFFIXES}
