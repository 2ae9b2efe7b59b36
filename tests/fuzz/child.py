"""The process that reads damaged files, one after another, until one of them ends it.

A line of JSON a file comes in, a line of JSON with the outcome goes out.
"""

import json
import os
import resource
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from .calls import CALLS
from .outcomes import ANSWER, Outcome, forbidden, of_error, of_exit

# Bytes of addresses: what is imported takes about one GB.
MEMORY = 5 * 2**30


def serve() -> None:
    """Answer until there is no more to read."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if "--bare" not in sys.argv:
        _import_all()
    print("ready", file=replies, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        with tempfile.TemporaryFile() as printed:
            found = _outcome(asked, printed)
        print(json.dumps([found.kind, found.told[:4000]]), file=replies, flush=True)


def _outcome(asked: dict[str, Any], printed: Any) -> Outcome:
    """Return the outcome of one call, with regard to what it printed to stderr."""
    os.dup2(printed.fileno(), 2)
    data, options = Path(asked["data"]), dict(asked["options"])
    if "labels" in options:
        options["labels"] = str(data.parent / options["labels"])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = CALLS[asked["call"]](data, options, asked["how"])
    except BaseException as error:
        return _worse(of_error(error), printed)
    return _worse(Outcome(ANSWER) if code is None else of_exit(code, _text(printed)), printed)


def _worse(found: Outcome, printed: Any) -> Outcome:
    return forbidden(_text(printed)) or found if found.fine else found


def _text(printed: Any) -> str:
    sys.stderr.flush()
    printed.seek(0)
    return printed.read().decode(errors="replace")


def _import_all() -> None:
    """Import what takes long, so that the first file has as much time as the others."""
    import anndata  # noqa: F401
    import h5py  # noqa: F401
    import polars  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    import scipy.io  # noqa: F401
    import zarr  # noqa: F401

    import featrank.cli
    import featrank.evaluation  # noqa: F401


if __name__ == "__main__":
    serve()
