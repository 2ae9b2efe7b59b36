"""Data larger than memory: sources, which are read part by part and can be read again.

:func:`open_source` gives a :class:`Source` of a file, of several files as one table, or of a
stream. A format is a module of ``formats/``.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..exceptions import UsageError
from . import formats
from .options import SourceOptions
from .source import Block, Part, Source

__all__ = ["Block", "Part", "Source", "open_source"]


def open_source(
    data: Any,
    *,
    target: str | int | None = None,
    labels: str | os.PathLike[str] | None = None,
    drop: str | Sequence[str] = (),
) -> Source:
    """Open data that may be larger than memory."""
    if target is not None and labels is not None:
        raise UsageError("Labels are given both by target and by labels. Choose one.")
    options = SourceOptions(
        None if target is None else str(target),
        None if labels is None else Path(labels),
        (drop,) if isinstance(drop, str) else tuple(drop),
    )
    return _of_file(Path(data), options)


def _of_file(path: Path, options: SourceOptions) -> Source:
    module = formats.module_of(path)
    if module is None:
        raise UsageError(
            f"Cannot read {str(path)!r} part by part: its suffix names no known format. Known "
            f"suffixes: {', '.join(formats.suffixes())}."
        )
    if not path.exists():
        raise UsageError(f"There is no file {str(path)!r}. Check the path.")
    source: Source = module.source(path, options)
    return source
