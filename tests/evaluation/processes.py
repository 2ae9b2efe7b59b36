"""What is left of a run's processes, as Linux tells it."""

import time
from pathlib import Path


def members(group):
    """Return the processes of a group that still run; those that wait to be counted do not."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, own, *_ = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(own) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


def all_ended(group, seconds=60):
    """Wait for the processes of a group to end; tell whether they did."""
    deadline = time.monotonic() + seconds
    while members(group):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
