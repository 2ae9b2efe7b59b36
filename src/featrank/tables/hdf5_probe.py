"""A first look at HDF5 files in a process of its own, which a damaged one may bring down.

The HDF5 library goes round in circles at some damaged files, where no signal is heard, and crashes
at others. What happens to the process that looks first does not happen to this one.
"""

from __future__ import annotations

import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from featrank.exceptions import DataError

# Seconds: of the processor, and by the clock, for a machine that is busy or a disk that is slow;
# and texts that are looked at, which take less than a second of them.
_WORK, _WAIT, _TEXTS = 4, 300, 200_000
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

left = {_TEXTS}

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
    """Refuse an HDF5 file that brings the process down that looks at all it says of itself.

    What that process finds wrong in words is left to who reads the file.
    """
    about = path.stat()
    if not _is_sound(str(path.absolute()), about.st_mtime_ns, about.st_size):
        raise DataError(
            f"{str(path)!r} is damaged: the HDF5 library crashes at it, or comes to no end. Get it "
            "again, or write it anew."
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
