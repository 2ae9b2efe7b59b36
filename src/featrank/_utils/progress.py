"""Progress reporting through context variables: the library reports, the caller displays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, TypeVar

Item = TypeVar("Item")
Listener = Callable[[int, int], None]
Stages = Callable[[str, str], AbstractContextManager[Any]]
Teller = Callable[[str], None]

_listener: ContextVar[Listener | None] = ContextVar("featrank_progress", default=None)
_stages: ContextVar[Stages | None] = ContextVar("featrank_stages", default=None)
_notice_listener: ContextVar[Teller | None] = ContextVar("featrank_notice_listener", default=None)


@contextmanager
def progress_to(listener: Listener) -> Iterator[None]:
    """Call ``listener(done, total)`` on each progress report inside the block.

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
    """Report to the listener, if there is one, that ``done`` of ``total`` steps are done."""
    listener = _listener.get()
    if listener is not None:
        listener(done, total)


def tracked(items: Iterable[Item], total: int | None = None) -> Iterator[Item]:
    """Yield the items, and report progress after each."""
    steps = total if total is not None else len(items)  # type: ignore[arg-type]
    for done, item in enumerate(items, 1):
        yield item
        report(done, steps)


@contextmanager
def within(before: int, total: int) -> Iterator[None]:
    """Report progress inside the block as steps after the first ``before`` of a larger total.

    Examples
    --------
    >>> with progress_to(lambda done, total: print(f"{done} of {total}")), within(10, 12):
    ...     report(1, 2)
    11 of 12
    """
    with _translated(lambda done, _: (before + done, total)):
        yield


class Bytes(int):
    """A number of bytes, so that a progress display can show a rate."""


@contextmanager
def pass_of(number: int, passes: int, size: int) -> Iterator[None]:
    """Report progress inside the block as that of one of several passes over ``size`` bytes.

    Examples
    --------
    >>> with progress_to(lambda done, total: print(f"{done} of {total}")), pass_of(1, 2, 100):
    ...     report(1, 4)
    125 of 200
    """
    with _translated(
        lambda done, total: (Bytes(number * size + size * done // total), Bytes(passes * size))
    ):
        yield


@contextmanager
def _translated(translate: Callable[[int, int], tuple[int, int]]) -> Iterator[None]:
    listener = _listener.get()
    if listener is None:
        yield
        return
    with progress_to(lambda done, total: listener(*translate(done, total))):
        yield


@contextmanager
def stages_to(shown: Stages) -> Iterator[None]:
    """Enter ``shown(what, done)`` around each stage of the work inside the block.

    Examples
    --------
    >>> def shown(what, done):
    ...     print(what)
    ...     return nullcontext()
    >>> with stages_to(shown), stage("Reading data.csv"):
    ...     pass
    Reading data.csv
    """
    token = _stages.set(shown)
    try:
        yield
    finally:
        _stages.reset(token)


def stage(what: str, done: str = "") -> AbstractContextManager[Any]:
    """Report what the block does, with a message to show when it is done."""
    shown = _stages.get()
    return nullcontext() if shown is None else shown(what, done)


@contextmanager
def on_notify(listener: Teller) -> Iterator[None]:
    """Call ``listener`` with messages from the work inside the block.

    Examples
    --------
    >>> with on_notify(print):
    ...     notify(lambda: "It will take about 4 minutes.")
    It will take about 4 minutes.
    """
    token = _notice_listener.set(listener)
    try:
        yield
    finally:
        _notice_listener.reset(token)


def notify(sentence: Callable[[], str | None]) -> None:
    """Pass a sentence to the listener, if there is one, unless the sentence is None."""
    listener = _notice_listener.get()
    message = None if listener is None else sentence()
    if listener is not None and message is not None:
        listener(message)
