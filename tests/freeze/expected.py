"""Differences from the baseline that are intended, each with its reason.

``compare`` applies them. An entry that explains nothing is reported, so that it can be deleted.
"""

from __future__ import annotations

from typing import NamedTuple


class Replacement(NamedTuple):
    """A regular expression to replace in messages of the baseline."""

    pattern: str
    replacement: str
    reason: str


class Intended(NamedTuple):
    """Cases, as in ``fnmatch``, whose outcome is meant to differ."""

    cases: str
    reason: str


REPLACEMENTS: list[Replacement] = [
    Replacement(r"\(layout='csv'\)", "(format='csv')", "report.write(format=) was layout=."),
    Replacement("--values says otherwise", "--value-scale says otherwise", "the flag was renamed"),
]

INTENDED: list[Intended] = []
