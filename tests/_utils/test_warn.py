"""Warnings that results keep."""

import pickle
import warnings

import pytest

from featrank._utils.warn import (
    collect_none,
    collect_warnings,
    distinct_warnings,
    record_warning,
    warn_user,
)
from featrank.exceptions import SEVERITIES, FeatrankWarning


def test_a_warning_points_to_the_caller_and_is_kept():
    with pytest.warns(FeatrankWarning, match="Look") as caught, collect_warnings() as issued:
        warn_user("Look.", "serious")
    assert caught[0].filename == __file__
    assert [(str(one), one.severity) for one in issued] == [("Look.", "serious")]


def test_a_collection_inside_another_one_is_the_same():
    with collect_warnings() as outer:
        record_warning(FeatrankWarning("first"))
        with collect_warnings() as inner:
            record_warning(FeatrankWarning("second"))
        record_warning(FeatrankWarning("third"))
    record_warning(FeatrankWarning("afterwards"))
    assert inner is outer
    assert [str(one) for one in outer] == ["first", "second", "third"]


def test_warnings_of_a_task_are_kept_out():
    with collect_warnings() as issued, collect_none():
        record_warning(FeatrankWarning("of a trial"))
    assert issued == []


def test_a_collection_ends_with_an_error():
    with pytest.raises(ValueError, match="no"), collect_warnings() as issued:
        raise ValueError("no")
    record_warning(FeatrankWarning("afterwards"))
    assert issued == []


def test_an_ignored_warning_is_kept():
    with warnings.catch_warnings(), collect_warnings() as issued:
        warnings.simplefilter("ignore")
        warn_user("Look.")
    assert len(issued) == 1


def test_the_most_severe_come_first_in_the_order_of_issue():
    issued = [FeatrankWarning(f"{n} {each}", each) for n in range(2) for each in SEVERITIES[::-1]]
    first = ["0 serious", "1 serious", "0 caution", "1 caution", "0 info", "1 info"]
    assert [str(one) for one in distinct_warnings(issued * 2)] == first


@pytest.mark.parametrize("limitation", ["", "There were two samples."])
def test_a_warning_survives_json_and_pickle(limitation):
    warning = FeatrankWarning("Look.", "info", limitation)
    for copy in (pickle.loads(pickle.dumps(warning)), FeatrankWarning.of(warning.describe())):
        assert vars(copy) == vars(warning)
        assert str(copy) == "Look."
