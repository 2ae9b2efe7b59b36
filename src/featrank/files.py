"""Files that appear whole or not at all."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_TEMPORARY = re.compile(r"\.[0-9a-f]{8}\.(.+)")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the path of a temporary file that takes the place of ``path`` if all goes well.

    Whatever happens, an old file stays readable until the new one is complete, and nothing
    half-written is left behind. Where ``path`` is a link, what it leads to is replaced.
    """
    path = path.resolve()
    # The suffix stays at the end, since some writers choose compression by it.
    temporary = path.with_name(f".{secrets.token_hex(4)}.{path.name}")
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def meant_for(name: str) -> str | None:
    """Return which file a temporary one was to replace, by its name; None for other files.

    Only a process that was killed leaves such files.

    Examples
    --------
    >>> meant_for(".0a1b2c3d.results.csv"), meant_for(".DS_Store")
    ('results.csv', None)
    """
    found = _TEMPORARY.fullmatch(name)
    return None if found is None else found[1]
