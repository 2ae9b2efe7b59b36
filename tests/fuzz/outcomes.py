"""The classes of outcomes: an answer, a clean refusal, and anything else."""

import re
import traceback
from dataclasses import dataclass

ANSWER, REFUSAL = "answer", "refusal"

# What no user should see, whatever else went well.
FORBIDDEN = {
    "traceback": re.compile(r"Traceback \(most recent call last\)"),
    "panic": re.compile(r"panicked at|stack backtrace|RUST_BACKTRACE"),
    "advice on pickles": re.compile(r"allow_pickle|Object arrays cannot be loaded"),
    "unexpected": re.compile(r"Unexpected \w*(Error|Exception)\b"),
    "memory": re.compile(r"does not fit into memory|Unable to allocate|MemoryError|bad_alloc"),
}


@dataclass(frozen=True)
class Outcome:
    """What became of a file."""

    kind: str
    told: str = ""

    @property
    def fine(self) -> bool:
        """Whether it is an answer or a clean refusal."""
        return self.kind in (ANSWER, REFUSAL)


def of_error(error: BaseException) -> Outcome:
    """Return the outcome of a call that raised."""
    from featrank.exceptions import FeatrankError

    told = "".join(traceback.format_exception(error, limit=-4, chain=False))
    if isinstance(error, MemoryError):
        return Outcome("memory", told)
    if not isinstance(error, FeatrankError):
        return Outcome("raised", told)
    return of_sentence(str(error))


def of_exit(code: int, printed: str) -> Outcome:
    """Return the outcome of a command, from its exit code and what it printed to stderr."""
    if code == 0:
        return Outcome(ANSWER)
    if code not in (1, 2):
        return Outcome("exit code", f"{code}: {printed}")
    return of_sentence(printed.strip())


def of_sentence(text: str) -> Outcome:
    """Return the outcome of a refusal: it has to be a sentence."""
    found = forbidden(text)
    if found is not None:
        return found
    if not re.search(r"\w+ \w+.*[.?!)'\"]$", text, re.DOTALL):
        return Outcome("no sentence", text)
    return Outcome(REFUSAL, text)


def forbidden(text: str) -> Outcome | None:
    """Return the outcome that a text betrays, if there is something in it that may not be."""
    for kind, pattern in FORBIDDEN.items():
        if pattern.search(text):
            return Outcome(kind, text)
    return None
