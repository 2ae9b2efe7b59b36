"""Which methods suit which data: by what classes declare, and by what was measured."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from featrank.base.ranker import Ranker
from featrank.base.registry import methods
from featrank.exceptions import UsageError, unknown_name

# A method is fast up to the first number of seconds on every measured shape, and medium up to the
# second. It suits data of a shape up to the second.
FAST, SOON = 1.0, 10.0


@cache
def measured() -> dict[str, Any]:
    """Return what `make bench-costs` measured: the shapes, the computer, seconds by method.

    A method without seconds at a shape took longer than ``limit``, or rejected the data.

    Examples
    --------
    >>> sorted(measured()["shapes"])
    ['tall', 'wide']
    """
    content = (files("featrank.base") / "measured_costs.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(content)
    return found


def seconds_of(name: str) -> dict[str, float | None]:
    """Return the measured seconds of a method by shape, or None for shapes without a time."""
    own = measured()["methods"].get(name, {})
    return {shape: own.get(shape) for shape in measured()["shapes"]}


def speed_of(name: str) -> str:
    """Return "fast", "medium" or "slow", by the largest of the measured times.

    Examples
    --------
    >>> speed_of("fisher"), speed_of("boruta")
    ('fast', 'slow')
    """
    times = [SOON + 1 if seconds is None else seconds for seconds in seconds_of(name).values()]
    return "fast" if max(times) <= FAST else "medium" if max(times) <= SOON else "slow"


def _soon(shape: str) -> Callable[[type[Ranker]], bool]:
    def suits(cls: type[Ranker]) -> bool:
        seconds = seconds_of(cls.name)[shape]
        return seconds is not None and seconds <= SOON

    return suits


#: Kinds of data, and which methods suit them.
USES: dict[str, Callable[[type[Ranker]], bool]] = {
    "wide": _soon("wide"),
    "tall": _soon("tall"),
    "sparse": lambda cls: cls.accepts_sparse,
    "unlabelled": lambda cls: not cls.supervised,
    "regression": lambda cls: "regression" in cls.tasks,
}


def suiting(uses: Iterable[str]) -> dict[str, type[Ranker]]:
    """Return the methods that suit data of all these kinds, by name.

    For wide or tall data, the fastest come first.

    Examples
    --------
    >>> {"ec-fs", "mrmr"} <= set(suiting(["sparse", "regression"]))
    True
    >>> "ec-fs" in suiting(["unlabelled"])
    False
    """
    asked = list(uses)
    for use in asked:
        if use not in USES:
            raise UsageError(unknown_name("kind of data", use, USES))
    found = {name: cls for name, cls in methods().items() if all(USES[use](cls) for use in asked)}
    for shape in measured()["shapes"]:
        if shape in asked:
            return dict(sorted(found.items(), key=lambda item: seconds_of(item[0])[shape] or 0.0))
    return found


def excluding(uses: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the smallest sets of kinds of data that no method suits.

    Examples
    --------
    >>> excluding(["regression", "unlabelled", "tall"])
    [('regression', 'unlabelled')]
    >>> excluding(["sparse", "regression"])
    []
    """
    asked = list(dict.fromkeys(uses))
    for size in range(1, len(asked) + 1):
        found = [few for few in combinations(asked, size) if not suiting(few)]
        if found:
            return found
    return []
