"""The comparison detects five deliberate faults in EC-FS."""

import pytest

from tests.freeze import names
from tests.freeze.cases import CASES
from tests.freeze.comparing import differences
from tests.freeze.recording import chosen, recorded

pytestmark = pytest.mark.slow

# Where the faults are put, as "module:attribute"; the first that exists is used.
TARGETS = {
    "counts": ("featrank.base.tuning:COUNTS",),
    "tolerance": ("featrank.rankers.ec_fs:ROUGH",),
    "folds": ("featrank.data.matrix:class_folds",),
    "slack": ("featrank.solvers.one_standard_error:SLACK",),
    "training rows": ("featrank.data.matrix:masked_target",),
}


def other_seed(codes, weights, groups, random_state, *, original, **further):
    return original(codes, weights, groups, 1, **further)


def all_rows(codes, fold, *, original):
    return codes


FAULTS = {
    "other feature counts for tuning": {"counts": (1, 3)},
    "rougher eigenvector in folds": {"tolerance": 0.1},
    "another seed for folds": {"folds": other_seed},
    "no slack in the one-standard-error rule": {"slack": 0.0},
    "ranking on all rows": {"training rows": all_rows},
}
PATTERNS = [
    "data/*/ec-fs",
    "memory/ec-fs/*",
    "out-of-core/npy/ec-fs",
    "ec-fs/three features/*",
    "rank/noise",
]
SOME = chosen(CASES, PATTERNS)


@pytest.fixture(scope="module")
def baseline():
    return recorded(SOME)


def test_two_runs_do_not_differ(baseline):
    assert differences(baseline, recorded(SOME)) == []


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_detected(baseline, fault):
    with names.patched(FAULTS[fault], TARGETS):
        assert differences(baseline, recorded(SOME), messages="ignore")
