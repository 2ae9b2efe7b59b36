"""How was it made? A paragraph for a paper, the command, versions and references."""

from __future__ import annotations

import re
import unicodedata
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.report.document import Column, Grid, Paragraph, Section
from featrank.report.phrases import join_names
from featrank.report.sections import data_quality

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

PAPER = (
    'G. Roffo and S. Melzi, "Ranking to learn: feature ranking and selection via eigenvector '
    'centrality", New Frontiers in Mining Complex Patterns (2017).'
)
# References of every comparison, in addition to those of its methods.
COMMON = (
    PAPER,
    'C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52 '
    "(2003).",
    'S. Nogueira, K. Sechidis and G. Brown, "On the stability of feature selection algorithms", '
    "Journal of Machine Learning Research 18 (2018).",
)

# Descriptions of the imputers.
FILLED = {
    "mean": "the feature's mean over the training samples",
    "median": "the feature's median over the training samples",
    "knn": "the mean of the five nearest training samples that have the value (k-nearest "
    "neighbours)",
}
# Descriptions of the transforms.
TRANSFORMED = {
    "log1p": "log(1 + x)",
    "cpm": "counts per million of each sample",
    "clr": "centred log-ratios of each sample, with half of its smallest positive value for zeros",
    "rank": "ranks among the training samples",
}


def facts(results: Comparison) -> dict[str, Any]:
    """Return how the run was made. Paths are reduced to file names."""
    manifest = results.manifest
    methods = [
        {"name": entry["name"], "method": entry["method"], "tuned": len(entry["candidates"]) > 1}
        for entry in manifest["methods"]
    ]
    cited = [reference for entry in methods for reference in references(entry["method"])]
    return {
        "data": {key: value for key, value in manifest["data"].items() if key != "class_labels"},
        "protocol": manifest["protocol"],
        "missing": data_quality.facts(results).get("missing", 0.0),
        "trials": manifest["trials"],
        "test_share": manifest.get("test_share", manifest["protocol"]["test_share"]),
        "methods": methods,
        "versions": manifest["versions"],
        "created": manifest["created"],
        "command": bare_command(manifest["command"]),
        "references": list(dict.fromkeys([*COMMON, *cited])),
    }


def bare_command(words: list[str]) -> list[str]:
    """Return the command line without folders, with ``featrank`` as the program."""
    bare = [_bare(str(word)) for word in words]
    return ["featrank", *bare[1:]] if bare[:1] == ["__main__.py"] else bare


def _bare(word: str) -> str:
    """Return a word of a command without folders, which may contain the name of the user."""
    name, equals, value = word.rpartition("=")
    bare = Path(value).name if "/" in value or "\\" in value else value
    return f"{name}{equals}{bare}"


def references(method: str) -> list[str]:
    """Return the references in the docstring of a method."""
    from featrank.base.registry import methods

    cls = methods().get(method)
    doc = "" if cls is None else getdoc(cls) or ""
    part = re.search(r"References\n-+\n(.*?)(?:\n\n|\Z)", doc, re.DOTALL)
    if part is None:
        return []
    entries = re.split(r"\.\. \[\d+\]", part.group(1))
    return [" ".join(entry.split()) for entry in entries if entry.strip()]


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    references = [[str(number), each] for number, each in enumerate(facts["references"], 1)]
    blocks: list[Any] = [
        Paragraph(methods_paragraph(facts)),
        Paragraph(" ".join(facts["command"]), code=True),
        Grid([Column(""), Column("")], _origin(facts), headed=False),
        Grid([Column("", right=True), Column("reference")], references),
        Paragraph("\n\n".join(map(bibtex, facts["references"])), code=True, folded="BibTeX"),
    ]
    return Section("made", "How was it made?", blocks)


def methods_paragraph(facts: dict[str, Any]) -> str:
    """Return a paragraph for the methods section of a paper."""
    data, protocol = facts["data"], facts["protocol"]
    names = join_names([entry["name"] for entry in facts["methods"]])
    tuned = [entry["name"] for entry in facts["methods"] if entry["tuned"]]
    share = f"{100 * facts['test_share']:.0f} %"
    ks = join_names([str(k) for k in protocol["ks"]])
    parts = [
        f"Features of {data['samples']:,} samples ({data['features']:,} features, "
        f"{_target(data)}) were ranked by {names} with featrank "
        f"{facts['versions']['featrank']}.",
        f"In each of {facts['trials']} trials {share} of the samples were held out, features were "
        f"ranked on the others alone, and a {protocol['classifier']} was trained on the first "
        f"{ks} features and scored on the held-out samples "
        f"({protocol['scorer']}).",
        *treatment(protocol, facts.get("missing", 0.0)),
        f"{_setting(protocol)}{_and_parameters(tuned)} by {protocol['folds']}-fold "
        "cross-validation inside the training samples.",
        "A random ranking ran along as a baseline.",
        "Differences were tested by the corrected resampled t-test (Nadeau and Bengio), and the "
        "agreement of the chosen features over the trials is Nogueira's stability.",
        f"Seed {protocol['seed']}.",
    ]
    if protocol.get("leaky"):
        parts.insert(0, "NOT HONEST: features were ranked on all samples, test samples included.")
    return " ".join(parts)


def _target(data: dict[str, Any]) -> str:
    return f"{data['classes']} classes" if "classes" in data else "the target a quantity"


def _setting(protocol: dict[str, Any]) -> str:
    return "The regression's penalty" if "penalties" in protocol else "The classifier's C"


def treatment(
    protocol: dict[str, Any], missing: float, where: str = " in the training samples"
) -> list[str]:
    """Return sentences on how values were prepared, if they were."""
    sentences = []
    most, filled = protocol.get("max_missing"), FILLED.get(str(protocol.get("impute")))
    if isinstance(most, int | float):
        sentences.append(
            f"Features with more than {100 * most:g} % of their values missing{where} were left "
            "out."
        )
    if missing > 0 and filled:
        sentences.append(f"Missing values were replaced by {filled}.")
    if "transform" in protocol:
        steps = [TRANSFORMED.get(step, step) for step in str(protocol["transform"]).split(",")]
        sentences.append(f"Values were transformed to {', and these to '.join(steps)}.")
    return sentences


def _and_parameters(tuned: list[str]) -> str:
    if not tuned:
        return " was chosen"
    return f" and the parameters of {join_names(tuned)} were chosen"


def _origin(facts: dict[str, Any]) -> list[list[str]]:
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return [
        ["data", f"{facts['data']['name']}, SHA-256 {facts['data']['sha256']}"],
        ["seed", str(facts["protocol"]["seed"])],
        ["made", facts["created"]],
        ["versions", versions],
    ]


def bibtex(reference: str) -> str:
    """Return a reference as BibTeX.

    Examples
    --------
    >>> print(bibtex('A. Author and B. Böker, "A title", A Journal 5 (2004).'))
    @misc{author2004title,
      author = {A. Author and B. Böker},
      title = {{A title}},
      howpublished = {A Journal 5},
      year = {2004}
    }
    """
    parts = re.fullmatch(r'(.*?), "(.*?)"(?:, (.*?))? \((\d{4})\)\.?', reference)
    if parts is None:
        return f"@misc{{featrank,\n  note = {{{reference}}}\n}}"
    authors, title, place, year = parts.groups()
    people = re.split(r", | and ", authors)
    lines = [f"author = {{{' and '.join(people)}}}", f"title = {{{{{title}}}}}"]
    lines += [f"howpublished = {{{place}}}"] if place else []
    lines.append(f"year = {{{year}}}")
    body = ",\n".join(f"  {line}" for line in lines)
    return f"@misc{{{_key(people[0], title, year)},\n{body}\n}}"


def _key(person: str, title: str, year: str) -> str:
    words = [word for word in re.findall(r"\w+", title) if len(word) > 3 or word.istitle()]
    first = next((word for word in words if word.lower() not in ("the", "a", "an")), "work")
    plain = unicodedata.normalize("NFKD", f"{person.split()[-1]}{year}{first}")
    return re.sub(r"[^a-z0-9]", "", plain.lower())
