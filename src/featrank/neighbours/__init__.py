"""Nearest neighbours of samples, exact and by blocks, with values that may be missing."""

from featrank.neighbours.amounts import probe_shape, search_bytes
from featrank.neighbours.columns import Ranges, as_rows, map_columns
from featrank.neighbours.complete_graph import all_pairs, pair_bytes
from featrank.neighbours.gram import pairs_by_products
from featrank.neighbours.graph import (
    NearGraph,
    graph_bytes,
    largest_unit,
    near_pairs,
    nearest_rows,
    powers_of_two,
    probe_of_samples,
)
from featrank.neighbours.missing import Unknowns
from featrank.neighbours.nearest import NearestSamples, by_class, is_wide, joined, links_of
from featrank.neighbours.pairs import Pairs, pair_links
from featrank.neighbours.sketch import byte_sketch, short_sketch

__all__ = [
    "NearGraph",
    "NearestSamples",
    "Pairs",
    "Ranges",
    "Unknowns",
    "all_pairs",
    "as_rows",
    "by_class",
    "byte_sketch",
    "graph_bytes",
    "is_wide",
    "joined",
    "largest_unit",
    "links_of",
    "map_columns",
    "near_pairs",
    "nearest_rows",
    "pair_bytes",
    "pair_links",
    "pairs_by_products",
    "powers_of_two",
    "probe_of_samples",
    "probe_shape",
    "search_bytes",
    "short_sketch",
]
