"""Nearest neighbours of samples, exact and by blocks, with values that may be missing."""

from .amounts import probe_shape, search_bytes
from .columns import Ranges, as_rows, map_columns
from .gram import pairs_by_products
from .missing import Unknowns
from .nearest import NearestSamples, by_class, is_wide, joined, links_of
from .pairs import Pairs, pair_links
from .sketch import byte_sketch, short_sketch

__all__ = [
    "NearestSamples",
    "Pairs",
    "Ranges",
    "Unknowns",
    "as_rows",
    "by_class",
    "byte_sketch",
    "is_wide",
    "joined",
    "links_of",
    "map_columns",
    "pair_links",
    "pairs_by_products",
    "probe_shape",
    "search_bytes",
    "short_sketch",
]
