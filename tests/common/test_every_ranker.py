"""Every check over every method: a new method is tested from the day it is written."""

import pytest

from featrank import methods

from .checks import CHECKS


def maker(cls):
    """Return what builds a ranker of a class, with a fixed seed where there is one."""
    fixed = {"random_state": 0} if cls.stochastic else {}

    def make_ranker(**params):
        return cls(**{**fixed, **params})

    return make_ranker


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
@pytest.mark.parametrize("name", methods())
def test_ranker(name, check):
    check(maker(methods()[name]))
