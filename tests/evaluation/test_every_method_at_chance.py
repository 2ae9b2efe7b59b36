"""With shuffled labels every method scores at chance; chosen on all rows, none does."""

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from featrank import FisherScore, methods
from featrank.evaluation import Protocol, compare, leak_check
from tests.common.test_every_ranker import maker


def noise(classes=2):
    rng = np.random.default_rng(0)
    return rng.normal(loc=5, size=(36, 60)), np.arange(36) % classes


@pytest.mark.parametrize("name", methods())
def test_at_chance(name):
    X, y = noise()
    pipeline = make_pipeline(maker(methods()[name])(n_features_to_select=8), GaussianNB())
    found = leak_check(pipeline, X, y, n_permutations=10, cv=3)
    assert not found.leaks
    assert found.scores.mean() == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("name", ["fisher", "mi", "ec-fs", "mrmr"])
def test_chosen_on_all_rows(name):
    X, y = noise()

    def peeking(X, y):
        chosen = maker(methods()[name])(n_features_to_select=8).fit_transform(X, y)
        return cross_val_score(GaussianNB(), chosen, y, cv=3, scoring="roc_auc").mean()

    assert leak_check(peeking, X, y, n_permutations=10, chance=0.5).leaks


class Peeking(FisherScore):
    """Ranks by rows that it was not given, as one that had seen the test rows would."""

    name = "peeking"
    rows = None

    def fit(self, X, y):
        return super().fit(*self.rows)


@pytest.mark.slow
def test_the_protocol_is_at_chance_and_a_leak_is_not(monkeypatch):
    """Labels that mean nothing: every method scores one half, and one that peeks far more."""
    rankers = {name: maker(cls)() for name, cls in methods().items()} | {"peeking": Peeking()}
    grids = {name: {} for name in rankers}
    protocol = Protocol(n_repeats=2, n_features=(5,), C=(0.1,), param_grids=grids)
    averages = []
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(loc=5, size=(45, 60)), rng.permutation(np.arange(45) % 2)
        monkeypatch.setattr(Peeking, "rows", (X, y))
        table = compare(X, y, rankers, protocol).table()
        averages.append({row["method"]: row["average"] for row in table})
    means = {name: np.mean([each[name] for each in averages]) for name in rankers}
    assert means.pop("peeking") > 0.7
    assert means == pytest.approx(dict.fromkeys(methods(), 0.5), abs=0.12)


def test_the_leaky_protocol_is_far_above_chance_on_shuffled_labels():
    """The same splits, honest and not: what ranking on all rows is worth where nothing is."""
    names = ["fisher", "ec-fs", "svm-rfe"]
    grids = {"ec-fs": {"alpha": (0, 0.5, 1)}}  # tuned as ever, but soon
    means = {}
    for leaky in (False, True):
        protocol = Protocol(
            n_repeats=3, n_features=(5, 10), C=(0.01, 0.1), param_grids=grids, leaky=leaky
        )
        tables = []
        for seed in range(8):
            rng = np.random.default_rng(seed)
            X, y = rng.normal(loc=5, size=(40, 200)), rng.permutation(np.arange(40) % 2)
            tables.append([row["average"] for row in compare(X, y, names, protocol).table()])
        means[leaky] = np.mean(tables, axis=0)
    assert means[False] == pytest.approx(np.full(3, 0.5), abs=0.1)
    assert (means[True] > 0.75).all()
