"""Errors and warnings: each says what is wrong, what was expected, and how to fix it."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, Literal, get_args

SHOWN = 8

#: How much a warning matters: "serious" if the result may be meaningless.
Severity = Literal["serious", "caution", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)


class FeatrankError(Exception):
    """Base class of every error that featrank raises deliberately."""


class DataError(FeatrankError, ValueError):
    """The data cannot be used as it is (missing values, one class, a broken file, ...)."""


class UsageError(FeatrankError, ValueError):
    """The call asks for something that does not exist (a column, a method, a parameter, ...)."""


class TargetError(UsageError):
    """The target is not named, or the data does not have it."""


class MethodError(FeatrankError, ValueError):
    """A ranking method returned invalid scores. The message names its class."""


class MissingExtraError(FeatrankError, ImportError):
    """An optional package is missing. The message names the extra that installs it."""


class FeatrankWarning(UserWarning):
    """Base class of all warnings: a possible problem that does not stop the work.

    Results keep the warnings of their run, such as ``Ranking.warnings``.

    Attributes
    ----------
    severity : {"serious", "caution", "info"}
        "serious" if the result may be meaningless, "caution" if it may be unreliable, and "info"
        if something was done that users should know of.
    limitation : str
        What a methods section has to say about it, or an empty string.

    Examples
    --------
    >>> warning = FeatrankWarning("The batches predict the class.", "serious")
    >>> str(warning), warning.severity
    ('The batches predict the class.', 'serious')
    """

    def __init__(self, message: str = "", severity: Severity = "caution", limitation: str = ""):
        super().__init__(message)
        self.severity = severity
        self.limitation = limitation

    def describe(self) -> dict[str, str]:
        """Return the warning as plain values, for JSON."""
        known = {"severity": self.severity, "message": str(self)}
        return known | ({"limitation": self.limitation} if self.limitation else {})

    @classmethod
    def of(cls, described: Mapping[str, Any]) -> "FeatrankWarning":
        """Return the warning that ``describe`` described."""
        limitation = described.get("limitation", "")
        return cls(described["message"], described["severity"], limitation)


def unknown_name(kind: str, name: object, known: Iterable[object]) -> str:
    """Return a sentence about an unknown name that suggests the closest known ones.

    Examples
    --------
    >>> unknown_name("method", "ecfs", ["ec-fs", "fisher"])
    "Unknown method 'ecfs'. Did you mean 'ec-fs'?"
    """
    names = [str(candidate) for candidate in known]
    by_lower = {candidate.lower(): candidate for candidate in names}
    near = get_close_matches(str(name).lower(), by_lower, n=3, cutoff=0.6)
    if near:
        choices = listed([repr(by_lower[match]) for match in near], "or")
        return f"Unknown {kind} {str(name)!r}. Did you mean {choices}?"
    shown = [repr(candidate) for candidate in names[:SHOWN]]
    if len(names) > SHOWN:
        shown.append(f"{len(names) - SHOWN} more")
    return f"Unknown {kind} {str(name)!r}. Known: {listed(shown, 'and') or 'none'}."


def missing_extra(package: str, extra: str, purpose: str) -> MissingExtraError:
    """Return the error for an optional package that is not installed."""
    return MissingExtraError(
        f"{purpose} needs the package '{package}'. Install it with: pip install 'featrank[{extra}]'"
    )


def listed(parts: list[str], word: str) -> str:
    """Join items as in a sentence: "a, b or c" if the word is "or"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the singular or plural.

    Examples
    --------
    >>> counted(1, "feature"), counted(2000, "feature"), counted(2, "class")
    ('1 feature', '2,000 features', '2 classes')
    """
    several = plural or (f"{noun}es" if noun.endswith("s") else f"{noun}s")
    return f"{number:,} {noun if number == 1 else several}"
