"""Every check over every method: a new method is tested from the day it is written."""

import pytest

from featrank import methods

from .checks import CHECKS

# Methods that by default choose a parameter by cross-validation must keep the whole contract
# when it is given, and those that take quantities for the target too when they do.
GIVEN = {"ec-fs alpha=0.5": {"alpha": 0.5}}
REGRESSION = {"task": "regression"}
QUANTITIES = {
    f"{name} for quantities": REGRESSION
    for name, cls in methods().items()
    if "regression" in cls.tasks
}
CASES = {name: {} for name in methods()} | GIVEN | QUANTITIES


def maker(cls, given=()):
    """Return what builds a ranker of a class, with a fixed seed where there is one."""
    fixed = {"random_state": 0} if cls.stochastic else {}

    def make_ranker(**params):
        return cls(**{**fixed, **dict(given), **params})

    return make_ranker


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("case", CASES)
def test_ranker(case, check):
    check(maker(methods()[case.split()[0]], CASES[case]))


def test_every_method_that_tunes_itself_is_also_tested_with_a_given_parameter():
    tuned = {name for name, cls in methods().items() if cls()._tunes_itself}
    assert tuned == {case.split()[0] for case in GIVEN}
