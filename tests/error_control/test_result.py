"""FDRControl: the list, its numbers and its sentences."""

import numpy as np
import pytest

from featrank.error_control import FDRControl
from featrank.exceptions import UsageError
from featrank.statistics import q_values

EXPECTED = np.array([0.02, 0.05, 9.0, 0.2, 30.0])


@pytest.fixture
def result():
    return FDRControl("fisher", 0.1, q_values(EXPECTED), EXPECTED, 50)


def test_the_list_and_its_numbers(result):
    np.testing.assert_allclose(result.q_values, [1 / 30, 1 / 30, 1, 0.08, 1], rtol=1e-9)
    assert result.support.tolist() == [True, True, False, True, False]
    assert (result.n_selected, result.expected_false) == (3, 0.2)
    assert result.smallest_fdr == pytest.approx(1 / 30)


def test_another_level(result):
    strict = result.at(0.05)
    assert strict.support.tolist() == [True, True, False, False, False]
    assert strict.expected_false == 0.05
    assert (result.fdr, strict.fdr) == (0.1, 0.05)
    assert result.at(0.01).expected_false == 0
    for wrong in (0, 1, "much"):
        with pytest.raises(UsageError, match="`fdr` must lie between 0 and 1"):
            result.at(wrong)


def test_sentences(result):
    assert result.sentence() == (
        "3 of 5 features can be claimed at a false discovery rate of 0.1. About 0.2 are "
        "expected to be false."
    )
    assert result.at(0.01).sentence() == (
        "Nothing can be claimed at a false discovery rate of 0.01. At 0.04, 2 features could be."
    )
    hopeless = FDRControl("fisher", 0.1, np.full(5, 0.7), np.full(5, 3.0), 10, True)
    assert hopeless.sentence() == (
        "Nothing can be claimed at a false discovery rate of 0.1. No feature can be "
        "claimed at any level up to 0.5 either."
    )


def test_few_expected_false_features_are_not_rounded_to_none(result):
    assert "Fewer than 0.1 are expected to be false." in result.at(0.05).sentence()


def test_the_level_that_is_offered_claims_something():
    for smallest in (0.1000001, 0.29, 0.3, 0.41001):
        one = FDRControl("fisher", 0.1, np.array([smallest, 1]), np.array([0.1, 2]), 50)
        assert "1 feature could be" in one.sentence()


def test_notes_name_the_null_hypothesis_of_the_method(result):
    assert result.notes()[1] == (
        "A false feature carries no information on the target, as fisher sees it. A feature that "
        "only duplicates another one is not false."
    )


def test_to_dict(result):
    found = result.to_dict()
    assert found["selected"] == 3
    assert found["null_hypothesis"] == result.notes()[1]
    assert set(found) == {
        "fdr", "selected", "expected_false", "smallest_fdr", "draws", "stopped_early",
        "null_hypothesis",
    }  # fmt: skip
