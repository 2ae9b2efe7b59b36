"""Warnings of trials, which run in many processes: told by one, and once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar


class Titled(Protocol):
    """What a task returns: something that messages can name."""

    @property
    def title(self) -> str:
        """What messages call it."""


Outcome = TypeVar("Outcome", bound=Titled)
Watched = tuple[Outcome, list[tuple[type[Warning], str]]]


def watched(task: Callable[[], Outcome]) -> Watched[Outcome]:
    """Run a task; return what comes of it with what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        outcome = task()
    meant = [w.message for w in caught if isinstance(w.message, UserWarning)]
    return outcome, [(type(message), str(message)) for message in meant]


def telling(runs: Iterable[Watched[Outcome]]) -> Iterator[Outcome]:
    """Give the outcomes; warn of what they warned of, once where only the figures differ."""
    told = set()
    for outcome, caught in runs:
        for category, text in caught:
            gist = re.sub(r"\d", "", text)
            if gist not in told:
                told.add(gist)
                warnings.warn(f"In {outcome.title}: {text}", category, stacklevel=4)
        yield outcome
