"""Parameters of methods: annotated attributes of the class, and the values they accept."""

from dataclasses import Field, dataclass, field, fields
from inspect import formatannotation, get_annotations
from numbers import Integral, Real
from typing import Any, ClassVar, dataclass_transform

from featrank._utils.sklearn import Interval, RealNotInt, Share, StrOptions

AT_LEAST_1 = Interval(Integral, 1, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
INSIDE_0_1 = Interval(Real, 0, 1, closed="neither")
SHARE = Share(RealNotInt, 0, 1, closed="right")
BINS = [StrOptions({"auto"}), Interval(Integral, 2, 2**15, closed="both")]
# Default constraints of a parameter by its name, or else by its type.
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
class HasParameters:
    """Base of classes whose annotated attributes are their parameters.

    A subclass with new parameters gets an ``__init__`` that assigns them all by keyword. Its
    ``_parameter_constraints`` are merged with those of its bases and with the defaults.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def __init_subclass__(cls, **further: Any) -> None:
        super().__init_subclass__(**further)
        own = any(not name.startswith("_") for name in get_annotations(cls))
        dataclass(init=own, kw_only=True, eq=False, repr=False, match_args=False)(cls)
        inherited: dict[str, list[Any]] = {}
        for base in reversed(cls.__mro__):
            inherited |= vars(base).get("_parameter_constraints", {})
        defaults = {each.name: _default_constraint(each) for each in fields(cls)}  # type: ignore[arg-type]
        cls._parameter_constraints = defaults | inherited


def _default_constraint(parameter: Field[Any]) -> Any:
    """Return the constraint of a parameter by its name or type. Others accept anything."""
    kind = formatannotation(parameter.type).strip("'").removesuffix(" | str")
    return BY_NAME.get(parameter.name) or BY_TYPE.get(kind) or "no_validation"
