"""Parameters of methods: annotated attributes of the class, and what each of them takes."""

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
class HasParameters:
    """Base of classes whose annotated attributes are their parameters.

    A subclass that adds some gets an ``__init__`` that takes all by name and only assigns. Its
    ``_parameter_constraints`` are completed by those of its bases, and by the usual ones.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {}

    def __init_subclass__(cls, **further: Any) -> None:
        super().__init_subclass__(**further)
        own = any(not name.startswith("_") for name in get_annotations(cls))
        dataclass(init=own, kw_only=True, eq=False, repr=False, match_args=False)(cls)
        known: dict[str, list[Any]] = {}
        for base in reversed(cls.__mro__):
            known |= vars(base).get("_parameter_constraints", {})
        usual = {each.name: _usual(each) for each in fields(cls)}  # type: ignore[arg-type]
        cls._parameter_constraints = usual | known


def _usual(parameter: Field[Any]) -> Any:
    """Return what a parameter accepts, by its name or its type: anything if neither is known."""
    kind = formatannotation(parameter.type).strip("'").removesuffix(" | str")
    return BY_NAME.get(parameter.name) or BY_TYPE.get(kind) or "no_validation"
