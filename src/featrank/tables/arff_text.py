"""The syntax of ARFF files: quoting, attribute lines, dense and sparse rows."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from featrank.exceptions import DataError

Lines = Iterator[tuple[int, str]]

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.*)", re.IGNORECASE)
_FIELD = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(,|\Z)")
_PAIR = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,]*?)\s*(,|\Z)")
_PLAIN = re.compile(r"[\w.+-]+")
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPED = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\", "'": r"\'"}


@dataclass(frozen=True)
class Attribute:
    """A declared column: its name, its type, and its values if it is nominal."""

    name: str
    kind: str
    values: tuple[str, ...] = ()

    @property
    def is_numeric(self) -> bool:
        """Whether every value is a number, even if the numbers are declared as nominal."""
        return self.kind == "numeric" or (bool(self.values) and all(map(_is_number, self.values)))

    @property
    def default(self) -> str | None:
        """The value of a column that a sparse row leaves out."""
        return self.values[0] if self.values else "0" if self.kind == "numeric" else None


def content_lines(file: Iterable[str]) -> Lines:
    """Yield the number and the content of each line that is neither blank nor a comment."""
    for number, line in enumerate(file, start=1):
        content = line.strip()
        if content and not content.startswith("%"):
            yield number, content


def read_header(lines: Lines) -> list[Attribute]:
    """Read lines up to ``@data`` and return the attributes."""
    attributes: list[Attribute] = []
    for number, line in lines:
        keyword = line.split(None, 1)[0].lower()
        if keyword == "@data":
            return attributes
        if keyword == "@attribute":
            attributes.append(_attribute(number, line))
        elif keyword != "@relation":
            raise DataError(
                f"Line {number} of the ARFF header is {line[:60]!r}. It must begin with "
                "@relation, @attribute or @data."
            )
    raise DataError("The ARFF file has no @data line. It may be truncated.")


def split_fields(content: str) -> list[str]:
    """Split at the commas outside quotes. The fields keep their quotes.

    Examples
    --------
    >>> split_fields("1, 'a,b', ?")
    ['1', "'a,b'", '?']
    """
    if not _has_quotes(content):
        return content.split(",")
    return [match[1] for match in _matches(_FIELD, content) if match]


def split_pairs(number: int, line: str) -> tuple[list[int], list[str]]:
    """Split a sparse row into the columns it names and their values.

    Examples
    --------
    >>> split_pairs(1, "{0 1.5, 3 'a, b'}")
    ([0, 3], ['1.5', "'a, b'"])
    """
    body = line[1:-1].strip()
    if line.startswith("{") and line.endswith("}"):
        tokens = _tokens(body)
        if len(tokens) % 2 == 0 and all(token.isdecimal() for token in tokens[::2]):
            return [int(token) for token in tokens[::2]], tokens[1::2]
    raise DataError(
        f"Line {number} of the ARFF file is {line[:60]!r}. Write a sparse row as '{{column value, "
        "…}}'."
    )


def unquoted(token: str) -> str | None:
    r"""Return the value of a field, or None if it is missing.

    Examples
    --------
    >>> unquoted(r"'it\'s'"), unquoted(" plain "), unquoted("?"), unquoted("'?'")
    ("it's", 'plain', None, '?')
    """
    token = token.strip()
    if token in ("?", ""):
        return None
    if len(token) > 1 and token[0] in "'\"" and token[-1] == token[0]:
        return re.sub(r"\\(.)", lambda match: _UNESCAPED.get(match[1], match[1]), token[1:-1])
    return token


def quoted(content: str) -> str:
    r"""Return a value as a field, in quotes if it needs them.

    Examples
    --------
    >>> print(quoted("plain"), quoted("it's"), quoted("?"))
    plain 'it\'s' '?'
    """
    if _PLAIN.fullmatch(content):
        return content
    return "'" + "".join(_ESCAPED.get(character, character) for character in content) + "'"


def _attribute(number: int, line: str) -> Attribute:
    match = _ATTRIBUTE.match(line)
    kind = match[2].strip() if match else ""
    if match is None or not kind:
        raise DataError(
            f"Line {number} of the ARFF header is {line[:60]!r}. Write '@attribute name type'."
        )
    name = unquoted(match[1]) or match[1]
    if kind.startswith("{"):
        values = split_fields(kind[1 : kind.rfind("}")])
        return Attribute(name, "nominal", tuple(unquoted(value) or "" for value in values))
    word = kind.split()[0].lower()
    if word in ("numeric", "real", "integer"):
        return Attribute(name, "numeric")
    if word in ("string", "date"):
        return Attribute(name, word)
    raise DataError(
        f"The ARFF attribute {name!r} is of type {kind[:40]!r}. Numeric, real, integer, string, "
        "date or a {list of values} was expected."
    )


def _tokens(body: str) -> list[str]:
    if not _has_quotes(body):
        return body.replace(",", " ").split()
    tokens: list[str] = []
    for match in _matches(_PAIR, body):
        # A token that is not part of a pair leaves an odd count, which the caller rejects.
        tokens += [match[1], match[2]] if match else [""]
    return tokens


def _matches(pattern: re.Pattern[str], content: str) -> Iterator[re.Match[str] | None]:
    """Yield consecutive matches up to the end of the content, and None for a failure."""
    position = 0
    while True:
        match = pattern.match(content, position)
        yield match
        if match is None or match[match.re.groups] != ",":
            return
        position = match.end()


def _has_quotes(content: str) -> bool:
    return "'" in content or '"' in content


def _is_number(content: str) -> bool:
    try:
        float(content)
    except ValueError:
        return False
    return True
