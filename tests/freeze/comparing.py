"""Compare two recordings bit for bit."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from tests.freeze.expected import INTENDED, REPLACEMENTS, Intended, Replacement

Recording = dict[str, dict[str, Any]]


class Difference(NamedTuple):
    """A difference, and why it is intended, or None."""

    case: str
    part: str
    what: str
    reason: str | None = None


def differences(
    old: Recording,
    new: Recording,
    *,
    messages: str = "exact",
    replacements: list[Replacement] = REPLACEMENTS,
    intended: list[Intended] = INTENDED,
) -> list[Difference]:
    """Return how two recordings differ, case by case."""
    found: list[Difference] = []
    for case in [*old, *(name for name in new if name not in old)]:
        if case not in new or case not in old:
            found.append(Difference(case, "", f"only in the {'old' if case in old else 'new'}"))
            continue
        found += _arrays(case, old[case]["arrays"], new[case]["arrays"])
        found += _values(case, old[case]["values"], new[case]["values"])
        if messages == "exact":
            before = {part: _reworded(t, replacements) for part, t in old[case]["texts"].items()}
            found += _values(case, before, new[case]["texts"])
    return [one._replace(reason=_reason(one, intended)) for one in found]


def unused(old: Recording, found: list[Difference]) -> list[str]:
    """Return entries of ``expected.py`` that explain nothing."""
    texts = [text for case in old.values() for text in case["texts"].values()]
    idle = [
        one.pattern for one in REPLACEMENTS if not any(re.search(one.pattern, t) for t in texts)
    ]
    return idle + [
        one.cases for one in INTENDED if not any(_explains(one, other) for other in found)
    ]


def _arrays(case: str, old: dict[str, Any], new: dict[str, Any]) -> list[Difference]:
    found = _names(case, old, new)
    for part in (part for part in old if part in new):
        a, b = old[part], new[part]
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            what = f"{a.dtype}{list(a.shape)} became {b.dtype}{list(b.shape)}"
        elif a.tobytes() == b.tobytes():
            continue
        else:
            apart = ~((a == b) | ((a != a) & (b != b)))
            with np.errstate(invalid="ignore"):
                gap = np.abs(np.subtract(a, b, dtype=np.float64))[apart]
            most = np.nanmax(gap, initial=0)
            what = f"{apart.sum()} of {a.size} values differ, by up to {most:.3g}"
        found.append(Difference(case, part, what))
    return found


def _values(case: str, old: dict[str, Any], new: dict[str, Any]) -> list[Difference]:
    changed = [part for part in old if part in new and old[part] != new[part]]
    return _names(case, old, new) + [
        Difference(case, part, f"\n    old: {old[part]}\n    new: {new[part]}") for part in changed
    ]


def _names(case: str, old: dict[str, Any], new: dict[str, Any]) -> list[Difference]:
    gone = [Difference(case, part, f"is gone: {_short(old[part])}") for part in old.keys() - new]
    added = [Difference(case, part, f"is new: {_short(new[part])}") for part in new.keys() - old]
    return sorted(gone + added)


def _short(value: Any) -> str:
    return str(value)[:300]


def _reworded(text: str, replacements: list[Replacement]) -> str:
    for one in replacements:
        text = re.sub(one.pattern, one.replacement, text)
    return text


def _reason(found: Difference, intended: list[Intended]) -> str | None:
    return next((one.reason for one in intended if _explains(one, found)), None)


def _explains(one: Intended, found: Difference) -> bool:
    return fnmatchcase(found.case, one.cases) and fnmatchcase(found.part, one.part)
