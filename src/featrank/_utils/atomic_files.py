"""Files that appear whole or not at all."""

import errno
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_TEMPORARY = re.compile(r"\.[0-9a-f]{8}\.(.+)")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file that replaces ``path`` if the block succeeds.

    The old file stays readable until the new one is complete, and no half-written file is left
    behind. The new file has the owner and the permissions of the old one. If ``path`` is a link,
    its target is replaced. A named pipe or a device is not replaced: it receives the content of
    the temporary file at the end.
    """
    old = _status(path)
    if old is None or stat.S_ISREG(old.st_mode):
        with _moved(path, old) as temporary:
            yield temporary
    elif stat.S_ISDIR(old.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    else:
        with _sent(path) as temporary:
            yield temporary


def _status(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


@contextmanager
def _moved(path: Path, old: os.stat_result | None) -> Iterator[Path]:
    target = path.resolve()
    # The suffix stays at the end because some writers choose the compression by it.
    temporary = target.with_name(f".{secrets.token_hex(4)}.{path.name}")
    try:
        if old is not None:
            # A private file must not be readable by others while it is written.
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield temporary
        if old is not None:
            _take_over(temporary, old)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _take_over(temporary: Path, old: os.stat_result) -> None:
    """Give a file the owner and the permissions of another."""
    if hasattr(os, "chown"):
        with suppress(OSError):  # Only root may change the owner.
            os.chown(temporary, old.st_uid, old.st_gid)
    os.chmod(temporary, stat.S_IMODE(old.st_mode))


@contextmanager
def _sent(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file, and copy its bytes to a pipe or a device at the end."""
    with tempfile.TemporaryDirectory(prefix="featrank-") as folder:
        temporary = Path(folder) / path.name
        yield temporary
        with open(temporary, "rb") as made, open(path, "wb") as stream:
            shutil.copyfileobj(made, stream)


def meant_for(name: str) -> str | None:
    """Return the name of the file that a temporary file was to replace. None for other files.

    Only a killed process leaves temporary files behind.

    Examples
    --------
    >>> meant_for(".0a1b2c3d.results.csv"), meant_for(".DS_Store")
    ('results.csv', None)
    """
    found = _TEMPORARY.fullmatch(name)
    return None if found is None else found[1]
