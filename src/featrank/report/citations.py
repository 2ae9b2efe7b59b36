"""References of methods, numbered in a paragraph or as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from inspect import getdoc

NADEAU_BENGIO = (
    'C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52 (2003).'
)
BESAG_CLIFFORD = (
    'J. Besag and P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991).'
)
NOGUEIRA = (
    'S. Nogueira, K. Sechidis and G. Brown, "On the stability of feature selection algorithms", '
    "Journal of Machine Learning Research 18 (2018)."
)
BENJAMINI_HOCHBERG = (
    'Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful '
    'approach to multiple testing", Journal of the Royal Statistical Society B 57 (1995).'
)
#: References of the tests of single features.
FEATURE_TESTS = {
    "welch": "B. L. Welch, \"The generalization of 'Student's' problem when several different "
    'population variances are involved", Biometrika 34 (1947).',
    "moderated-t": 'G. K. Smyth, "Linear models and empirical Bayes methods for assessing '
    'differential expression in microarray experiments", Statistical Applications in Genetics and '
    "Molecular Biology 3 (2004).",
    "wilcoxon": 'H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables '
    'is stochastically larger than the other", Annals of Mathematical Statistics 18 (1947).',
}


class References:
    """Numbered references of a paragraph, in the order in which they are cited.

    Examples
    --------
    >>> references = References()
    >>> references.cite("A."), references.cite("B.", "A."), references.cite()
    (' [1]', ' [1, 2]', '')
    """

    def __init__(self) -> None:
        self.entries: list[str] = []

    def cite(self, *references: str) -> str:
        """Return the numbers of references, to follow a word. Empty without any."""
        self.entries += [each for each in references if each not in self.entries]
        numbers = sorted(self.entries.index(each) + 1 for each in references)
        return f" [{', '.join(map(str, numbers))}]" if numbers else ""

    def join(self, paragraph: str) -> str:
        """Return a paragraph with its references below, one per line."""
        if not self.entries:
            return paragraph
        listed = [f"[{number}] {entry}" for number, entry in enumerate(self.entries, 1)]
        return "\n".join([paragraph, "", "References", *listed])


def references_of(method: str) -> list[str]:
    """Return the references in the docstring of a method."""
    from featrank.base.registry import methods

    cls = methods().get(method)
    doc = "" if cls is None else getdoc(cls) or ""
    part = re.search(r"References\n-+\n(.*?)(?:\n\n|\Z)", doc, re.DOTALL)
    if part is None:
        return []
    entries = re.split(r"\.\. \[\d+\]", part.group(1))
    return [" ".join(entry.split()) for entry in entries if entry.strip()]


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
