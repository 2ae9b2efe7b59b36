"""``featrank methods --for``: by what classes declare, and by what was measured."""

import csv
import io
import json

import pytest

import featrank
from featrank.base.suitability import SOON, measured
from featrank.report.methods import TITLES


def names(run, *uses):
    given = [text for use in uses for text in ("--for", use)]
    result = run("methods", *given, "--format", "json")
    assert result.exit_code == 0, result.output
    return [entry["name"] for entry in json.loads(result.stdout)]


@pytest.mark.parametrize(
    ("use", "holds"),
    [
        ("sparse", lambda cls: cls.accepts_sparse),
        ("unlabelled", lambda cls: not cls.supervised),
        ("regression", lambda cls: "regression" in cls.tasks),
    ],
)
def test_traits_decide(run, use, holds):
    assert names(run, use) == [name for name, cls in featrank.methods().items() if holds(cls)]


@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_measured_seconds_decide_and_order(run, shape):
    known = {name: own[shape] for name, own in measured()["methods"].items()}
    soon = {name for name, seconds in known.items() if seconds is not None and seconds <= SOON}
    found = names(run, shape)
    assert set(found) == soon
    assert [known[name] for name in found] == sorted(known[name] for name in found)


def test_every_method_was_measured():
    assert set(measured()["methods"]) == set(featrank.methods())


def test_several_hold_together(run):
    both = names(run, "unlabelled", "wide")
    assert set(both) == set(names(run, "unlabelled")) & set(names(run, "wide"))


def test_tables_group_by_target_and_show_the_seconds(run):
    text = run("methods").stdout
    assert all(title in text for title in TITLES.values())
    assert "wide, s" in run("methods", "--for", "wide").stdout


def test_csv_has_the_seconds(run):
    rows = list(csv.DictReader(io.StringIO(run("methods", "--format", "csv").stdout)))
    own = measured()["methods"]["ec-fs"]
    row = next(row for row in rows if row["name"] == "ec-fs")
    assert float(row["wide_seconds"]) == own["wide"]
    assert row["tasks"] == "classification regression"


def test_an_unknown_kind_is_refused(run):
    result = run("methods", "--for", "nothing")
    assert result.exit_code == 2
    assert "regression" in result.stderr


@pytest.mark.parametrize(("layout", "between"), [("csv", ","), ("tsv", "\t")])
def test_kinds_that_no_method_suits_together_are_told(run, layout, between):
    result = run("methods", "--for", "regression", "--for", "unlabelled", "--format", layout)
    assert result.exit_code == 0
    assert result.stdout == run("methods", "--format", layout).stdout.splitlines(True)[0]
    assert result.stdout.startswith(f"name{between}purpose{between}")
    assert "none is for regression and unlabelled. Leave out --for regression or" in result.stderr


def test_every_pair_that_excludes_all_is_told(run):
    result = run("methods", "--for", "sparse", "--for", "regression", "--for", "unlabelled")
    told = (
        "none is for sparse and unlabelled, or for regression and unlabelled. Leave out --for unl"
    )
    assert told in result.stderr
    assert names(run, "sparse", "regression")


def test_kinds_that_some_method_suits_are_not_doubted(run):
    assert run("methods", "--for", "sparse", "--for", "regression").stderr == ""
