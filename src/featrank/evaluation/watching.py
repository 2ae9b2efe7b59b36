"""Warnings of trials, which run in many processes: told by one, and once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .trials import Trial

Watched = tuple[Trial, list[tuple[type[Warning], str]]]


def watched(run: Callable[..., Trial], *args: Any) -> Watched:
    """Run a trial; return it with what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        trial = run(*args)
    meant = [w.message for w in caught if isinstance(w.message, UserWarning)]
    return trial, [(type(message), str(message)) for message in meant]


def telling(runs: Iterable[Watched]) -> Iterator[Trial]:
    """Give the trials; warn of what they warned of, once where only the figures differ."""
    told = set()
    for trial, caught in runs:
        for category, text in caught:
            gist = re.sub(r"\d", "", text)
            if gist not in told:
                told.add(gist)
                warnings.warn(f"In trial {trial.number}: {text}", category, stacklevel=4)
        yield trial
