"""The best few of millions of features, without a name or a row for each of the others."""

import io
import sys
import tracemalloc
from itertools import pairwise

import numpy as np
import polars as pl
import pytest

import featrank
from featrank.exceptions import UsageError
from featrank.ranking import Ranking
from featrank.report import ranking_report, write
from featrank.sources.names import NumberedNames, StoredNames

MANY = 2_000_000


@pytest.fixture(scope="module")
def wide():
    X = np.random.default_rng(0).normal(size=(4, MANY)).astype(np.float32)
    return X, np.array([0, 0, 1, 1])


@pytest.fixture
def made(monkeypatch):
    """How many names were made on demand."""
    count = [0]
    plain = NumberedNames._one

    def counting(self, place):
        count[0] += 1
        return plain(self, place)

    monkeypatch.setattr(NumberedNames, "_one", counting)
    return count


def peak(call):
    tracemalloc.start()
    try:
        found = call()
        return found, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_the_best_of_millions_need_no_name_of_the_others(wide, made):
    before = sys.getallocatedblocks()
    _, fit = peak(lambda: featrank.FisherScore(10).fit(*wide))
    ranking, whole = peak(lambda: featrank.rank(*wide, "fisher", top=10, min_class_size=1))
    # Strings and a list of them would take 130 MB; the order of the scores is 16 MB.
    assert whole < fit + 60e6
    assert ranking.top(10) == [f"x{j}" for j in ranking.ranker.order_[:10]]
    written = io.StringIO()
    write(ranking_report(ranking, 10), "csv", written)
    assert [line.split(",")[1] for line in written.getvalue().split()[1:]] == ranking.top(10)
    assert repr(ranking).endswith("… 1999990 more")
    write(ranking_report(ranking, 10, details=True), "json", io.StringIO())
    assert ranking.to_frame(10)["feature"].to_list() == ranking.top(10)
    assert made[0] < 500
    assert sys.getallocatedblocks() < before + 100_000


def test_readers_are_shown_fifty_of_millions(made):
    ranking = Ranking("fisher", {}, NumberedNames(MANY), np.arange(float(MANY)))
    shown = io.StringIO()
    write(ranking_report(ranking), "markdown", shown)
    assert "x1999950" in shown.getvalue()
    assert "x1999949" not in shown.getvalue()
    assert made[0] < 500


def test_all_rows_are_written_with_few_in_memory(monkeypatch):
    monkeypatch.setattr("featrank.report.ranking.ROWS_AT_A_TIME", 500)
    ranking = Ranking("fisher", {}, NumberedNames(20_000), np.arange(20_000.0))
    assert ranking.order[0] == 19_999

    class Counting(io.StringIO):
        lines = 0

        def write(self, text):
            self.lines += text.count("\n")
            return len(text)

    stream = Counting()
    _, most = peak(lambda: write(ranking_report(ranking), "csv", stream))
    assert stream.lines == 20_001
    assert most < 1e6  # all of them as lists would take 3 MB


def test_rows_made_some_at_a_time_are_those_made_at_once(monkeypatch):
    monkeypatch.setattr("featrank.report.ranking.ROWS_AT_A_TIME", 7)
    scores = np.random.default_rng(0).permutation(50).astype(float)
    ranking = Ranking("fisher", {}, StoredNames([f"g{j}" for j in range(50)]), scores)
    for top in (None, 0, 1, 20, 50):
        rows, columns = ranking_report(ranking, top).rows, ranking.columns(top)
        expected = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        assert list(rows) == expected
        assert len(rows) == len(expected)
        assert rows[:3] == expected[:3]
        assert [rows[j] for j in range(-len(rows), len(rows))] == expected * 2
    assert all(a["score"] > b["score"] for a, b in pairwise(ranking_report(ranking).rows))
    with pytest.raises(UsageError, match="the ranking has 50 features"):
        _ = ranking_report(ranking, 51).rows


@pytest.mark.parametrize("kind", [pl.Series, StoredNames, list, tuple])
def test_names_of_any_kind(kind):
    data = featrank.datasets.load("iris")
    texts = ["a", "b", "c", "d"]
    ranking = featrank.rank(data.X, data.y, "fisher", feature_names=kind(texts))
    assert ranking.feature_names == texts
    assert ranking.top(2) == ["c", "d"]
    with pytest.raises(UsageError, match="more than once: 'b'"):
        featrank.rank(data.X, data.y, "fisher", feature_names=kind(["a", "b", "c", "b"]))
    with pytest.raises(UsageError, match="has 3 names, but X has 4 columns"):
        featrank.rank(data.X, data.y, "fisher", feature_names=kind(texts[:3]))
