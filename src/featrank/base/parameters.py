"""Parameters of methods: annotated attributes of the class, and what each of them takes."""

from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any, TypeVar, dataclass_transform

from featrank._utils.sklearn import Interval, RealNotInt, Share, StrOptions

Class = TypeVar("Class", bound=type[Any])

AT_LEAST_1 = Interval(Integral, 1, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
INSIDE_0_1 = Interval(Real, 0, 1, closed="neither")
SHARE = Share(RealNotInt, 0, 1, closed="right")
BINS = [StrOptions({"auto"}), Interval(Integral, 2, 2**15, closed="both")]
# What a parameter takes, by its name or else by its type, in classes that do not say otherwise.
BY_NAME: dict[str, list[Any]] = {
    "binning": [StrOptions({"width", "quantile"})],
    "bins": BINS,
    "factor": [INSIDE_0_1],
    "n_features_to_select": [None, AT_LEAST_1, SHARE, StrOptions({"auto"})],
    "n_jobs": [None, Integral],
    "normalize": [StrOptions({"l1"}), None],
    "random_state": ["random_state"],
    "target_bins": BINS,
    "task": [StrOptions({"classification", "regression"})],
    "tol": [INSIDE_0_1],
    "weights": [StrOptions({"heat", "binary"})],
}
BY_TYPE: dict[Any, list[Any]] = {
    "bool": ["boolean"],
    "int": [AT_LEAST_1],
    "int | None": [None, AT_LEAST_1],
    "float": [POSITIVE],
    "float | None": [None, POSITIVE],
}


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def with_parameters(cls: Class) -> Class:
    """Give a class an ``__init__`` that takes its annotated attributes by name, and no more.

    ``_parameter_constraints`` of the class are completed by those of its bases and the usual ones,
    for which annotations are strings (``from __future__ import annotations``). The parameter that
    ``tunable`` names needs constraints of its own, to which "cv" is added.
    """
    dataclass(kw_only=True, eq=False, repr=False, match_args=False)(cls)
    given: dict[str, list[Any]] = {}
    for base in reversed(cls.__mro__):
        given |= vars(base).get("_parameter_constraints", {})
    cls._parameter_constraints = {
        each.name: given.get(each.name) or BY_NAME.get(each.name) or BY_TYPE[each.type]
        for each in fields(cls)
    }
    return cls
