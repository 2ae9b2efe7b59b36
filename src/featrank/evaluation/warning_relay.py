"""Relays warnings of worker processes to the user, each once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar


class Titled(Protocol):
    """The result of a task, with a name for messages."""

    @property
    def title(self) -> str:
        """The name in messages."""


Outcome = TypeVar("Outcome", bound=Titled)
Recorded = tuple[Outcome, list[tuple[type[Warning], str]]]


def record_warnings(task: Callable[[], Outcome]) -> Recorded[Outcome]:
    """Run a task; return its result and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        outcome = task()
    meant = [w.message for w in caught if isinstance(w.message, UserWarning)]
    return outcome, [(type(message), str(message)) for message in meant]


def relay(runs: Iterable[Recorded[Outcome]]) -> Iterator[Outcome]:
    """Yield the results and repeat their warnings, once if they differ only in numbers."""
    shown = set()
    for outcome, caught in runs:
        for category, message in caught:
            gist = re.sub(r"\d", "", message)
            if gist not in shown:
                shown.add(gist)
                warnings.warn(f"In {outcome.title}: {message}", category, stacklevel=4)
        yield outcome
