"""How was it made? A paragraph for a paper, the command, versions and references."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from featrank.report.citations import bibtex
from featrank.report.comparison_methods import comparison_facts, comparison_paragraph
from featrank.report.document import Column, Grid, Paragraph, Section

if TYPE_CHECKING:
    from featrank.evaluation import Comparison


def facts(results: Comparison) -> dict[str, Any]:
    """Return how the run was made. Paths are reduced to file names."""
    manifest, known = results.manifest, comparison_facts(results)
    return {
        **known,
        "created": manifest["created"],
        "command": bare_command(manifest["command"]),
        "references": comparison_paragraph(known)[1].entries,
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


def section(facts: dict[str, Any]) -> Section:
    """Return the section of the report."""
    references = [[str(number), each] for number, each in enumerate(facts["references"], 1)]
    blocks: list[Any] = [
        Paragraph(comparison_paragraph(facts)[0]),
        Paragraph(" ".join(facts["command"]), code=True),
        Grid([Column(""), Column("")], _origin(facts), headed=False),
        Grid([Column("", right=True), Column("reference")], references),
        Paragraph("\n\n".join(map(bibtex, facts["references"])), code=True, folded="BibTeX"),
    ]
    return Section("made", "How was it made?", blocks)


def _origin(facts: dict[str, Any]) -> list[list[str]]:
    versions = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return [
        ["data", f"{facts['data']['name']}, SHA-256 {facts['data']['sha256']}"],
        ["seed", str(facts["protocol"]["random_state"])],
        ["made", facts["created"]],
        ["versions", versions],
    ]
