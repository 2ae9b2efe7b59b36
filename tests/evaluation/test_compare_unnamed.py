"""Rankers without a name in a comparison: they go by their class, or by the name given."""

import json

import numpy as np
import pytest
from scipy.sparse import csr_array

from featrank import ECFS, FisherScore, GraphRanker, Ranker
from featrank.evaluation import Protocol, compare, read_comparison
from featrank.exceptions import UsageError
from featrank.graph import Accessibility, RankOne

PROTOCOL = Protocol(n_repeats=2, n_features=(1, 3), C=(0.1,), inner_cv=2)


class Spread(Ranker):
    supervised = False

    def __init__(self, n_features_to_select=None, *, power=1.0):
        self.n_features_to_select = n_features_to_select
        self.power = power

    _parameter_constraints = Ranker._parameter_constraints

    def _score(self, X, y):
        return X.std(axis=0) ** min(self.power, 2.0)


def spreads(first, second):
    return first.std() * second.std()


def test_a_class_is_a_name(data, tmp_path):
    done = compare(
        *data, [GraphRanker(edges=spreads), Spread(), "fisher"], PROTOCOL, out_dir=tmp_path
    )
    assert done.methods == ["GraphRanker", "Spread", "fisher"]
    assert {row["status"] for trial in done.trials for row in trial.rows} == {"ok"}
    again = read_comparison(tmp_path)
    assert again.table() == done.table()
    methods = [entry["method"] for entry in again.manifest["methods"]]
    assert methods == ["GraphRanker", "Spread", "fisher"]
    for name in done.methods:
        assert np.array_equal(again.rankings[name], done.rankings[name])
    assert again.rankings["GraphRanker"][:, 0].tolist() == [4, 4]


def test_names_of_a_mapping(data, tmp_path):
    methods = {
        "by spread": GraphRanker(edges=spreads),
        "by sparse edges": GraphRanker(edges=csr_array(np.eye(12)), centrality=Accessibility(2)),
        "plain": FisherScore(),
    }
    done = compare(*data, methods, PROTOCOL, out_dir=tmp_path)
    assert read_comparison(tmp_path).table() == done.table()
    assert [row["failed"] for row in done.table()] == [0, 0, 0]


def test_two_of_a_class_need_names(data):
    with pytest.raises(UsageError, match="must be unique"):
        compare(*data, [Spread(), Spread(power=2.0)], PROTOCOL)


EDGES = {
    "a function": lambda: spreads,
    "a method": lambda: np.minimum.outer(np.arange(12), np.arange(12)).astype(float),
    "a graph": lambda: RankOne(np.arange(12.0)),
    "a large array": lambda: np.arange(144.0).reshape(12, 12),
    "sparse": lambda: csr_array(np.eye(12)),
}


@pytest.mark.parametrize("make", EDGES.values(), ids=EDGES)
def test_a_run_goes_on_with_equal_edges(data, tmp_path, make):
    """Whatever they are: the folder holds what tells them from others, and no address."""
    first = compare(*data, [GraphRanker(edges=make())], PROTOCOL, out_dir=tmp_path)
    second = compare(*data, [GraphRanker(edges=make())], PROTOCOL, out_dir=tmp_path, resume=True)
    assert second.table() == first.table()
    assert " at 0x" not in (tmp_path / "manifest.json").read_text()


@pytest.mark.parametrize("make", [EDGES["a graph"], EDGES["a large array"], EDGES["sparse"]])
def test_a_run_with_other_edges_is_another(data, tmp_path, make):
    compare(*data, [GraphRanker(edges=make())], PROTOCOL, out_dir=tmp_path)
    other = GraphRanker(edges=RankOne(np.arange(12.0)[::-1]))
    weights = np.arange(144.0).reshape(12, 12)
    weights[6, 6] = 0
    for ranker in (other, GraphRanker(edges=weights), GraphRanker(edges=csr_array(2 * np.eye(12)))):
        with pytest.raises(UsageError, match="a run with different methods"):
            compare(*data, [ranker], PROTOCOL, out_dir=tmp_path, resume=True)


def refuse(token):
    raise AssertionError(f"{token} is no JSON")


def test_results_are_strict_json(data, tmp_path):
    protocol = Protocol(
        n_repeats=1, n_features=(1,), C=(1.0,), param_grids={"Spread": {"power": [np.inf]}}
    )
    done = compare(*data, [Spread(power=np.nan), ECFS(1)], protocol, out_dir=tmp_path)
    assert done.table()[0]["failed"] == 0
    json.loads((tmp_path / "manifest.json").read_text(), parse_constant=refuse)
    for text in done.frame["params"]:
        json.loads(text, parse_constant=refuse)
