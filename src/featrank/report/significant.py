"""What tests of single features found, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from featrank.ranking import ClassRankings, Ranking
from featrank.sources.names import taken
from featrank.statistics.feature_tests import TESTS, Test, Values
from featrank.statistics.fold_changes import SCALE_NAMES
from featrank.statistics.value_scales import ValueScales

# Features count as significant up to this false discovery rate.
LEVEL = 0.05
# Features without a fold change that a note names.
NAMED = 3


def significant_counts(
    ranking: Ranking | ClassRankings, test: Test, values: Values = "auto"
) -> dict[Any, int]:
    """Return for each class compared with the rest how many features are significant."""
    if isinstance(ranking, Mapping):
        return {label: _count(one, test, values) for label, one in ranking.items()}
    compared = ranking.compared_classes()
    assert compared is not None
    return {compared[0]: _count(ranking, test, values)}


def _count(ranking: Ranking, test: Test, values: Values) -> int:
    adjusted = ranking.tested(test, values).p_adjusted[ranking.tested_class()]
    return int(np.count_nonzero(adjusted <= LEVEL))


def significance_note(counts: Mapping[Any, int], total: int, test: Test, sides: str = "") -> str:
    """Return the counts as a sentence. ``sides`` names what is compared.

    Examples
    --------
    >>> significance_note({"sick": 12}, 500, "welch")
    "12 of 500 features are significant at a false discovery rate of 5 % (Welch's t-test)."
    >>> significance_note({"a": 12, "b": 0}, 500, "welch")
    "a: 12, b: 0 of 500 features are significant at a false discovery rate of 5 % (Welch's
    t-test)."
    """
    listed = ", ".join(f"{label}: {count:,}" for label, count in counts.items())
    number = f"{next(iter(counts.values())):,}" if len(counts) == 1 else listed
    verb = "is" if [*counts.values()] == [1] else "are"
    return (
        f"{number} of {total:,} features {verb} significant at a false discovery rate of "
        f"{100 * LEVEL:.0f} % ({TESTS[test]}{sides and f', {sides}'})."
    )


def notes_on_test(
    ranking: Ranking | ClassRankings, test: Test, values: Values, *, with_hint: bool = True
) -> list[str]:
    """Return notes on the test, on what it found, and on fold changes.

    ``with_hint`` adds how to change the scale of the values.
    """
    one = next(iter(ranking.values())) if isinstance(ranking, ClassRankings) else ranking
    compared = one.compared_classes()
    assert compared is not None
    sides = "the class against the rest" if one.of_class else " against ".join(compared)
    counts = significant_counts(ranking, test, values)
    return [
        f"p-values come from {TESTS[test]} of each feature, {sides}, adjusted by "
        f"Benjamini-Hochberg over {len(one):,} features. The ranking does not use them.",
        significance_note(counts, len(one), test),
        *_design_notes(one),
        *_scale_notes(one.value_scales(test, values), one, values, with_hint),
    ]


def _design_notes(ranking: Ranking) -> list[str]:
    """Return what the tests ignore."""
    notes = []
    if ranking.n_groups is not None:
        notes.append(
            "The tests treat samples as independent. If samples of the same group are similar, "
            "the p-values are too small."
        )
    if ranking.is_weighted:
        notes.append("The tests do not use the weights of the samples.")
    return notes


def short_note(ranking: Ranking, test: Test, values: Values) -> str:
    """Return what a test of two classes found, for tables that do not explain it."""
    sides = " against ".join(ranking.compared_classes() or ())
    return significance_note(significant_counts(ranking, test, values), len(ranking), test, sides)


def _scale_notes(
    scales: ValueScales, ranking: Ranking, values: Values, with_hint: bool
) -> list[str]:
    """Return which scale the fold changes use, and which features have none.

    With a hint, a guessed scale is not repeated, because a warning has named it.
    """
    if scales.reason:
        hint = " If the values have ratios, use `values=...`."
        return [
            f"Fold changes are not shown, because {scales.reason}. The difference of the means is "
            f"given instead.{hint if with_hint and values == 'auto' else ''}"
        ]
    if scales.usual == "none":
        return ["Fold changes are not shown, because the values have no ratio scale."]
    is_guess = values == ranking.provenance.values == "auto"
    guessed = ", which is a guess" if is_guess else ""
    notes = [f"Fold changes assume {SCALE_NAMES[scales.usual]}{guessed}."]
    return ([] if is_guess and with_hint else notes) + _misfit_notes(ranking, scales)


def _misfit_notes(ranking: Ranking, scales: ValueScales) -> list[str]:
    places = np.flatnonzero(scales.of_features != scales.usual)
    if not len(places):
        return []
    named = [repr(name) for name in taken(ranking.feature_names, places[:NAMED])]
    more = f" and {len(places) - NAMED:,} more" if len(places) > NAMED else ""
    have = "has" if len(places) == 1 else "have"
    return [
        f"{', '.join(named)}{more} {have} no fold change, because the values do not look like "
        "logarithms."
    ]
