"""The suite itself: sound rankers pass every check, broken ones fail the check meant for them."""

import pytest

from featrank.exceptions import MethodError

from .checks import CHECKS
from .sound import SOUND
from .test_every_ranker import maker
from .zoo import ZOO


def called(thing):
    return thing.__name__


@pytest.mark.parametrize("check", CHECKS, ids=called)
@pytest.mark.parametrize("cls", SOUND, ids=called)
def test_sound_rankers_pass(cls, check):
    check(maker(cls))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("cls", "check"), ZOO, ids=called)
def test_broken_rankers_are_caught(cls, check):
    # Scores that cannot be ranked are refused before a check sees them.
    with pytest.raises((AssertionError, MethodError)):
        check(maker(cls))


def test_every_check_catches_something():
    assert {check for _, check in ZOO} == set(CHECKS)
