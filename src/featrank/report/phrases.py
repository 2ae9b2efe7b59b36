"""Numbers and names as readers see them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any


@dataclass(frozen=True)
class ScoreFormat:
    """How scores are written: as a percentage, or as they are for regression.

    Examples
    --------
    >>> areas, explained = ScoreFormat(percent=True), ScoreFormat(percent=False)
    >>> areas.number(0.9125), explained.number(-0.0312), areas.signed(0.01), areas.unit
    ('91.25', '-0.031', '+1.00', ' (%)')
    """

    percent: bool = True

    @classmethod
    def of(cls, protocol: dict[str, Any]) -> ScoreFormat:
        """Return the format of scores under the protocol of a manifest."""
        return cls(percent=protocol.get("task") != "regression")

    @property
    def unit(self) -> str:
        """The unit of scores, for headings."""
        return " (%)" if self.percent else ""

    def number(self, score: float) -> str:
        """Format a score."""
        return f"{100 * score:.2f}" if self.percent else f"{score:.3f}"

    def signed(self, difference: float) -> str:
        """Format a difference of scores."""
        return f"{100 * difference:+.2f}" if self.percent else f"{difference:+.3f}"


def with_article(scorer: str) -> str:
    """Return the name of a score with its article.

    Examples
    --------
    >>> with_article("ROC AUC"), with_article("R²")
    ('a ROC AUC', 'an R²')
    """
    return f"an {scorer}" if scorer.startswith(("R²", "a", "e", "i", "o", "u")) else f"a {scorer}"


def join_names(names: list[str]) -> str:
    """Return names as part of a sentence.

    Examples
    --------
    >>> join_names(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def number_or_dash(value: float | None, form: str = ".4g") -> str:
    """Format a number; a dash stands for a missing one.

    Examples
    --------
    >>> number_or_dash(1 / 3), number_or_dash(None), number_or_dash(float("inf"))
    ('0.3333', '–', '∞')
    """
    if value is None or value != value:
        return "–"
    return "∞" if value == inf else f"{value:{form}}"


def format_p(p_value: float) -> str:
    """Format a p-value with three digits.

    Examples
    --------
    >>> format_p(0.0432), format_p(0.00004), format_p(float("nan"))
    ('0.043', '<0.001', '–')
    """
    return "<0.001" if p_value < 0.001 else number_or_dash(p_value, ".3f")
