"""The methods of a comparison: their names, rankers, and the parameters to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from featrank.base.ranker import TASKS, Ranker, name_of
from featrank.base.selector_scores import name_of_selector
from featrank.base.selectors import SelectorRanker, as_ranker
from featrank.evaluation.baseline import BASELINE, RandomRanking
from featrank.evaluation.defaults import METHODS
from featrank.evaluation.protocol import Protocol
from featrank.exceptions import UsageError, unknown_name

# Reserved in rankings.npz, by the function that writes it, and in rows.
RESERVED = {"trials", "file", "allow_pickle", BASELINE}


@dataclass(frozen=True)
class Entry:
    """A method in a comparison: its name there, a ranker and the parameters to try."""

    name: str
    ranker: Ranker
    candidates: tuple[dict[str, Any], ...]

    def describe(self) -> dict[str, Any]:
        """Return the entry as JSON can hold it."""
        return {
            "name": self.name,
            "method": name_of(self.ranker),
            "params": {
                name: plain(value)
                for name, value in _own(self.ranker).items()
                if (name, value) != ("task", TASKS[0])
            },
            "candidates": [
                {name: plain(value) for name, value in chosen.items()} for chosen in self.candidates
            ],
        }


def entries(methods: Any, protocol: Protocol) -> list[Entry]:
    """Return the methods of a comparison: a sequence, a mapping by name, or None for the default.

    Each is a name, a ranker, or what a ranker can be made of (:class:`featrank.SelectorRanker`).
    """
    methods = METHODS if methods is None else methods
    pairs = methods.items() if isinstance(methods, Mapping) else [(None, m) for m in methods]
    found = []
    for own, given in pairs:
        ranker = as_ranker(given)
        name = own or _name(ranker)
        ranker = _with_task(ranker, name, protocol)
        grid = protocol.param_grids.get(name, {})
        found.append(Entry(name, ranker, _combinations(grid)))
    _check([entry.name for entry in found], protocol)
    return found


def supports_regression(ranker: Ranker | type[Ranker]) -> bool:
    """Whether a method supports a regression target. Unsupervised methods support any target."""
    return "regression" in ranker.tasks or not ranker.supervised


def _with_task(ranker: Ranker, name: str, protocol: Protocol) -> Ranker:
    """Return the ranker for the protocol's task. Raise an error if it does not support the task."""
    if not protocol.is_regression:
        if ranker._regresses:
            raise UsageError(
                f"{name!r} has the task regression, and the comparison is for classification. Use "
                '`task="regression"` for both.'
            )
        return ranker
    if "regression" in ranker.tasks:
        return clone(ranker).set_params(task="regression")
    if not ranker.supervised:
        return ranker
    raise UsageError(
        f"{name!r} does not support regression. Methods for regression: "
        f"{', '.join(_regression_methods())}."
    )


def _regression_methods() -> list[str]:
    from featrank.base.registry import methods

    return [name for name, cls in methods().items() if supports_regression(cls)]


def _name(ranker: Ranker) -> str:
    own = isinstance(ranker, SelectorRanker)
    return name_of_selector(ranker.selector) if own else name_of(ranker)


def baseline_entry() -> Entry:
    """Return the random ranking, the baseline of every comparison."""
    return Entry(BASELINE, RandomRanking(), ({},))


def _check(names: list[str], protocol: Protocol) -> None:
    if not names:
        raise UsageError("methods is empty. Pass one method or more.")
    if len(set(names)) < len(names):
        raise UsageError(f"Method names must be unique, got {names}.")
    taken = sorted(RESERVED & set(names))
    if taken:
        raise UsageError(
            f"The method name {taken[0]!r} is reserved. Choose another name: "
            "`compare(X, y, {name: ranker})`."
        )
    for name in protocol.param_grids:
        if name not in names:
            raise UsageError(unknown_name("method in param_grids", name, names))


def _combinations(grid: Mapping[str, Sequence[Any]]) -> tuple[dict[str, Any], ...]:
    from sklearn.model_selection import ParameterGrid

    return tuple(ParameterGrid(dict(grid))) if grid else ({},)


def plain(value: Any) -> Any:
    """Return a parameter as JSON can hold it, the same in every run with the same parameter."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool | int | str | None):
        return value
    if isinstance(value, float) and np.isfinite(value):
        return value
    if type(value) in (list, tuple):
        return repr(type(value)(map(plain, value)))
    if _is_estimator(value):
        settings = ", ".join(f"{name}={plain(v)}" for name, v in _own(value).items())
        return f"{type(value).__qualname__}({settings})"
    string = repr(value)
    # The repr of an array is abridged, and that of other objects may contain an address.
    return _identity(value) if hasattr(value, "shape") or " at 0x" in string else string


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _own(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator, without those of nested estimators."""
    return dict(estimator.get_params(deep=False))


def _identity(value: Any) -> str:
    """Return a string that identifies an object, the same in every process."""
    from joblib import hash as digest_of

    name, owner = getattr(value, "__qualname__", None), getattr(value, "__self__", None)
    if name is not None:
        return str(name) if owner is None else f"{name} of {plain(owner)}"
    try:
        return f"{type(value).__qualname__} {digest_of(value)}"
    except Exception:  # pickling may raise anything
        return type(value).__qualname__
