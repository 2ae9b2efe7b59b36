"""Numbers and names as readers see them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Any

from featrank.exceptions import FeatrankWarning

# Classes whose sizes are listed.
MOST_LISTED = 6
#: Transforms of values, in sentences.
TRANSFORMED = {
    "log1p": "log(1 + x)",
    "log2": "log2(x)",
    "log10": "log10(x)",
    "sqrt": "square roots",
    "cpm": "counts per million of each sample",
    "clr": "centred log-ratios of each sample, with half of its smallest positive value for zeros",
    "rank": "ranks within each feature",
}
#: Imputation of missing values, in sentences.
IMPUTED = {
    "mean": "the mean of the feature",
    "median": "the median of the feature",
    "knn": "the mean of the five nearest samples with a value (k-nearest neighbours)",
}


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


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count_of(1, "sample"), count_of(1200, "sample")
    ('1 sample', '1,200 samples')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def class_sizes_clause(sizes: dict[str, int]) -> str:
    """Return the sizes of classes, to follow their number. Empty if they are unknown.

    Examples
    --------
    >>> class_sizes_clause({"tumour": 40, "normal": 22})
    ': tumour (n = 40) and normal (n = 22)'
    >>> class_sizes_clause(dict.fromkeys("abcdefgh", 5))
    ' of 5 to 5 samples'
    """
    if not sizes:
        return ""
    if len(sizes) > MOST_LISTED:
        return f" of {min(sizes.values()):,} to {max(sizes.values()):,} samples"
    return ": " + join_names([f"{label} (n = {count:,})" for label, count in sizes.items()])


#: How readers see the severity of a warning.
SEVERITY_NAMES = {"serious": "Serious problem:", "caution": "Caution:", "info": "Note:"}


def limitations(warnings: Iterable[FeatrankWarning]) -> list[str]:
    """Return the sentences of a methods section about the warnings of a run."""
    return list(dict.fromkeys(one.limitation for one in warnings if one.limitation))


def transform_clause(steps: str) -> str:
    """Return what values are transformed to.

    Examples
    --------
    >>> transform_clause("cpm,log1p")
    'counts per million of each sample, and these to log(1 + x)'
    >>> transform_clause("floor:20,log2")
    '20 where they were lower, and these to log2(x)'
    """
    return ", and these to ".join(map(_step_clause, steps.split(",")))


def _step_clause(step: str) -> str:
    from featrank.values.transforms import FLOOR  # imports scikit-learn

    lowest = step.removeprefix(FLOOR)
    return TRANSFORMED[step] if lowest == step else f"{lowest} where they were lower"


def number_or_dash(value: float | None, form: str = ".4g") -> str:
    """Format a number, or return a dash for a missing one.

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
