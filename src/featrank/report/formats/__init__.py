"""One module per format: its ``NAME``, its ``SUFFIXES``, and ``write(report, stream)``.

The modules are found by walking this package. The command line imports them all to print help,
so heavy packages are imported inside functions. A format with ``FOR_PEOPLE`` is written in the
encoding of the terminal, all others as UTF-8.

A format for spreadsheets has ``FOR_SPREADSHEETS``, and its ``write`` takes ``safe=True``, which
escapes formulas.

A format for rankings only has ``RANKINGS``: ONE if it holds one ranking, EACH if it holds one for
each class. Its optional ``notes(report)`` returns what it changes or leaves out.
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
    """Return the formats by name: first the one for terminals, then in alphabetical order."""
    names = [f"{__name__}.{info.name}" for info in pkgutil.iter_modules(__path__)]
    modules = sorted((import_module(name) for name in names), key=_place)
    return {module.NAME: module for module in modules}


def _place(module: ModuleType) -> tuple[bool, str]:
    return not getattr(module, "FOR_PEOPLE", False), module.NAME


def module_of(format: str) -> ModuleType:
    """Return the module of a format."""
    if format not in known():
        raise UsageError(unknown_name("format", format, known()))
    return known()[format]


def general() -> list[str]:
    """Return the formats of all reports."""
    return [name for name in known() if of_rankings(name) is None]


def of_rankings(format: str) -> str | None:
    """Return ONE or EACH for formats of rankings, None for formats of all reports."""
    return getattr(module_of(format), "RANKINGS", None)


def kinds_of(report: Report) -> Collection[str]:
    """Return which formats of rankings a report can be written in: ONE, EACH, both or none."""
    if report.ranking is None:
        return ()
    if not isinstance(report.ranking, Mapping):
        return (ONE,)
    return (ONE, EACH) if len(report.ranking) == 1 else (EACH,)


def require_fit(format: str, kinds: Collection[str]) -> None:
    """Raise an error if a kind of report cannot be written in a format."""
    needed = of_rankings(format)
    if needed is None or needed in kinds:
        return
    if not kinds:
        raise UsageError(
            f"A {format} file contains one ranking, and this result is not a ranking. Use one of "
            f"these formats: {', '.join(general())}."
        )
    if needed == ONE:
        raise UsageError(
            f"A {format} file contains one ranking, and there is one for each class. Use "
            "`of_class=...`."
        )
    raise UsageError(
        f"A {format} file contains the markers of each class. Use `per_class=True`. For "
        "regression, make classes of the target first: `featrank.bin_target(y, 3)`."
    )


def notes_of(format: str, report: Report) -> Sequence[str]:
    """Return notes on how a format changes a report."""
    module = module_of(format)
    return module.notes(report) if hasattr(module, "notes") else ()


def suffixes() -> dict[str, str]:
    """Return the format of each file extension."""
    return {suffix: name for name, module in known().items() for suffix in module.SUFFIXES}
