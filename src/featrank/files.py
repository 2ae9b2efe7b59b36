"""Files that appear whole or not at all."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
