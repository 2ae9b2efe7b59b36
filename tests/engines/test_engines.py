"""What every engine promises: each part once, few at a time, and errors that say where."""

import os
import signal
import threading
from functools import partial

import numpy as np
import pytest

from featrank import ECFS
from featrank._utils.progress import progress_to
from featrank.engines.engine import name_place
from featrank.exceptions import DataError
from featrank.sources import open_dataset
from featrank.summaries import ClassSummary, FeatureRanges

from .chunks import begun, both, fails_at_five, fails_soon, made, number, slow_sums, sums


@pytest.mark.parametrize("count", [1, 2, 5, 77])
def test_every_part_is_in_the_fold_once(engine, count):
    found = engine.fold(number, made(count), both)
    assert sorted(found) == list(range(count))


def test_the_fold_of_sums_is_the_sum(engine):
    rows = np.arange(150)
    expected = rows.sum() * np.array([1, 10, 100, 1000])
    np.testing.assert_array_equal(engine.fold(sums, iter(made(50)), both), expected)


def test_each_part_comes_with_its_own_result(engine):
    found = dict(engine.each(number, iter(made(20))))
    assert found == {part: (part.number,) for part in made(20)}


def test_without_parts_there_is_an_error(engine):
    with pytest.raises(DataError, match="no chunks"):
        engine.fold(sums, [], both)
    assert list(engine.each(sums, [])) == []


def test_functions_may_be_closures(engine):
    factor = 7
    found = engine.fold(lambda part: factor * part.number, made(5), lambda one, other: one + other)
    assert found == 70


def test_an_error_is_raised_as_it_is_and_says_where(engine):
    with pytest.raises(ArithmeticError, match=r"no such code \(in rows 15 to 17 of 'made'"):
        engine.fold(fails_at_five, made(50), both)
    with pytest.raises(ArithmeticError, match=r"no such code \(in rows 15 to 17 of 'made'"):
        list(engine.each(fails_at_five, made(50)))
    assert engine.fold(number, made(3), both)  # and nothing hangs


@pytest.mark.parametrize("verb", ["fold", "each"])
def test_after_an_error_the_rest_never_begins(engine, verb, tmp_path):
    parts = made(300, tmp_path)
    with pytest.raises(ArithmeticError):
        engine.fold(fails_soon, parts, both) if verb == "fold" else [
            *engine.each(fails_soon, parts)
        ]
    engine.fold(number, made(10), both)
    assert len(begun(tmp_path)) < 100


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("verb", ["fold", "each"])
def test_an_interrupt_ends_it(engine, verb, tmp_path):
    parts, alarms = made(1000, tmp_path), []

    def interrupt_soon(done, total):
        if not alarms:
            alarms.append(threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)))
            alarms[0].start()

    with pytest.raises(KeyboardInterrupt), progress_to(interrupt_soon):
        engine.fold(slow_sums, parts, both) if verb == "fold" else [*engine.each(slow_sums, parts)]
    engine.fold(number, made(10), both)
    assert len(begun(tmp_path)) < 200


def test_few_results_wait_for_who_is_slow(engine, tmp_path):
    drawn = []
    parts = (drawn.append(part) or part for part in made(100, tmp_path))
    results = engine.each(number, parts)
    next(results), next(results)
    engine.fold(number, made(10), both)  # time for all that may begin
    assert 2 <= len(begun(tmp_path)) <= len(drawn) <= 2 + 4
    results.close()


def test_what_is_not_taken_never_begins(engine, tmp_path):
    results = engine.each(number, made(100, tmp_path))
    next(results)
    results.close()
    assert len(begun(tmp_path)) <= 5


@pytest.mark.parametrize("verb", ["fold", "each"])
def test_progress_is_reported(engine, verb):
    told = []
    with progress_to(lambda done, total: told.append((done, total))):
        engine.fold(sums, made(30), both) if verb == "fold" else [*engine.each(sums, made(30))]
    assert told[-1] == (30, 30)
    assert told == sorted(set(told))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("bad"), "bad (in rows 0 to 2)"),
        (ValueError("bad rows 0 to 2"), "bad rows 0 to 2"),
        (OSError(5, "Input/output error"), "[Errno 5] Input/output error (in rows 0 to 2)"),
    ],
)
def test_places_in_messages(error, expected):
    name_place(error, "rows 0 to 2")
    assert str(error) == expected


def test_errors_without_a_message_have_a_note():
    error = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    name_place(error, "rows 0 to 2")
    assert error.__notes__ == ["In rows 0 to 2."]


def ranges_of(part):
    block = part.read()
    return FeatureRanges.of(block.X, block.y)


def summary_of(part, ranges):
    block = part.read()
    return ClassSummary.of(block.X, block.y, ranges)


def test_a_file_is_ranked_to_the_same_bits(engine, tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.lognormal(sigma=4, size=(500, 7)), rng.integers(0, 3, 500)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    source = open_dataset(tmp_path / "X.npy", labels=tmp_path / "y.npy")
    ranges = engine.fold(ranges_of, source.chunks(3000), FeatureRanges.merge)
    summary = engine.fold(
        partial(summary_of, ranges=ranges), source.chunks(2000), ClassSummary.merge
    )
    ranker = ECFS(alpha=0.5).fit_summary(summary)
    np.testing.assert_array_equal(ranker.scores_, ECFS(alpha=0.5).fit(X, y).scores_)
