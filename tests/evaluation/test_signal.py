"""The permutation test of a comparison."""

import json
from dataclasses import replace

import numpy as np
import pytest

from featrank import FisherScore
from featrank.base.ranker import Ranker
from featrank.evaluation import Protocol, compare, read_comparison
from featrank.evaluation.data import Data
from featrank.evaluation.method_entries import entries
from featrank.evaluation.signal.permuted_labels import (
    can_reject,
    permutation_kind,
    permute_labels,
)
from featrank.evaluation.signal.plan import plan_signal_test
from featrank.evaluation.signal.run import NO_SCORE
from featrank.exceptions import DataError, UsageError

QUICK = Protocol(n_repeats=5, n_features=(2, 5), C=(0.1,), n_random=1, n_permutations=60)
METHODS = ["fisher"]


def rows(effect, n_samples=40, seed=0):
    y = np.arange(n_samples) % 2
    X = np.random.default_rng(seed).normal(size=(n_samples, 30))
    X[:, :3] += effect * y[:, None]
    return X, y


@pytest.fixture(scope="module")
def found():
    return compare(*rows(2.0), METHODS, QUICK).signal


def test_signal_is_found(found):
    assert (found.p_value, found.exceeding, found.permutations) == (1 / 61, 0, 60)
    assert (found.method, found.splits, found.kind, found.reason) == ("fisher", 5, "rows", "")
    assert found.score > 0.9


def test_without_signal_the_test_stops_early():
    test = compare(*rows(0.0), METHODS, replace(QUICK, n_permutations=900)).signal
    assert (test.exceeding, test.planned) == (20, 900)
    assert test.p_value == 20 / test.permutations > 0.05


@pytest.mark.parametrize("n_jobs", [2])
def test_the_result_does_not_depend_on_workers(found, n_jobs):
    assert compare(*rows(2.0), METHODS, QUICK, n_jobs=n_jobs).signal == found
    stopped = [compare(*rows(0.0), METHODS, QUICK, n_jobs=n).signal for n in (1, n_jobs)]
    assert stopped[0] == stopped[1]


def test_the_p_value_is_uniform_without_signal():
    """Whole procedures on pure noise: p below 0.25 in about a quarter of the data sets."""
    quick = replace(QUICK, n_features=(2,), n_permutations=19)
    p_values = [compare(*rows(0.0, 20, seed), METHODS, quick).signal.p_value for seed in range(24)]
    assert 1 <= sum(p <= 0.25 for p in p_values) <= 13


def test_a_folder_keeps_the_test_and_resumes_it(found, tmp_path):
    compare(*rows(2.0), METHODS, QUICK, out_dir=tmp_path)
    assert read_comparison(tmp_path).signal == found
    (tmp_path / "signal.json").unlink()
    assert read_comparison(tmp_path).signal is None
    (tmp_path / "signal" / "00001.npz").unlink()
    assert compare(*rows(2.0), METHODS, QUICK, out_dir=tmp_path, resume=True).signal == found
    assert read_comparison(tmp_path).signal == found


@pytest.mark.parametrize("change", [{"p_value": 2}, {"splits": "a"}, {"other": 1}])
def test_a_damaged_test_is_named(tmp_path, change):
    compare(*rows(2.0), METHODS, QUICK, out_dir=tmp_path)
    file = tmp_path / "signal.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(DataError, match=r"signal\.json.*Delete it"):
        read_comparison(tmp_path)


def test_a_damaged_batch_is_named(tmp_path):
    compare(*rows(2.0), METHODS, QUICK, out_dir=tmp_path)
    (tmp_path / "signal" / "00000.npz").write_bytes(b"nothing")
    with pytest.raises(DataError, match=r"00000\.npz.*Delete it"):
        compare(*rows(2.0), METHODS, QUICK, out_dir=tmp_path, resume=True)


class Own(Ranker):
    def _score(self, X, y):
        return X[0]


@pytest.mark.parametrize(
    ("methods", "changes", "reason"),
    [
        (METHODS, {"n_permutations": 0}, "the test is turned off"),
        (METHODS, {"n_repeats": 4}, "the test needs 5 trials, better 20 or more"),
        (METHODS, {"leaky": True}, "the run is leaky"),
        ({"own": Own()}, {"n_permutations": "auto"}, "no method is known to be fast enough"),
        (["boruta"], {"n_permutations": "auto"}, "no method is known to be fast enough"),
    ],
)
def test_reasons_not_to_test(methods, changes, reason):
    protocol = replace(QUICK, **changes)
    X, y = rows(2.0)
    plan = plan_signal_test(Data.of(X, y, None, "x"), entries(methods, protocol), protocol)
    assert plan.permutations == 0
    assert plan.reason.startswith(reason)


def test_a_reason_is_part_of_the_result():
    test = compare(*rows(2.0), METHODS, replace(QUICK, n_permutations=0)).signal
    assert (test.p_value, test.reason) == (None, "the test is turned off")


def test_the_fastest_supervised_method_is_tested():
    X, y = rows(2.0)
    protocol = replace(QUICK, n_permutations="auto")
    compared = entries(["laplacian", "svm-rfe", "fisher", "mrmr"], protocol)
    plan = plan_signal_test(Data.of(X, y, None, "x"), compared, protocol)
    assert (compared[plan.method].name, plan.splits, plan.permutations) == ("fisher", 5, 200)


def test_large_data_get_fewer_splits():
    protocol = replace(QUICK, n_permutations="auto")
    sizes = {}
    for n_samples in (60, 1200):
        data = Data.of(*rows(1.0, n_samples), None, "x")
        sizes[n_samples] = plan_signal_test(data, entries(METHODS, protocol), protocol).splits
    assert sizes[60] == 5 > sizes[1200]


def test_a_method_without_scores_has_a_reason():
    class Broken(FisherScore):
        def _score(self, X, y):
            raise ValueError("no scores today")

        _scores_of = _score

    test = compare(*rows(2.0), {"broken": Broken()}, QUICK).signal
    assert (test.p_value, test.reason) == (None, NO_SCORE)


def test_regression():
    X, y = rows(0.0)
    made = X[:, 0] + 0.3 * X[:, 1]
    protocol = replace(QUICK, task="regression")
    assert compare(X, made, ["mi"], protocol).signal.p_value == 1 / 61
    noise = np.random.default_rng(1).normal(size=len(y))
    assert compare(X, noise, ["mi"], protocol).signal.p_value > 0.05


def test_negative_numbers_are_refused():
    with pytest.raises(UsageError, match="n_permutations"):
        Protocol(n_permutations=-1)
    with pytest.raises(UsageError, match="n_random"):
        Protocol(n_random=0)


# -- labels and groups

PATIENTS = np.repeat(np.arange(8), 3)
OF_PATIENTS = np.repeat(np.arange(8) % 2, 3)


@pytest.mark.parametrize(
    ("y", "groups", "kind"),
    [
        (OF_PATIENTS, None, "rows"),
        (OF_PATIENTS, PATIENTS, "whole groups"),
        (np.arange(24) % 2, PATIENTS, "within groups"),
    ],
)
def test_kinds_of_permutations(y, groups, kind):
    assert permutation_kind(y, groups) == kind


def permuted(y, groups, seed=0):
    kind = permutation_kind(y, groups)
    return permute_labels(y, groups, kind, np.random.default_rng(seed))


def test_rows_of_a_patient_keep_one_label():
    new = permuted(OF_PATIENTS, PATIENTS).reshape(8, 3)
    assert (new == new[:, :1]).all()
    assert new.sum() == OF_PATIENTS.sum()
    assert any((permuted(OF_PATIENTS, PATIENTS, s) != OF_PATIENTS).any() for s in range(3))


def test_batches_keep_their_class_sizes():
    y = np.array([0, 1, 1, 0, 0, 1] * 4)
    for seed in range(3):
        new = permuted(y, PATIENTS, seed)
        assert new.reshape(8, 3).sum(axis=1).tolist() == y.reshape(8, 3).sum(axis=1).tolist()


def test_patients_with_different_numbers_of_samples_exchange_labels():
    groups = np.repeat(np.arange(6), [1, 2, 3, 4, 5, 6])
    y = (groups % 2).astype(int)
    for seed in range(5):
        new = permuted(y, groups, seed)
        each = [np.unique(new[groups == g]) for g in range(6)]
        assert all(len(labels) == 1 for labels in each)
        assert sum(int(labels[0]) for labels in each) == 3


def test_mostly_constant_groups_are_exchanged_with_those_of_equal_size():
    y = OF_PATIENTS.copy()
    y[0] = 1  # one mixed patient
    new = permuted(y, PATIENTS, 1).reshape(8, 3)
    assert sorted(map(tuple, new.tolist())) == sorted(map(tuple, y.reshape(8, 3).tolist()))


@pytest.mark.filterwarnings("ignore:The 8 groups are associated with the class")
def test_a_signal_of_batches_alone_is_not_found():
    """The class follows the batch in part; within batches, the features are noise."""
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(8), 12)
    y = (random.random(96) < np.where(groups % 2, 0.8, 0.2)).astype(int)
    X = random.normal(size=(96, 20))
    X[:, :5] += 2 * (groups % 2)[:, None]
    protocol = replace(QUICK, n_features=(5,), n_permutations=60)
    inside = compare(X, y, METHODS, protocol, groups=groups).signal
    assert (inside.kind, inside.p_value > 0.05) == ("within groups", True)
    assert compare(X, y, METHODS, protocol).signal.p_value == 1 / 61


@pytest.mark.parametrize(("n_groups", "able"), [(4, False), (6, False), (8, True)])
def test_few_groups_allow_no_verdict(n_groups, able):
    groups = np.repeat(np.arange(n_groups), 3)
    y = np.repeat(np.arange(n_groups) % 2, 3)
    assert can_reject(y, groups, permutation_kind(y, groups)) is able
