"""Progress of long fits: methods tell how far they are, whoever listens draws a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[int, int], None]

_listener: ContextVar[Listener | None] = ContextVar("featrank_progress", default=None)


@contextmanager
def progress_to(listener: Listener) -> Iterator[None]:
    """Call ``listener(done, total)`` as fits inside the block go on.

    Examples
    --------
    >>> with progress_to(lambda done, total: print(f"{done} of {total}")):
    ...     for _ in tracked(["a", "b"]):
    ...         pass
    1 of 2
    2 of 2
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def report(done: int, total: int) -> None:
    """Tell the listener, if there is one, that ``done`` of ``total`` steps are behind."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total)


def tracked(items: Iterable[Item], total: int | None = None) -> Iterator[Item]:
    """Yield the items, reporting after each that the work on it is done."""
    steps = total if total is not None else len(items)  # type: ignore[arg-type]
    for done, item in enumerate(items, 1):
        yield item
        report(done, steps)
