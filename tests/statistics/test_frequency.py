"""How often features were chosen, counted by hand, and the interval beside SciPy's."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binomtest

from featrank.exceptions import UsageError
from featrank.statistics import selection_frequency, stability


def results(trials=9, features=12, names=None):
    rng = np.random.default_rng(0)
    rankings = {name: np.array([rng.permutation(features) for _ in range(trials)]) for name in "ab"}
    return SimpleNamespace(rankings=rankings, n_features=(2, 5), feature_names=names)


def test_counts_are_those_of_a_loop_over_trials():
    names = [f"gene {j}" for j in range(12)]
    made = results(names=names)
    found = selection_frequency(made)
    for method, orders in made.rankings.items():
        for k in made.n_features:
            rows = found.filter(method=method, k=k)
            sets = [{names[j] for j in order[:k]} for order in orders]
            expected = {name: sum(name in s for s in sets) for name in set().union(*sets)}
            assert dict(zip(rows["feature"], rows["chosen"], strict=True)) == expected
            places = [(-row["chosen"], names.index(row["feature"])) for row in rows.to_dicts()]
            assert places == sorted(places)
            assert set(rows["trials"]) == {9}
            assert rows["share"].to_list() == [count / 9 for count in rows["chosen"]]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_interval_is_scipys(confidence):
    found = selection_frequency(results(trials=25, features=7), confidence=confidence)
    assert len(found) == 28
    for row in found.to_dicts():
        test = binomtest(row["chosen"], row["trials"])
        low, high = test.proportion_ci(confidence, method="wilson")
        assert row["low"] == pytest.approx(low, abs=1e-12)
        assert row["high"] == pytest.approx(high, abs=1e-12)


def test_always_chosen_has_one_as_its_upper_end():
    same = SimpleNamespace(
        rankings={"a": np.tile([1, 0], (4, 1))}, n_features=(1,), feature_names=None
    )
    [row] = selection_frequency(same).to_dicts()
    assert (row["feature"], row["share"], row["high"]) == ("x1", 1.0, 1.0)
    assert row["low"] == pytest.approx(binomtest(4, 4).proportion_ci(method="wilson").low)


def test_another_k_than_those_of_the_results():
    found = stability.selection_frequency(results(), k=12)
    assert set(found["k"]) == {12}
    assert set(found["chosen"]) == {9}


def test_a_method_that_never_ran_has_no_rows():
    made = results()
    made.rankings["c"] = np.empty((0, 12), dtype=np.int32)
    assert set(selection_frequency(made)["method"]) == {"a", "b"}
    nothing = SimpleNamespace(rankings={}, n_features=(2,), feature_names=None)
    assert selection_frequency(nothing).shape == (0, 8)


@pytest.mark.parametrize(
    ("options", "says"),
    [({"k": 13}, "more than the 12 features"), ({"k": 0}, "from 1 on"),
     ({"confidence": 1.5}, "between 0 and 1")],
)  # fmt: skip
def test_refusals(options, says):
    with pytest.raises(UsageError, match=says):
        selection_frequency(results(), **options)
