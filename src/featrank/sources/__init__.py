"""Data larger than memory: sources, which are read in chunks and can be read again.

:func:`open_dataset` gives a :class:`Source` of a file, of several files as one table, or of a
stream; :class:`Blocks` makes one of what a program gives block by block. A format is a module of
``featrank.formats``; what reads is imported when it is asked for.
"""

from typing import TYPE_CHECKING

from featrank._utils.lazy import importing

if TYPE_CHECKING:
    from featrank.sources.blocks import Blocks
    from featrank.sources.opening import open_dataset
    from featrank.sources.source import Block, Chunk, Source

_HOMES = {
    "Block": "source",
    "Blocks": "blocks",
    "Chunk": "source",
    "Source": "source",
    "open_dataset": "opening",
}

__all__ = ["Block", "Blocks", "Chunk", "Source", "open_dataset"]

# Type checkers read the imports above, so that a misspelt name is an error to them.
if not TYPE_CHECKING:
    __getattr__ = importing(__name__, _HOMES)
