"""Printed mean areas, and the protocols that can or cannot have made them."""

import csv
from fractions import Fraction
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import binom

from featrank.exceptions import DataError, UsageError
from featrank.statistics import auc_granularity

COMPETITORS = ("fisher", "fsv", "laplacian", "mi", "relieff", "svm-rfe")


def table(trials, positives, negatives, cells=24, decimals=2, ties=False, seed=0):
    """Return means over trials of the share of ordered pairs, as printed."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [positives, negatives])
    printed = []
    for _ in range(cells):
        decisions = rng.normal(size=(trials, len(y))) + 1.2 * y
        decisions = decisions.round(0) if ties else decisions
        gaps = decisions[:, :positives, None] - decisions[:, None, positives:]
        mean = np.mean((gaps > 0) + 0.5 * (gaps == 0))
        printed.append(f"{100 * mean:.{decimals}f}")
    return printed


def published(dataset, methods):
    """Return what the EC-FS paper prints in its Table 3."""
    text = files("featrank.reproduction").joinpath("data", "table3.csv").read_text()
    rows = [row for row in csv.DictReader(text.splitlines()) if row["dataset"] == dataset]
    return [row[k] for row in rows if row["method"] in methods for k in ("50", "100", "150", "200")]


def brute_force(figure, steps, decimals):
    """Tell whether any multiple lies within half of the last digit, by trying all of them."""
    half = Fraction(1, 2 * 10**decimals)
    return any(abs(Fraction(100 * m, steps) - Fraction(figure)) <= half for m in range(steps + 1))


def test_the_protocol_that_made_a_table_is_recognised():
    for seed in range(5):
        printed = table(10, 8, 4, seed=seed)
        own = auc_granularity(printed, trials=10, positives=8, negatives=4, decimals=2)
        assert (own.fits, own.steps) == (24, 320)
        assert own.p_value < 1e-30
        other = auc_granularity(printed, trials=10, positives=9, negatives=5, decimals=2)
        assert other.fits < 12


def test_tables_of_other_protocols_fit_as_often_as_chance_says():
    """p-values of figures from elsewhere are small about as often as they say."""
    found = [auc_granularity(table(100, 13, 7, seed=s), 10, 9, 5, decimals=2) for s in range(100)]
    fits = sum(each.fits for each in found)
    assert fits == pytest.approx(100 * 24 * found[0].chance, rel=0.3)
    assert sum(each.p_value < 0.05 for each in found) <= 10


def test_equal_decisions_count_one_half():
    printed = table(10, 8, 4, ties=True, seed=3)
    strict = auc_granularity(printed, 10, 8, 4, decimals=2)
    halves = auc_granularity(printed, 10, 8, 4, decimals=2, ties=True)
    assert strict.fits < 24
    assert (halves.fits, halves.steps) == (24, 640)
    assert halves.chance > strict.chance


@pytest.mark.parametrize("decimals", [0, 1, 2])
@pytest.mark.parametrize("protocol", [(1, 3, 2), (10, 4, 4), (7, 3, 3), (10, 9, 5), (1, 1, 1)])
def test_against_brute_force(decimals, protocol):
    steps = int(np.prod(protocol))
    figures = [f"{v / 10**decimals:.{decimals}f}" for v in range(100 * 10**decimals)]
    rng = np.random.default_rng(0)
    some = [figures[place] for place in rng.integers(len(figures), size=60)]
    found = auc_granularity(some, *protocol, decimals=decimals)
    expected = [brute_force(figure, steps, decimals) for figure in some]
    assert list(found.fitting) == expected
    everything = auc_granularity(figures, *protocol, decimals=decimals)
    assert everything.chance == pytest.approx(everything.fits / len(figures), abs=1e-12)
    assert everything.expected == pytest.approx(everything.fits)
    tail = sum(binom.pmf(k, 60, found.chance) for k in range(sum(expected), 61))
    assert found.p_value == pytest.approx(tail)


def test_figures_between_two_multiples_and_shares_of_one():
    # 45 of 320 pairs are 14.0625 %, in the middle of two figures of three decimals.
    found = auc_granularity(["14.062", "14.063", "14.061", "14.064"], 10, 8, 4)
    assert found.fitting == (True, True, False, False)
    assert auc_granularity(["0.9125", "0.8844"], 10, 8, 4, percent=False).fits == 2


def test_digits_come_from_the_texts_and_may_be_given():
    # One trial of 3 × 3 pairs: 8/9 is 88.89 %, and 88.9 % if one decimal is printed.
    assert auc_granularity(["88.90", "88.89"], 1, 3, 3).fitting == (False, True)
    assert auc_granularity(["88.9"], 1, 3, 3).fits == 1
    assert auc_granularity([88.9], 1, 3, 3, decimals=2).fits == 0
    assert auc_granularity(["100", 0], 1, 3, 3, decimals=2).fits == 2


def test_a_grid_finer_than_the_digits_tells_nothing():
    found = auc_granularity(["91.4", "90.1"], 100, 13, 7)
    assert (found.chance, found.p_value) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("dataset", "protocol", "fits"),
    [
        ("colon", (10, 8, 4), 24),
        ("leukemia", (10, 9, 5), 24),
        ("lymphoma", (10, 4, 4), 10),
        ("prostate", (10, 10, 10), 19),
    ],
)
def test_the_ec_fs_paper(dataset, protocol, fits):
    """The other methods' figures are those of ten trials with a fifth as test rows."""
    found = auc_granularity(published(dataset, COMPETITORS), *protocol, decimals=2)
    assert (found.fits, len(found.fitting)) == (fits, 24)
    assert found.expected < 4
    assert found.p_value < 1e-4


@pytest.mark.parametrize(("dataset", "protocol"), [("colon", (10, 8, 4)), ("leukemia", (10, 9, 5))])
def test_its_own_rows_are_of_another_protocol(dataset, protocol):
    found = auc_granularity(published(dataset, ("ec-fs", "inf-fs")), *protocol, decimals=2)
    assert found.fits <= 1
    assert found.p_value > 0.05


@pytest.mark.parametrize(
    ("printed", "protocol", "error", "words"),
    [
        ([], (1, 1, 1), DataError, "empty"),
        (["91,4"], (1, 1, 1), DataError, "'91,4'"),
        (["nan"], (1, 1, 1), DataError, "'nan'"),
        ([None], (1, 1, 1), DataError, "None"),
        (["101.0"], (1, 1, 1), DataError, "from 0 to 100"),
        (["-1"], (1, 1, 1), DataError, "from 0 to 100"),
        (["91"], (0, 1, 1), UsageError, "trials"),
        (["91"], (1, 2.5, 1), UsageError, "positives"),
        (["91"], (1, 2, True), UsageError, "negatives"),
    ],
)
def test_refusals(printed, protocol, error, words):
    with pytest.raises(error, match=words):
        auc_granularity(printed, *protocol)


def test_more_digits_than_said_are_refused():
    with pytest.raises(UsageError, match="more than 1 decimals"):
        auc_granularity(["91.25"], 10, 8, 4, decimals=1)


def test_finer_protocols_fit_what_coarser_ones_made():
    printed = table(10, 8, 4)
    found = [auc_granularity(printed, trials, 8, 4, decimals=2) for trials in (10, 20, 40, 80)]
    assert all(each.fits == 24 for each in found)
    assert all(one.p_value < other.p_value for one, other in pairwise(found))
