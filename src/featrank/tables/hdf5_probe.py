"""Check HDF5 files in a separate process, which a damaged file may crash.

The HDF5 library loops forever on some damaged files, without reacting to signals, and crashes on
others. The check runs in a child process, so that this process survives.
"""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from featrank.exceptions import DataError

# Limits: seconds of CPU time, seconds by the clock (for busy computers and slow disks), and the
# number of strings that are read, which takes less than a second.
_WORK, _WAIT, _STRINGS = 4, 300, 200_000
_NONE = subprocess.DEVNULL

_LOOK = f"""
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, ({_WORK}, {_WORK}))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError):
    pass
import h5py

left = {_STRINGS}

def look(name, item):
    global left
    dict(item.attrs)
    if isinstance(item, h5py.Dataset) and item.dtype.kind == "O" and item.size <= left:
        left -= item.size
        item[()]

with h5py.File(sys.argv[1], "r") as file:
    look("", file)
    file.visititems(look)
"""


def require_sound(path: Path) -> None:
    """Reject an HDF5 file if a process that reads all its metadata crashes.

    Errors that the process reports in words are left to the reader of the file.
    """
    about = path.stat()
    if not _is_sound(str(path.absolute()), about.st_mtime_ns, about.st_size):
        raise DataError(
            f"{str(path)!r} is damaged: the HDF5 library crashes or hangs on it. Download or write "
            "it again."
        )


@lru_cache(maxsize=64)
def _is_sound(path: str, _changed: int, _size: int) -> bool:
    if not sys.executable:  # of a program that has Python inside
        return True
    command = [sys.executable, "-P", "-c", _LOOK, path]
    try:
        done = subprocess.run(command, stdin=_NONE, stdout=_NONE, stderr=_NONE, timeout=_WAIT)
    except subprocess.TimeoutExpired:
        return False
    except OSError:
        return True
    return done.returncode >= 0
