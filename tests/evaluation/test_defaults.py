"""The defaults of a comparison: feature counts, trials, methods, and the time estimate."""

import re
from time import perf_counter

import numpy as np
import pytest
from sklearn.model_selection import KFold, LeaveOneGroupOut

from featrank._utils.progress import on_notify
from featrank.base.ranker import Ranker
from featrank.base.registry import method
from featrank.evaluation import Protocol, compare
from featrank.evaluation.defaults import METHODS, default_n_features, default_n_repeats
from featrank.exceptions import DataError, FeatrankWarning, UsageError

FAST = {"n_repeats": 2, "C": (0.1, 1.0), "inner_cv": 2}


def table(n_samples, n_features, n_classes=2):
    rng = np.random.default_rng(0)
    y = np.arange(n_samples) % n_classes
    X = rng.normal(size=(n_samples, n_features))
    X[:, 0] += 2 * y
    return X, y


@pytest.mark.parametrize(
    ("n_features", "counts"),
    [
        (1, (1,)),
        (2, (1,)),
        (4, (1, 2)),
        (10, (1, 2, 5)),
        (30, (1, 2, 5, 10, 20)),
        (100, (2, 5, 10, 20, 50)),
        (1000, (10, 20, 50, 100, 200)),
        (20_000, (10, 20, 50, 100, 200)),
    ],
)
def test_feature_counts(n_features, counts):
    assert default_n_features(n_features) == counts
    X = np.random.default_rng(0).normal(size=(3, n_features))
    assert Protocol().resolve(X).n_features == counts


def test_feature_counts_never_reach_the_whole_table_and_are_few():
    for n_features in range(2, 500):
        counts = default_n_features(n_features)
        assert counts[-1] < n_features
        assert 1 <= len(counts) <= 5
        assert list(counts) == sorted(set(counts))


def test_constant_features_do_not_count():
    X = np.random.default_rng(0).normal(size=(20, 30))
    X[:, 4:] = 7.0
    assert Protocol().resolve(X).n_features == (1, 2)


def test_numbers_given_by_the_user_are_kept():
    X = np.zeros((4, 5))
    assert Protocol(n_features=(3, 5), n_repeats=7).resolve(X).n_features == (3, 5)
    assert Protocol(n_features=(3, 5), n_repeats=7).resolve(X).n_repeats == 7
    with pytest.raises(UsageError, match=r"Use `n_features=5` or fewer\."):
        Protocol.paper().resolve(X)


def test_small_tables_get_more_trials():
    sizes = [(12, 5), (150, 4), (100, 2000), (1000, 100), (500, 20_000)]
    assert [default_n_repeats(*size) for size in sizes] == [50, 50, 20, 20, 10]


def test_a_splitter_sets_the_number_of_trials():
    X, y = table(12, 3)
    assert Protocol(cv=KFold(4)).resolve(X, y).n_repeats == 4
    groups = np.arange(12) // 4
    assert Protocol(cv=LeaveOneGroupOut()).resolve(X, y, groups).n_repeats == 3
    protocol = Protocol(cv=KFold(4), C=(1.0,), inner_cv=2)
    assert len(compare(X, y, ["fisher"], protocol).trials) == 4


def test_an_unresolved_protocol_has_no_numbers():
    for name in ("n_trials", "feature_counts"):
        with pytest.raises(UsageError, match=r"Call resolve\(\) first"):
            getattr(Protocol(), name)


def test_default_methods_support_both_tasks():
    assert all("regression" in method(name).tasks for name in METHODS)
    X, y = table(24, 6)
    assert compare(X, y, protocol=Protocol(**FAST)).methods == list(METHODS)
    regression = Protocol(**FAST, task="regression")
    assert compare(X, X[:, 0] + 0.1 * y, protocol=regression).methods == list(METHODS)


def test_the_defaults_give_the_same_bits_twice():
    X, y = table(16, 4)
    first, second = (compare(X, y, ["fisher", "mi"]) for _ in range(2))
    assert len(first.trials) == 50
    for name in first.methods_with_baseline:
        for k in first.n_features:
            np.testing.assert_array_equal(first.scores(name, k), second.scores(name, k))


@pytest.mark.parametrize(
    ("n_samples", "n_classes"), [(8, 2), (12, 3), (12, 4), (15, 5), (20, 5), (30, 10), (60, 10)]
)
@pytest.mark.filterwarnings("ignore")
def test_few_samples_of_several_classes(n_samples, n_classes):
    """Classes of three samples or more are scored, whatever their number."""
    X, y = table(n_samples, 5, n_classes)
    done = compare(X, y, ["fisher", "relieff"], Protocol(**FAST))
    assert not done.failures()
    assert not done.missing_parts()


@pytest.mark.filterwarnings("ignore")
def test_a_class_of_two_samples_among_larger_ones():
    X, y = table(22, 4, 10)
    y = np.r_[y[:20], 0, 1]  # two classes have three samples, eight have two
    assert not compare(X, y, ["fisher"], Protocol(**FAST)).failures()


@pytest.mark.filterwarnings("ignore")
def test_too_few_samples_raise_an_error():
    X, y = table(8, 4, 4)
    with pytest.raises(DataError, match=r"Too few samples per class: '0' \(2\), '1' \(2\)"):
        compare(X, y, ["fisher"])
    with pytest.raises(DataError, match="Class '2' has only one sample"):
        compare(X, [0, 0, 0, 0, 1, 1, 1, 2], ["fisher"], min_class_size=1)
    with pytest.raises(DataError, match="needs at least 5"):
        compare(X[:4], X[:4, 0], ["fisher"], Protocol(task="regression"))
    assert not compare(X[:5], X[:5, 0], ["fisher"], Protocol(task="regression")).failures()


def test_nothing_to_rank():
    _, y = table(20, 1)
    with pytest.raises(DataError, match="All 3 features are constant"):
        compare(np.ones((20, 3)), y, ["fisher"])
    with pytest.warns(FeatrankWarning, match="only one feature"):
        compare(table(20, 1)[0], y, ["fisher"], Protocol(**FAST))


class Broken(Ranker):
    name = "broken"

    def _score(self, X, y):
        raise ValueError("no scores today")


def test_a_failed_method_does_not_stop_the_others():
    X, y = table(20, 4)
    done = compare(X, y, {"fisher": "fisher", "bad": Broken()}, Protocol(**FAST))
    assert done.failed_methods == {"bad": "ValueError: no scores today"}
    assert not np.isnan(done.scores("fisher", 1)).any()
    done.require_scores()


def test_all_methods_failed():
    X, y = table(20, 4)
    done = compare(X, y, {"bad": Broken(), "worse": Broken()}, Protocol(**FAST))
    assert list(done.failed_methods) == ["bad", "worse"]
    with pytest.raises(DataError, match=r"All methods failed.*no scores today"):
        done.require_scores()


def estimated_seconds(sentence):
    number, unit = re.search(r"(?:about|more than) (\d+) (second|minute)", sentence).groups()
    return int(number) * {"second": 1, "minute": 60}[unit]


@pytest.mark.parametrize("shape", [(30, 1500), (300, 40)])
def test_the_time_estimate_comes_first_and_is_close(shape):
    X, y = table(*shape)
    events = []
    methods = ["ec-fs", "fisher", "mrmr"]
    with on_notify(events.append):
        start = perf_counter()
        compare(X, y, methods, Protocol(n_repeats=12))
        seconds = perf_counter() - start
    (sentence,) = events
    assert sentence.startswith("12 random splits × 3 methods × 5 feature counts: about ")
    estimate = estimated_seconds(sentence)
    assert estimate / 3 < max(seconds, 1) < 3 * estimate


class Slow(Ranker):
    name = "slow"

    def _score(self, X, y):
        while True:
            pass


def test_a_method_that_never_ends_gives_a_lower_bound(monkeypatch):
    monkeypatch.setattr("featrank.evaluation.trials.PROBE_SECONDS", 0.1)
    X, y = table(20, 4)
    heard = []
    with on_notify(heard.append):
        compare(X, y, {"slow": Slow()}, Protocol(**FAST), time_limit=0.1)
    assert "more than 1 second." in heard[0]


def test_a_finished_run_needs_no_estimate(tmp_path):
    X, y = table(20, 4)
    compare(X, y, ["fisher"], Protocol(**FAST), out_dir=tmp_path / "r")
    heard = []
    with on_notify(heard.append):
        compare(X, y, ["fisher"], Protocol(**FAST), out_dir=tmp_path / "r", resume=True)
    assert heard == []
