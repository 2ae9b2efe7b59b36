"""How scores are written: shares such as areas in percent, those of quantities as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ScoreTexts:
    """How the scores of a comparison are written.

    Examples
    --------
    >>> areas, explained = ScoreTexts(percent=True), ScoreTexts(percent=False)
    >>> areas.number(0.9125), explained.number(-0.0312), areas.signed(0.01), areas.unit
    ('91.25', '-0.031', '+1.00', ' (%)')
    """

    percent: bool = True

    @classmethod
    def of(cls, protocol: dict[str, Any]) -> ScoreTexts:
        """Return how scores under a protocol, as manifests have it, are written."""
        return cls(percent=protocol.get("task") != "regression")

    @property
    def unit(self) -> str:
        """What headings say after the name of the score."""
        return " (%)" if self.percent else ""

    def number(self, score: float) -> str:
        """Return a score."""
        return f"{100 * score:.2f}" if self.percent else f"{score:.3f}"

    def signed(self, difference: float) -> str:
        """Return a difference of scores."""
        return f"{100 * difference:+.2f}" if self.percent else f"{difference:+.3f}"


def with_article(scorer: str) -> str:
    """Return the name of a score as a sentence has it.

    Examples
    --------
    >>> with_article("ROC AUC"), with_article("R²")
    ('a ROC AUC', 'an R²')
    """
    return f"an {scorer}" if scorer.startswith(("R²", "a", "e", "i", "o", "u")) else f"a {scorer}"
