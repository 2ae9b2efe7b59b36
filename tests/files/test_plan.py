"""How a file is read is decided once: what is reported is what is done."""

from contextlib import nullcontext

import numpy as np
import pytest

import featrank
from featrank import tables
from featrank._utils.progress import stages_to
from featrank.data import opening
from featrank.files.plan import plan
from featrank.files.request import FileRequest


@pytest.fixture
def stored(data, names, tmp_path):
    """Write the data in a format, with ``y`` as the column "y"."""

    def write(suffix, y=data[1]):
        path = tmp_path / f"data{suffix}"
        tables.write_table(path, tables.Table(data[0], names, np.asarray(y), "y"))
        return path

    return write


@pytest.fixture
def observed(monkeypatch):
    """Run ``rank_file``; return what it reported and what it did."""
    loads, stages = [], []

    def recorded(function):
        return lambda *args, **keywords: loads.append(1) or function(*args, **keywords)

    monkeypatch.setattr(opening, "whole_table", recorded(opening.whole_table))
    monkeypatch.setattr(tables, "read_file", recorded(tables.read_file))

    def run(*args, **keywords):
        with stages_to(lambda doing, done: stages.append((doing, done)) or nullcontext()):
            ranking = featrank.rank_file(*args, **keywords)
        doing, done = next(stage for stage in stages if stage[0].startswith("Ranking "))
        assert doing.endswith(" in chunks") == done.endswith(" in chunks")
        return ranking, doing.endswith(" in chunks"), not loads

    return run


CALLS = [
    ("mrmr", {"criterion": "fcq"}, False),
    ("mrmr", {}, True),
    ("mrmr", {"task": "regression"}, False),
    ("mrmr", {"missing": "mean"}, False),
    ("cfs", {"binning": "mdl"}, False),
    ("cfs", {"binning": "width"}, True),
    ("fisher", {}, True),
    ("fisher", {"missing": "mean"}, True),
    ("fisher", {"per_class": True}, False),
    ("mi", {"task": "regression"}, False),
    ("relieff", {}, False),
]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(("method", "options", "in_chunks"), CALLS)
def test_what_is_reported_is_what_is_done(stored, observed, method, options, in_chunks, suffix):
    path = stored(suffix)
    found, reported, done = observed(path, "y", method, memory="64MB", **options)
    assert reported == done == in_chunks
    expected = featrank.rank_file(path, "y", method, **options)
    pairs = (
        [(found, expected)]
        if "per_class" not in options
        else [(found[label], expected[label]) for label in expected]
    )
    for one, other in pairs:
        np.testing.assert_array_equal(one.scores, other.scores)


@pytest.mark.parametrize(("method", "options", "in_chunks"), CALLS)
def test_large_files_are_read_in_chunks_by_rankers_that_can(
    stored, observed, monkeypatch, method, options, in_chunks
):
    monkeypatch.setattr("featrank.files.plan.memory_budget", lambda: 1000)
    _, reported, done = observed(stored(".parquet"), "y", method, **options)
    assert reported == done == in_chunks


def test_the_plan_asks_the_ranker_that_will_run(stored):
    arguments = {"path": stored(".csv"), "target": "y", "method": "mrmr", "memory": "64MB"}
    for params, in_chunks in (({"criterion": "fcq"}, False), ({"criterion": "mid"}, True)):
        request = FileRequest.of({**arguments, "params": params})
        ranker = request.ranker()
        planned = plan(request, ranker)
        assert planned.source is not None
        assert planned.ranker is ranker
        assert planned.in_chunks == in_chunks


def test_bins_of_a_regression_target_are_the_same_from_memory_and_from_a_dataset(stored):
    path = stored(".parquet", np.random.default_rng(0).normal(size=60))
    given = {"target_bins": 4, "task": "regression"}
    whole = featrank.rank_file(path, "y", "mi", **given)
    opened = featrank.rank_file(path, "y", "mi", memory="64MB", **given)
    np.testing.assert_array_equal(whole.scores, opened.scores)
