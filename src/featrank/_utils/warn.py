"""Warnings that point to the user's own line of code, and that results keep."""

import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from featrank.exceptions import SEVERITIES, FeatrankWarning, Severity

# Packages whose frames are skipped.
_INTERNAL = ("featrank", "sklearn")

_issued: ContextVar[list[FeatrankWarning] | None] = ContextVar("featrank_issued", default=None)


def warn_user(warning: str | FeatrankWarning, severity: Severity = "caution") -> None:
    """Warn at the first line outside featrank and scikit-learn.

    The result of the run keeps the warning. ``severity`` is that of a string.
    """
    if isinstance(warning, str):
        warning = FeatrankWarning(warning, severity)
    record_warning(warning)
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] in _INTERNAL:
        frame, level = frame.f_back, level + 1
    warnings.warn(warning, stacklevel=level)


def record_warning(warning: FeatrankWarning) -> None:
    """Add a warning to the result of the run without showing it."""
    issued = _issued.get()
    if issued is not None:
        issued.append(warning)


@contextmanager
def collect_warnings() -> Iterator[list[FeatrankWarning]]:
    """Collect the warnings that featrank issues inside.

    A function that collects may call another one that does, as ``rank_file`` calls ``rank``. Both
    get the same list, so that the result has the warnings of the whole run.
    """
    issued = _issued.get()
    if issued is not None:
        yield issued
        return
    issued = []
    with _collecting(issued):
        yield issued


@contextmanager
def collect_none() -> Iterator[None]:
    """Keep the warnings inside, such as those of a trial, out of the result of the run."""
    with _collecting(None):
        yield


@contextmanager
def _collecting(issued: list[FeatrankWarning] | None) -> Iterator[None]:
    token = _issued.set(issued)
    try:
        yield
    finally:
        _issued.reset(token)


def distinct_warnings(issued: Iterable[FeatrankWarning]) -> tuple[FeatrankWarning, ...]:
    """Return each warning once, the most severe first.

    Examples
    --------
    >>> issued = [FeatrankWarning("b"), FeatrankWarning("a", "serious"), FeatrankWarning("b")]
    >>> [str(warning) for warning in distinct_warnings(issued)]
    ['a', 'b']
    """
    each = {str(warning): warning for warning in issued}.values()
    return tuple(sorted(each, key=lambda warning: SEVERITIES.index(warning.severity)))
