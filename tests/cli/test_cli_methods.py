import csv
import io
import json

import numpy as np
import pytest

import featrank
from featrank import ECFS
from featrank.report.formats import text


def test_json_says_what_the_classes_say(run):
    facts = {
        entry["name"]: entry for entry in json.loads(run("methods", "--format", "json").stdout)
    }
    assert set(facts) == set(featrank.methods())
    assert facts["ec-fs"]["complexity"] == ECFS.complexity
    assert facts["ec-fs"]["published_complexity"] == ECFS.published_complexity
    assert facts["ec-fs"]["supervised"] is True
    assert facts["ec-fs"]["params"]["alpha"] == "cv"


def test_csv_has_a_row_per_method(run):
    entries = list(csv.DictReader(io.StringIO(run("methods", "--format", "csv").stdout)))
    assert [entry["name"] for entry in entries] == list(featrank.methods())
    assert all(entry["reference"] and entry["purpose"] for entry in entries)


def test_table_shows_what_a_method_handles(run):
    """Also in a pipe, as people read it."""
    lines = [line.split() for line in run("methods").stdout.splitlines()]
    assert ["method", "ranks", "by", "missing", "sparse", "diverse", "speed"] in lines
    assert ["ec-fs", "Eigenvector", "centrality", "yes", "yes", "fast"] in lines
    assert ["mrmr", "Relevance", "minus", "redundancy", "yes", "yes", "fast"] in lines
    assert ["boruta", "Random", "forest", "importance", "slow"] in lines


@pytest.mark.parametrize("further", [(), ("--long",), ("--for", "wide"), ("--for", "tall")])
def test_tables_fit_80_columns_with_whole_words(run, monkeypatch, further):
    monkeypatch.setattr(text, "WIDTH", 80)
    printed = run("methods", *further).stdout
    assert max(len(line) for line in printed.splitlines()) <= 80
    words = set(printed.split())
    for cls in featrank.methods().values():
        if cls.name in words:
            assert set(cls.purpose.split()) <= words
            assert "--long" not in further or set(cls.reference.split()) <= words


def test_long_adds_complexity_and_reference(run):
    assert ECFS.published_complexity not in run("methods").stdout
    assert ECFS.published_complexity in run("methods", "--long").stdout
    assert ECFS.reference in run("methods", "--long").stdout


def test_purposes_are_short_and_distinct():
    purposes = [cls.purpose for cls in featrank.methods().values()]
    assert max(map(len, purposes)) <= 26
    assert len(set(purposes)) == len(purposes)


def duplicate_and_weaker(seed):
    """Return a strong feature, its near duplicate, a weaker independent one, and noise."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 60)
    strong = 2.0 * y + rng.normal(size=120)
    duplicate = strong + 0.05 * rng.normal(size=120)
    weaker = 1.5 * y + rng.normal(size=120)
    return np.column_stack([strong, duplicate, weaker, rng.normal(size=(120, 17))]), y


@pytest.mark.parametrize("name", featrank.methods())
def test_redundancy_aware_methods_prefer_a_weaker_feature_to_a_duplicate(name):
    cls, n_preferred = featrank.methods()[name], 0
    for seed in range(10):
        X, y = duplicate_and_weaker(seed)
        ranker = cls(**({"random_state": 0} if cls.stochastic else {}))
        ranking = ranker.fit(X, y if cls.supervised else None).ranking_
        n_preferred += ranking[2] < max(ranking[:2])
    assert (n_preferred > 5) == cls.redundancy_aware, n_preferred
