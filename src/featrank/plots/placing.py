"""The strongest edges of a graph, and a layout of its nodes with legible names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Edges that are drawn; more would be illegible.
EDGES = 60
STEPS = 300
# Names are wider than high, so nodes must be further apart horizontally than vertically.
ACROSS, UP = 0.11, 0.035


def strongest(edges: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, float]]:
    """Return edges as two features and a weight, largest weight first.

    An edge and its reverse count as one edge with the larger weight. Loops are dropped.

    Examples
    --------
    >>> edges = [("b", "a", 1.0), ("a", "b", 2.0), ("c", "a", 3.0), ("c", "c", 4.0)]
    >>> strongest({"feature": a, "other": b, "weight": w} for a, b, w in edges)
    [('a', 'c', 3.0), ('a', 'b', 2.0)]
    """
    weights: dict[tuple[str, str], float] = {}
    for edge in edges:
        first, second = sorted((edge["feature"], edge["other"]))
        if first != second:
            pair = first, second
            weights[pair] = max(edge["weight"], weights.get(pair, -math.inf))
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return [(*pair, weight) for pair, weight in ordered]


def place_names(edges: Sequence[tuple[str, str, float]]) -> dict[str, tuple[float, float]]:
    """Return a position in the unit square for each name, in alphabetical order."""
    names = sorted({name for *pair, _ in edges for name in pair})
    number = {name: place for place, name in enumerate(names)}
    places = placed(len(names), [(number[a], number[b]) for a, b, _ in edges])
    return {name: (x, y) for name, (x, y) in zip(names, places.tolist(), strict=True)}


def placed(count: int, edges: Sequence[tuple[int, int]]) -> Floats:
    """Return a position in the unit square for each node; the result is deterministic.

    The layout of Fruchterman and Reingold [1]_, starting from a circle. Nodes whose names would
    overlap are then moved apart.

    References
    ----------
    .. [1] T. M. J. Fruchterman, E. M. Reingold, "Graph drawing by force-directed placement",
       Software: Practice and Experience 21 (1991).

    Examples
    --------
    >>> placed(3, [(0, 1)]).shape
    (3, 2)
    """
    angles = 2 * np.pi * np.arange(count) / max(count, 1)
    places = np.column_stack([np.cos(angles), np.sin(angles)])
    ends = np.array(edges, dtype=int).reshape(-1, 2)
    distance = np.sqrt(4 / max(count, 1))
    for step in range(STEPS):
        moves = _forces(places, ends, distance)
        lengths = np.maximum(np.linalg.norm(moves, axis=1, keepdims=True), 1e-12)
        places = places + moves / lengths * np.minimum(lengths, 0.2 * (1 - step / STEPS))
    return _apart(_squared(places))


def _forces(places: Floats, ends: NDArray[np.int_], distance: float) -> Floats:
    apart = places[:, None] - places[None, :]
    lengths = np.maximum(np.linalg.norm(apart, axis=2), 1e-9)
    moves: Floats = (apart * (distance / lengths)[..., None] ** 2).sum(axis=1) * 1.0
    pulls = places[ends[:, 0]] - places[ends[:, 1]]
    pulls *= np.linalg.norm(pulls, axis=1, keepdims=True) / distance
    np.subtract.at(moves, ends[:, 0], pulls)
    np.add.at(moves, ends[:, 1], pulls)
    # Without this force, separate components would drift apart.
    return moves - 0.1 * places


def _squared(places: Floats) -> Floats:
    low, high = places.min(axis=0), places.max(axis=0)
    return (places - low) / np.maximum(high - low, 1e-9)


def _apart(places: Floats) -> Floats:
    """Move nodes up and down until no names overlap, as far as there is room."""
    for _ in range(200):
        across = np.abs(places[:, None, 0] - places[None, :, 0])
        up = places[:, None, 1] - places[None, :, 1]
        covered = (across < ACROSS) & (np.abs(up) < UP)
        np.fill_diagonal(covered, False)
        if not covered.any():
            break
        number = np.arange(len(places))
        side = np.where(up == 0, np.sign(number[:, None] - number), np.sign(up))
        push = (covered * side * (UP - np.abs(up))).sum(axis=1)
        places = np.column_stack([places[:, 0], np.clip(places[:, 1] + 0.3 * push, 0, 1)])
    return places
