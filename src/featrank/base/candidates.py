"""What ``Ranker.rank_candidates`` asks of a method that shares work between candidates."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import MethodError


def shortcut_holds(cls: type) -> bool:
    """Tell whether no subclass computes something else than the ``_rank_candidates`` it inherits.

    Who overrides ``fit`` or a private method may; to keep the shortcut, override that as well.
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
    """Tell whether a row holds each of 0, 1, 2, … once; in linear time."""
    if row.min() < 0 or row.max() >= len(row):
        return False
    seen = np.zeros(len(row), dtype=bool)
    seen[row] = True
    return bool(seen.all())


def require_orders(orders: NDArray[Any], shape: tuple[int, int], name: str) -> None:
    """Refuse what is not one permutation of the features a candidate."""
    if orders.shape == shape and orders.dtype.kind in "iu" and all(map(_is_order, orders)):
        return
    raise MethodError(
        f"_rank_candidates of {name} must return one order a candidate, the feature indices from "
        f"0 on, best first: an array of shape {shape} whose rows are permutations. Got shape "
        f"{orders.shape} and type {orders.dtype}. Return rows as order_ has them, not ranking_."
    )
