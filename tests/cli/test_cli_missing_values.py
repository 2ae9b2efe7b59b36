"""Gaps that are skipped, and the ways out where they cannot be: each of them works."""

import numpy as np
import pandas as pd
import pytest

import featrank
from featrank.exceptions import DataError, UsageError

FOR_CLASSES = ["ec-fs", "fisher", "inf-fs-s", "mi", "moderated-t", "trace-ratio", "relieff"]


@pytest.fixture
def gaps(tmp_path):
    """Return a file of 60 samples, one feature of which lacks values, with two targets."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(60, 5))).add_prefix("g")
    dose = 3 * frame["g2"] + rng.normal(size=60)
    frame.loc[::7, "g3"] = np.nan
    frame["dose"], frame["kind"] = dose, np.where(dose > 0, "high", "low")
    path = tmp_path / "gaps.csv"
    frame.to_csv(path, index=False)
    return path


FOR_A_QUANTITY = ("--target", "dose", "--drop", "kind", "--task", "regression")
TO_TELL_CLASSES = ("--target", "kind", "--drop", "dose")


def named(told):
    """Return the methods that a message offers."""
    return told.split("another method: ")[1].split(" (for each")[0].strip(" .\n").split(", ")


@pytest.mark.parametrize("method", ["ec-fs", "fisher", "mi", "mrmr", "lasso"])
def test_gaps_of_a_quantity_have_a_way_out(run, gaps, method):
    asked = ("rank", gaps, *FOR_A_QUANTITY, "--top", 1)
    told = run(*asked, "--method", method, "--missing", "skip")
    assert told.exit_code == 2
    assert "cannot skip missing values in regression" in told.stderr
    assert named(told.stderr) == ["relieff"]
    assert ",g2," in run(*asked, "--method", "relieff", "--missing", "skip").stdout
    assert "Fill them in with --missing mean, or choose another method" in told.stderr
    for missing in ("mean", "median", "knn"):
        assert run(*asked, "--method", method, "--missing", missing).exit_code == 0


@pytest.mark.parametrize("method", ["svm-rfe", "laplacian"])
def test_methods_that_skip_are_named_by_others(run, gaps, method):
    asked = ("rank", gaps, *TO_TELL_CLASSES, "--top", 1, "--missing", "skip")
    told = run(*asked, "--method", method)
    assert named(told.stderr) == FOR_CLASSES
    for able in FOR_CLASSES:
        assert run(*asked, "--method", able).exit_code == 0


def test_gaps_of_each_class_have_a_way_out(run, gaps):
    asked = ("rank", gaps, *TO_TELL_CLASSES, "--per-class", "--top", 1, "--missing", "skip")
    told = run(*asked)
    assert "in a ranking for each class" in told.stderr
    assert named(told.stderr) == ["relieff"]
    assert run(*asked, "--method", "relieff").exit_code == 0


def test_a_quantity_is_not_read_in_parts(gaps, tmp_path):
    """Methods on summaries are no way out for those who use them already."""
    whole = tmp_path / "whole.parquet"
    pd.read_csv(gaps).drop(columns=["kind", "g3"]).to_parquet(whole)
    with pytest.raises(
        UsageError, match=r"takes no checkpoint\. Leave it out\. No method reads data in"
    ):
        featrank.rank(whole, "dose", task="regression", checkpoint=tmp_path / "state")
    rows = np.random.default_rng(0).normal(size=(30_000, 101))
    wide = tmp_path / "long.parquet"
    pd.DataFrame(rows).rename(columns=str).to_parquet(wide)
    with pytest.raises(
        DataError, match=r"Raise the limit.*No method reads data in chunks for regression"
    ):
        featrank.rank(wide, "100", "fisher", task="regression", memory="16MB")
