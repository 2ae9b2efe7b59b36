"""The lines of svmlight files: find a wrong one, and check that the last one is complete."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from featrank._utils.warn import warn_user
from featrank.tables.opening import lines_of
from featrank.values.numbers import holds

_SHOWN = 40
# Numbers with this many digits may be integers that a double cannot hold.
_LONG = re.compile(rb":[+-]?\d{16}")
_INTEGER = re.compile(rb":([+-]?\d+)(?=\s|$)")


class SvmlightLines:
    """The lines of a file for scikit-learn's parser, which does not say where it stopped."""

    def __init__(self, file: IO[bytes]):
        self._file = file
        self.number, self.last = 0, b""

    def __iter__(self) -> Iterator[bytes]:
        for line in lines_of(self._file):
            self.number, self.last = self.number + 1, line
            # Like Python, the parser reads 1_000 as a thousand.
            if b"_" in line and b"_" in _content(line):
                raise ValueError("an underscore is not part of a number")
            if _LONG.search(line):
                self._require_exact(line)
            yield line

    def _require_exact(self, line: bytes) -> None:
        for digits in _INTEGER.findall(_content(line)):
            if not holds(int(digits)):
                raise ValueError(
                    f"line {self.number} has the integer {_text(digits)}, which float64 cannot "
                    "hold exactly"
                )

    def read(self) -> bytes:
        """Return all lines. The parser does not ask for them: it takes for a file what has this."""
        return b"".join(self)

    def fault(self) -> str:
        """Return what is wrong with the line at which the parser stopped; nothing if unknown."""
        label, *entries = _content(self.last).split() or [b""]
        if not _is_number(label):
            return self._message(label, "a number, the label,")
        columns = [-1]
        for entry in entries:
            column, colon, value = entry.partition(b":")
            if column == b"qid":
                continue
            if not (colon and re.fullmatch(rb"\+?\d+", column) and _is_number(value)):
                return self._message(entry, "an entry 'column:value'")
            columns.append(int(column))
        if columns != sorted(set(columns)):
            return f"line {self.number} does not name its columns in ascending order, each once"
        return ""

    def check_end(self, path: Path) -> None:
        """Reject a last entry cut within a number; warn about a last line without an end."""
        content = _content(self.last)
        if self.last.endswith(b"\n") or content != self.last or not content.strip():
            return
        entry = content.split()[-1]
        if entry.endswith(b"."):
            raise ValueError(self._message(entry, "a whole number before the end of the file"))
        warn_user(
            f"{str(path)!r} does not end with a newline: its last line, {self.number}, may be cut "
            f"short; it ends in {_text(entry)!r}. If the file is whole, add a newline."
        )

    def _message(self, found: bytes, expected: str) -> str:
        return f"line {self.number} has {_text(found)!r} where {expected} was expected"


def _content(line: bytes) -> bytes:
    """Return a line without its comment."""
    return line.partition(b"#")[0]


def _is_number(content: bytes) -> bool:
    try:
        float(content)
    except ValueError:
        return False
    return b"_" not in content


def _text(part: bytes) -> str:
    return part[:_SHOWN].decode("utf-8", "replace")
