"""Is the data fit? Sizes, classes, and possible problems."""

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
    "copies",
    "copied_rows",
)
# Facts of a regression target.
TARGET = ("min", "q25", "q50", "q75", "max", "mean", "sd", "values")
# A regression target with fewer distinct values may be meant as classes.
FEW_VALUES = 5
# Classes that are listed; more are counted.
CLASSES = 10
# Folds that decide whether a class is small, for rankings.
FOLDS = 5
# A class with less than this share of the samples is rare.
RARE = 0.1
# Range of a regression target in interquartile ranges beyond which single values decide.
FAR = 20
# Ratio of the largest to the smallest standard deviation beyond which units matter.
UNITS = 1000
OLDER = "These results are of an older layout, which keeps no facts of the data."


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
        "folds": results.manifest["protocol"]["folds"],
        "largest_k": results.ks[-1],
        **known,
    }


def _are_valid(facts: Any, classes: int | None) -> bool:
    """Return whether a manifest has valid facts; a regression target has no classes."""
    if not isinstance(facts, dict):
        return False
    numbers = [facts.get(key) for key in NUMBERS]
    lists: dict[str, int | None] = {"spreads": None}
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


def section(facts: dict[str, Any], lacking: str = OLDER) -> Section:
    """Return the section of the report; ``lacking`` says why there are no facts of the values."""
    notes = " ".join(sentences(facts)) or "Nothing was found that speaks against the data."
    about = notes if "missing" in facts else lacking
    return Section("fit", "Is the data fit?", [Paragraph(about), _grid(facts)])


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return one sentence per problem of the data.

    A ranking has no folds, and nothing is said about scores.
    """
    if "missing" not in facts:
        return []
    return [*_of_classes(facts), *_of_target(facts), *_of_samples(facts), *_of_features(facts)]


def _of_classes(facts: dict[str, Any]) -> list[str]:
    smallest = min(facts.get("class_sizes", ()), default=facts["samples"])
    if smallest < 2 * facts.get("folds", FOLDS):
        harm = "scores on it move in large steps" if "folds" in facts else "that is few"
        return [f"The smallest class has {smallest} samples: {harm}."]
    if smallest < RARE * facts["samples"]:
        return [f"The smallest class has {100 * smallest / facts['samples']:.0f} % of samples."]
    return []


def _of_target(facts: dict[str, Any]) -> list[str]:
    if "target" not in facts:
        return []
    target, problems = facts["target"], []
    if target["values"] < FEW_VALUES:
        problems.append(
            f"The target has {target['values']} different values: if they name classes, leave out "
            "--task regression."
        )
    if target["max"] - target["min"] > FAR * (target["q75"] - target["q25"]):
        harm = (
            "decide R² alone; Spearman's ρ (--metric spearman) asks for the order only"
            if "folds" in facts
            else "may decide the ranking alone"
        )
        problems.append(f"Some values of the target lie far from the others, and {harm}.")
    return problems


def _of_samples(facts: dict[str, Any]) -> list[str]:
    tried, problems = "folds" in facts, []
    if facts["samples"] < 50:
        harm = "intervals are wide" if tried else "others may rank features otherwise"
        problems.append(f"{facts['samples']} samples are few: {harm}.")
    if facts["copied_rows"]:
        harm = ", which makes scores too good where copies stand on both sides of a split"
        problems.append(
            f"{_many(facts['copied_rows'], 'sample')} of others{harm if tried else ''}."
        )
    if facts["missing"]:
        filled = "; they were filled from training rows" if tried else ""
        problems.append(
            f"{_share(facts['missing'])} of the values are missing, in "
            f"{_features(facts['features_with_missing'])}{filled}."
        )
    return problems


def _of_features(facts: dict[str, Any]) -> list[str]:
    problems = []
    if facts["constant"]:
        problems.append(f"Constant, which tells nothing: {_features(facts['constant'])}.")
    if facts["copies"]:
        problems.append(f"{_many(facts['copies'], 'feature')} of others, value by value.")
    problems += _scales(facts)
    if facts["features"] - facts["constant"] < facts.get("largest_k", 0):
        problems.append("Fewer features vary than were asked for.")
    return problems


def _scales(facts: dict[str, Any]) -> list[str]:
    if len(facts["spreads"]) != 3 or facts["spreads"][2] <= UNITS * facts["spreads"][0]:
        return []
    low, _, high = facts["spreads"]
    return [
        f"Spreads of features reach from {low:.3g} to {high:.3g}: they are in different units, "
        "which methods that compare spreads or distances (inf-fs, laplacian) take as they are."
    ]


def _many(count: int, what: str) -> str:
    return f"1 {what} is a copy" if count == 1 else f"{count:,} {what}s are copies"


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
            ["copies among features", f"{facts['copies']:,}"],
            ["copies among samples", f"{facts['copied_rows']:,}"],
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
        f"a quantity from {target['min']:.4g} to {target['max']:.4g}, median {target['q50']:.4g}, "
        f"middle half from {target['q25']:.4g} to {target['q75']:.4g}",
    ]
