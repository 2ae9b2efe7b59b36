"""Who holds a folder, in a file that others read."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import asdict, dataclass
from datetime import UTC, datetime


@dataclass(frozen=True)
class Signature:
    """A process, and since when it holds what it signed."""

    process: int
    host: str
    since: str

    @classmethod
    def own(cls) -> Signature:
        """Return that of this process, now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(os.getpid(), socket.gethostname(), now)

    @classmethod
    def of(cls, content: bytes) -> Signature | None:
        """Return the one that a file holds; None of a file that is not signed, or not yet."""
        try:
            found = json.loads(content)
            return cls(int(found["process"]), str(found["host"]), str(found["since"]))
        except (ValueError, KeyError, TypeError, OverflowError):
            return None

    def as_bytes(self) -> bytes:
        """Return what is written to a file."""
        return json.dumps(asdict(self)).encode()

    def has_ended(self) -> bool:
        """Tell whether the process is known to be no more; of other machines nothing is known."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.process, 0)
        except (ProcessLookupError, OverflowError):
            return True
        except OSError:  # somebody else's
            return False
        return False

    def __str__(self) -> str:
        return f"process {self.process} on {self.host} since {self.since}"
