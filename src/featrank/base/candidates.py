"""Checks of ``Ranker.rank_candidates`` for methods that share work between candidates."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import MethodError


def shortcut_holds(cls: type) -> bool:
    """Return whether an inherited ``_rank_candidates`` is valid for the class.

    A subclass that overrides ``fit`` or a private method may compute something else. To keep the
    shortcut, it must override ``_rank_candidates`` or ``_each`` as well.
    """
    for base in cls.__mro__:
        own = vars(base)
        if "_rank_candidates" in own or "_each" in own:
            return True
        private = (name for name in own if name.startswith("_") and not name.startswith("__"))
        if "fit" in own or any(callable(own[name]) for name in private):
            return False
    return False


def _is_order(row: NDArray[np.integer]) -> bool:
    """Return whether a row is a permutation of 0, 1, 2, …, in linear time."""
    if row.min() < 0 or row.max() >= len(row):
        return False
    seen = np.zeros(len(row), dtype=bool)
    seen[row] = True
    return bool(seen.all())


def require_orders(orders: NDArray[Any], shape: tuple[int, int], name: str) -> None:
    """Raise an error unless there is one permutation of the features per candidate."""
    if orders.shape == shape and orders.dtype.kind in "iu" and all(map(_is_order, orders)):
        return
    raise MethodError(
        f"_rank_candidates of {name} must return one order per candidate: an array of shape "
        f"{shape} whose rows are permutations of the feature indices, best first. Got shape "
        f"{orders.shape} and type {orders.dtype}. Return rows like order_, not ranking_."
    )
