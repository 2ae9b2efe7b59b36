"""Nearest neighbours of samples, exact and by blocks, with values that may be missing."""

from .columns import Ranges, as_rows, map_columns
from .missing import Unknowns
from .search import Search, by_class, links_of, to_bytes

__all__ = [
    "Ranges",
    "Search",
    "Unknowns",
    "as_rows",
    "by_class",
    "links_of",
    "map_columns",
    "to_bytes",
]
