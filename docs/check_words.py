"""Find unidiomatic phrases in docstrings, comments, messages and pages, and suggest better ones.

Usage: check_words.py [FILE ...]. Without files it checks the package, the pages and the README.
"""

import io
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
CHECKED = (
    "src/**/*.py",
    "docs/*.md",
    "docs/methods/*.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
)

PERSON = "you|me|us|people|readers?|users?|featrank"
COUNTED = "row|feature|class|sample|column|value|part|trial|method|fold|group|block|file|line"
NOT_A_NOUN = "if|of|for|as|to|is|by|in|from|than|such"

# What to avoid, as a regular expression that spares correct uses, and what to write instead.
PHRASES = {
    rf"\btold\b(?! (?:{PERSON})\b)|\btells\b(?! (?:{PERSON})\b)": "reported, shown, printed",
    r"^\W*tell\b(?! you)|\btell (?:nothing|nobody|no|in what|how|whether|of|alike|\d)\b": (
        "report, show, return whether"
    ),
    r"\bquantit(?:y|ies)\b": "regression target",
    r"(?<!no )\bdoubt(?:s|ed|ful)?\b": "warning, unreliable",
    r"\bin the place of\b": "instead of",
    r"\bbeside\b": "next to, in addition to",
    r"\banew\b": "again",
    r"\brefus(?:e|es|ed|ing|als?)\b": "raises an error, rejects, does not support",
    r"\bways? out\b": "fix, suggestion",
    r"\bjudg(?:e|es|ed|ing)\b": "evaluate, evaluation model",
    r"(?<!duality )\bgaps?\b(?! between| statistic)": "missing values",
    r"\balike\b|\blikeness(?:es)?\b": "similar, tied, correlation",
    r"\bturned\b(?! (?:on|off|out|into|up|down)\b)": "transposed",
    r"\bso (?:many|much)\b(?! (?:\w+ ){0,3}that\b)": "the number",
    r"(?-i:\bOf (?:which|these|them)\b)|, of (?:which|these|them)\b": "subject and verb first",
    rf"\b(?:one|an?) (?!(?:{NOT_A_NOUN})\b)\w+ an? (?:{COUNTED})\b": "per",
    r"(?<=\S )(?<!there )\b(?:is|are) no (?!\w+er\b|more\b|less\b|problem\b)": "is not a",
    r"\b(?:goes|go|gone|went) on\b": "continues, resumes",
    r"\b(?:goes|go) by\b": "uses, is named",
    r"\bstands? in\b(?! for\b)|(?<!` )(?<!dash )\bstands? for\b": "is in, represents",
    r"\bspeaks? (?:for|against)\b": "supports, suggests",
    r"\bhead of the list\b": "top of the ranking",
    r"\bmade (?:data|sets?)\b": "simulated data",
    r"\bhonest(?:ly)?\b": "leak-free, unbiased",
    r"(?<!help )(?<!alt )\btexts\b": "strings, messages",
    r"\b(?:published|measured|same|other|paper's|exact|these|its|their) figures\b": (
        "numbers, values"
    ),
    r"\bthe paper's test\b": "the two-sample t-test of Roffo & Melzi",
    r"\b(?:linear|hinge|best|some|trained) machines?\b": "SVM, classifier",
    r"\bwhoever\b|\bwho takes\b|(?<!people )(?<!those )(?<!users )\bwho can\b": "methods that",
    r"\bone feature after the other\b": "greedy",
    r"(?<!shuffled )\bcopies (?:of (?:a feature|features|samples|others|training)|among|last)\b"
    r"|\bare copies\b|\bdrop the copies\b": "duplicates",
}


class Allowed(NamedTuple):
    """A correct use: the end of a path, a pattern of the line, and the reason."""

    path: str
    line: str
    reason: str


ALLOWED: tuple[Allowed, ...] = ()


class Hit(NamedTuple):
    """A phrase on a line of a file, and what to write instead."""

    path: Path
    line: int
    phrase: str
    better: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path}:{self.line}: {self.phrase} → {self.better}"


def find_hits(path: Path) -> Iterator[Hit]:
    """Yield the phrases of a file."""
    source = path.read_text(encoding="utf-8")
    lines = _prose_of_python(source) if path.suffix == ".py" else enumerate(source.splitlines(), 1)
    for number, line in lines:
        if any(str(path).endswith(use.path) and re.search(use.line, line) for use in ALLOWED):
            continue
        for pattern, better in PHRASES.items():
            for match in re.finditer(pattern, line, re.IGNORECASE):
                yield Hit(path, number, match[0].strip(), better)


def _prose_of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of comments and of strings with several words, without code in f-strings."""
    strings = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type in strings and " " in token.string):
            prose = re.sub(r"\{[^{}\n]*\}", "{}", token.string)
            yield from enumerate(prose.splitlines(), token.start[0])


def list_files(names: Iterable[str]) -> list[Path]:
    """Return the named files, or all that are checked by default."""
    named = [Path(name).resolve() for name in names]
    return named or sorted(path for pattern in CHECKED for path in ROOT.glob(pattern))


def main(names: list[str]) -> int:
    """Print the phrases, and return 1 if there are any."""
    hits = [hit for path in list_files(names) for hit in find_hits(path)]
    for hit in hits:
        sys.stdout.write(f"{hit}\n")
    return 1 if hits else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
