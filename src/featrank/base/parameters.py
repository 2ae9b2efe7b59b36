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
BINS = [StrOptions({"auto"}), Interval(Integral, 2, 2**15, closed="both")]
# What a parameter of this name takes, in classes that do not say otherwise.
USUAL: dict[str, list[Any]] = {
    "beta": [POSITIVE],
    "binning": [StrOptions({"width", "quantile"})],
    "bins": BINS,
    "factor": [INSIDE_0_1],
    "gamma": [POSITIVE],
    "max_iter": [AT_LEAST_1],
    "n_clusters": [AT_LEAST_1],
    "n_components": [None, AT_LEAST_1],
    "n_features_to_select": [
        None,
        AT_LEAST_1,
        Share(RealNotInt, 0, 1, closed="right"),
        StrOptions({"auto"}),
    ],
    "n_jobs": [None, Integral],
    "n_neighbors": [AT_LEAST_1],
    "normalize": [StrOptions({"l1"}), None],
    "random_state": ["random_state"],
    "t": [None, POSITIVE],
    "target_bins": BINS,
    "task": [StrOptions({"classification", "regression"})],
    "tol": [INSIDE_0_1],
    "weights": [StrOptions({"heat", "binary"})],
}


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def with_parameters(cls: Class) -> Class:
    """Give a class an ``__init__`` that takes its annotated attributes by name, and no more.

    ``_parameter_constraints`` of the class are completed by those of its bases and the usual ones.
    The parameter that ``tunable`` names needs constraints of its own, to which "cv" is added.
    """
    dataclass(kw_only=True, eq=False, repr=False, match_args=False)(cls)
    given: dict[str, list[Any]] = {}
    for base in reversed(cls.__mro__):
        given |= vars(base).get("_parameter_constraints", {})
    cls._parameter_constraints = {
        each.name: given.get(each.name)
        or (["boolean"] if each.type in (bool, "bool") else USUAL[each.name])
        for each in fields(cls)
    }
    return cls
