"""Delimited files and workbooks of all kinds, from the shell."""

import numpy as np
import pytest

from ..tables.test_tables_workbooks import write_xlsx

ROWS = [(t * 1.5 + 0.25, t % 3 if t != 4 else "-", "uw"[t % 2]) for t in range(12)]
NOTE = "Read 'd.csv' with separator ';' and decimal comma."


@pytest.fixture
def semicolons(tmp_path):
    lines = [f"{a};{b};{kind}\n".replace(".", ",") for a, b, kind in ROWS]
    (tmp_path / "d.csv").write_text("a;b;kind\n" + "".join(lines))
    return tmp_path / "d.csv"


ASKED = ("--target", "kind", "--method", "fisher", "--na-values", "-", "--missing", "mean")


@pytest.mark.parametrize("memory", [(), ("--memory", "1GB")])
def test_what_was_detected_is_printed_once(run, semicolons, memory):
    done = run("rank", semicolons, *ASKED, *memory)
    assert done.exit_code == 0, done.output
    assert done.stderr.count(NOTE) == 1
    given = run("rank", semicolons, *ASKED, *memory, "--sep", ";", "--decimal", ",")
    assert NOTE not in given.stderr
    assert given.stdout == done.stdout


def test_compare_prints_it_and_takes_the_options(run, semicolons):
    asked = ("--target", "kind", "--methods", "fisher", "--trials", 2, "--na-values", "-")
    done = run("compare", semicolons, *asked, "--n-features", 1)
    assert done.exit_code == 0, done.output
    assert done.stderr.count(NOTE) == 1


def test_select_takes_the_options(run, semicolons):
    out = semicolons.with_name("out.csv")
    done = run("select", semicolons, *ASKED, "--top", 1, "-o", out)
    assert done.exit_code == 0, done.output
    assert done.stderr.count(NOTE) == 1


@pytest.mark.parametrize("memory", [(), ("--memory", "1GB")])
def test_an_odd_cell_gets_advice_for_the_shell(run, semicolons, memory):
    done = run("rank", semicolons, "--target", "kind", *memory)
    assert done.exit_code == 1
    assert "1 of 12 cells of column 'b' cannot be read as a number." in done.stderr
    assert "The first is '-' in line 6. Use --na-values - to treat" in done.stderr


def test_advice_is_quoted_for_the_shell(run, semicolons):
    content = semicolons.read_text().replace("-", "#DIV/0!")
    semicolons.write_text(content)
    assert "Use --na-values '#DIV/0!' to" in run("rank", semicolons, "--target", "kind").stderr
    done = run("rank", semicolons, "--target", "kind", "--sep", ";", "--decimal", ".")
    assert "Use --decimal , if ',' is the decimal mark." in done.stderr


def test_a_sheet_by_name(run, tmp_path):
    rows = [["a", "b", "kind"], *map(list, ROWS)]
    path = write_xlsx(tmp_path / "d.xlsx", {"notes": rows[:1] * 2, "values": rows})
    done = run("rank", path, *ASKED, "--sheet", "values")
    assert done.exit_code == 0, done.output
    failed = run("rank", path, *ASKED)
    assert failed.exit_code == 1
    assert "Read sheet 'notes' of 'd.xlsx', which has 2 sheets." in failed.stderr
    assert "Choose another one with --sheet NAME." in failed.stderr


def test_a_class_file(run, tmp_path):
    np.save(tmp_path / "d.npy", np.random.default_rng(0).normal(size=(6, 3)))
    (tmp_path / "d.cls").write_text("6 2 1\n# u w\n0 1 0 1 0 1\n")
    asked = ("--method", "fisher", "--labels", tmp_path / "d.cls")
    done = run("rank", tmp_path / "d.npy", *asked)
    assert done.exit_code == 0, done.output
    refused = run("rank", tmp_path / "d.npy", *asked, "--target", "u")
    assert "has no columns. Leave out --target." in refused.stderr
