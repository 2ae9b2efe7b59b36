"""Are the data suitable? Sizes, classes, and possible problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank._utils.plain_text import shortened
from featrank.report.document import Column, Grid, Paragraph, Section

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

# Facts of the data in a manifest, in addition to class sizes and standard deviations.
NUMBERS = (
    "missing",
    "features_with_missing",
    "samples_with_missing",
    "zeros",
    "constant",
    "duplicate_features",
    "duplicate_rows",
)
# Facts of a regression target.
TARGET = ("min", "q25", "q50", "q75", "max", "mean", "sd", "values")
# A regression target with fewer distinct values may be meant as classes.
FEW_VALUES = 5
# Classes that are listed; more are counted.
CLASSES = 10
# Folds that define a small class, for rankings.
FOLDS = 5
# A class with less than this share of the samples is rare.
RARE = 0.1
# Range of a regression target in interquartile ranges beyond which there are outliers.
FAR = 20
# Ratio of the largest to the smallest standard deviation beyond which units matter.
UNITS = 1000
WARNED = "See the warnings at the top of this report."
UNKNOWN = "These results contain no description of the data."


def facts(results: Comparison) -> dict[str, Any]:
    """Return the facts of the data."""
    data, classes = results.manifest["data"], results.manifest["data"].get("classes")
    stored: Any = results.manifest.get("facts")
    known: dict[str, Any] = stored if _are_valid(stored, classes) else {}
    labels = [] if classes is None else [str(code) for code in range(classes)]
    return {
        "samples": data["samples"],
        "features": data["features"],
        "classes": data.get("class_labels") or labels,
        "inner_cv": results.manifest["protocol"]["inner_cv"],
        "largest_k": results.n_features[-1],
        "warnings": len(results.manifest.get("warnings", [])),
        **known,
    }


def _are_valid(facts: Any, classes: int | None) -> bool:
    """Return whether a manifest has valid facts; a regression target has no classes."""
    if not isinstance(facts, dict):
        return False
    numbers = [facts.get(key) for key in NUMBERS]
    lists: dict[str, int | None] = {"sd_range": None}
    if classes is not None:
        lists["class_sizes"] = classes
    elif isinstance(facts.get("target"), dict):
        numbers += [facts["target"].get(key) for key in TARGET]
    else:
        return False
    for key, length in lists.items():
        if not isinstance(facts.get(key), list) or length not in (None, len(facts[key])):
            return False
        numbers += facts[key]
    return all(isinstance(number, int | float) for number in numbers)


def section(facts: dict[str, Any], lacking: str = UNKNOWN) -> Section:
    """Return the section of the report; ``lacking`` explains missing facts of the values."""
    warned = facts.get("warnings", 0) > 0
    notes = " ".join(sentences(facts)) or (WARNED if warned else "No problems found in the data.")
    about = notes if "missing" in facts else lacking
    return Section("fit", "Are the data suitable?", [Paragraph(about), _grid(facts)])


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return one sentence per problem of the data.

    A ranking has no folds and no sentences about scores.
    """
    if "missing" not in facts:
        return []
    return [*_of_classes(facts), *_of_target(facts), *_of_samples(facts), *_of_features(facts)]


def _of_classes(facts: dict[str, Any]) -> list[str]:
    smallest = min(facts.get("class_sizes", ()), default=facts["samples"])
    if smallest < 2 * facts.get("inner_cv", FOLDS):
        harm = ", so its scores are imprecise" if "inner_cv" in facts else ""
        return [f"The smallest class has only {smallest} samples{harm}."]
    if smallest < RARE * facts["samples"]:
        return [f"The smallest class has {100 * smallest / facts['samples']:.0f} % of samples."]
    return []


def _of_target(facts: dict[str, Any]) -> list[str]:
    if "target" not in facts:
        return []
    target, problems = facts["target"], []
    if target["values"] < FEW_VALUES:
        problems.append(
            f"The target has only {target['values']} distinct values. If they are classes, rank "
            "for classification."
        )
    if target["max"] - target["min"] > FAR * (target["q75"] - target["q25"]):
        harm = (
            "dominate R². Spearman's ρ is robust to them."
            if "inner_cv" in facts
            else "may dominate the ranking."
        )
        problems.append(f"The target has outliers, which {harm}")
    return problems


def _of_samples(facts: dict[str, Any]) -> list[str]:
    tried, problems = "inner_cv" in facts, []
    if facts["samples"] < 50:
        harm = "intervals are wide" if tried else "other samples may give another ranking"
        problems.append(f"There are only {facts['samples']} samples, so {harm}.")
    if facts["duplicate_rows"]:
        harm = ", which can make the scores too optimistic"
        problems.append(f"{_duplicates(facts['duplicate_rows'], 'sample')}{harm if tried else ''}.")
    if facts["missing"]:
        filled = ". They were imputed from training rows" if tried else ""
        problems.append(
            f"{_share(facts['missing'])} of the values are missing, in "
            f"{_features(facts['features_with_missing'])}{filled}."
        )
    return problems


def _of_features(facts: dict[str, Any]) -> list[str]:
    problems = []
    if facts["constant"]:
        problems.append(_constant(facts["constant"]))
    if facts["duplicate_features"]:
        problems.append(f"{_duplicates(facts['duplicate_features'], 'feature')}.")
    problems += _scales(facts)
    if facts["features"] - facts["constant"] < facts.get("largest_k", 0):
        problems.append("Fewer features vary than were selected.")
    return problems


def _scales(facts: dict[str, Any]) -> list[str]:
    if len(facts["sd_range"]) != 3 or facts["sd_range"][2] <= UNITS * facts["sd_range"][0]:
        return []
    low, _, high = facts["sd_range"]
    return [
        f"Standard deviations of features range from {low:.3g} to {high:.3g}, so the features "
        "probably have different units. This affects methods that use variances or distances, "
        "such as inf-fs and laplacian."
    ]


def _duplicates(count: int, what: str) -> str:
    return f"{count:,} {what} is a duplicate" if count == 1 else f"{count:,} {what}s are duplicates"


def _constant(count: int) -> str:
    return f"{_features(count)} {'is' if count == 1 else 'are'} constant."


def _features(count: int) -> str:
    return "1 feature" if count == 1 else f"{count:,} features"


def _share(value: float) -> str:
    return f"{100 * value:.1f} %" if value >= 0.001 else "Less than 0.1 %"


def _grid(facts: dict[str, Any]) -> Grid:
    rows = [
        ["samples", f"{facts['samples']:,}"],
        ["features", f"{facts['features']:,}"],
        *([_target_row(facts["target"])] if "target" in facts else []),
        *([_classes_row(facts)] if facts["classes"] else []),
    ]
    if "missing" in facts:
        rows += [
            ["missing values", f"{100 * facts['missing']:.2g} %"],
            ["zeros", f"{100 * facts['zeros']:.2g} %"],
            ["constant features", f"{facts['constant']:,}"],
            ["duplicate features", f"{facts['duplicate_features']:,}"],
            ["duplicate samples", f"{facts['duplicate_rows']:,}"],
        ]
    return Grid([Column(""), Column("")], rows, headed=False)


def _classes_row(facts: dict[str, Any]) -> list[str]:
    names, sizes = facts["classes"], facts.get("class_sizes")
    listed = [
        shortened(str(name), 30) + (f" {size:,}" if size is not None else "")
        for name, size in zip(names, sizes or [None] * len(names), strict=True)
    ]
    more = f" and {len(listed) - CLASSES} more" if len(listed) > CLASSES else ""
    return ["classes", ", ".join(listed[:CLASSES]) + more]


def _target_row(target: dict[str, Any]) -> list[str]:
    return [
        "target",
        f"numeric, from {target['min']:.4g} to {target['max']:.4g}, median {target['q50']:.4g}, "
        f"quartiles {target['q25']:.4g} and {target['q75']:.4g}",
    ]
