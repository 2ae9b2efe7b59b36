"""Is the data fit: sizes, classes, and what may spoil a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.plain_text import shortened
from featrank.report.document import Column, Grid, Paragraph, Section

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

# What a folder knows of its data, beside the sizes of classes and the spreads of features.
NUMBERS = (
    "missing",
    "features_with_missing",
    "samples_with_missing",
    "zeros",
    "constant",
    "copies",
    "copied_rows",
)
# Classes that are listed; more are counted.
CLASSES = 10
# A class is rare where it has less than this part of the samples.
RARE = 0.1
# Ratio of the largest to the smallest spread beyond which units matter.
UNITS = 1000


def facts(results: Comparison) -> dict[str, Any]:
    """Return what is known of the data."""
    data = results.manifest["data"]
    found: Any = results.manifest.get("facts")
    known: dict[str, Any] = found if _sound(found, data["classes"]) else {}
    return {
        "samples": data["samples"],
        "features": data["features"],
        "classes": data.get("class_labels") or [str(code) for code in range(data["classes"])],
        "folds": results.manifest["protocol"]["folds"],
        "largest_k": results.ks[-1],
        **known,
    }


def _sound(found: Any, classes: int) -> bool:
    """Tell whether a folder has facts, and such as featrank writes."""
    if not isinstance(found, dict):
        return False
    lists: dict[str, int | None] = {"class_sizes": classes, "spreads": None}
    numbers = [found.get(key) for key in NUMBERS]
    for key, length in lists.items():
        if not isinstance(found.get(key), list) or length not in (None, len(found[key])):
            return False
        numbers += found[key]
    return all(isinstance(number, int | float) for number in numbers)


def section(facts: dict[str, Any]) -> Section:
    """Return what is shown of it."""
    remarks = sentences(facts)
    text = " ".join(remarks) if remarks else "Nothing was found that speaks against the data."
    if "missing" not in facts:
        text = "These results are of an older layout, which keeps no facts of the data."
    return Section("fit", "Is the data fit?", [Paragraph(text), _grid(facts)])


def sentences(facts: dict[str, Any]) -> list[str]:
    """Return what speaks against the data, a sentence each."""
    if "missing" not in facts:
        return []
    sizes, told = facts["class_sizes"], []
    smallest = min(sizes)
    if smallest < 2 * facts["folds"]:
        told.append(f"The smallest class has {smallest} samples: scores on it move in large steps.")
    elif smallest < RARE * facts["samples"]:
        told.append(f"The smallest class has {100 * smallest / facts['samples']:.0f} % of samples.")
    if facts["samples"] < 50:
        told.append(f"{facts['samples']} samples are few: intervals are wide.")
    if facts["copied_rows"]:
        told.append(
            f"{_many(facts['copied_rows'], 'sample')} of others, which makes scores too good where "
            "copies stand on both sides of a split."
        )
    if facts["missing"]:
        told.append(
            f"{_share(facts['missing'])} of the values are missing, in "
            f"{facts['features_with_missing']:,} features; they were filled from training rows."
        )
    if facts["constant"]:
        told.append(f"Constant, so that they can tell nothing: {facts['constant']:,} features.")
    if facts["copies"]:
        told.append(f"{_many(facts['copies'], 'feature')} of others, value by value.")
    told += _scales(facts)
    if facts["features"] - facts["constant"] < facts["largest_k"]:
        told.append("Fewer features vary than were asked for.")
    return told


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


def _share(value: float) -> str:
    return f"{100 * value:.1f} %" if value >= 0.001 else "Less than 0.1 %"


def _grid(facts: dict[str, Any]) -> Grid:
    names, sizes = facts["classes"], facts.get("class_sizes")
    listed = [
        shortened(str(name), 30) + (f" {size:,}" if size is not None else "")
        for name, size in zip(names, sizes or [None] * len(names), strict=True)
    ]
    more = f" and {len(listed) - CLASSES} more" if len(listed) > CLASSES else ""
    rows = [
        ["samples", f"{facts['samples']:,}"],
        ["features", f"{facts['features']:,}"],
        ["classes", ", ".join(listed[:CLASSES]) + more],
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
