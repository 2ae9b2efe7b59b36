"""Messages are written for Python, and the command line shows options instead of parameters."""

import ast
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import featrank
from featrank.exceptions import DataError
from featrank.report import ranking_report

PACKAGE = Path(featrank.__file__).parent
# Commands to copy, and options of another program.
COMMANDS = {"report/file_description.py", "report/select_commands.py"}
COMMANDS |= {"sources/plink.py", "sources/bed_files.py"}
MODULES = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if (name := path.relative_to(PACKAGE).as_posix()) not in COMMANDS
    and not name.startswith("cli/")
)


def docstrings(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def named_options(source):
    tree = ast.parse(source)
    skipped = set(docstrings(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield from re.findall(r"(?<![\w-])--[a-z][a-z-]+", node.value)


def test_the_search_finds_options():
    assert list(named_options('"""Use --top."""\nprint(f"{1} more: --top K")')) == ["--top"]
    assert len(MODULES) > 300


def test_no_text_of_the_library_names_an_option():
    found = {str(path): list(named_options(path.read_text("utf-8"))) for path in MODULES}
    assert {path: options for path, options in found.items() if options} == {}


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    columns = {f"g{j}": rng.normal(size=30) for j in range(60)}
    days = [f"2024-01-{day + 1:02}" for day in range(30)]
    path = tmp_path / "table.csv"
    pl.DataFrame({**columns, "y": [0, 1] * 15, "day": days}).write_csv(path)
    return path


def test_a_caption_names_the_interface(run, table):
    call = ("rank", table, "-t", "y", "--drop", "day", "-m", "fisher", "-f", "table")
    assert "10 more. Use --top K, or CSV for all." in " ".join(run(*call).stdout.split())
    ranking = featrank.rank_file(table, target="y", drop="day", method="fisher")
    captions = [block.caption for block in ranking_report(ranking).shown if block.caption]
    assert captions == ["10 more. Use `top=K`, or CSV for all."]


def test_dates_as_a_target_need_no_python_in_the_shell(run, table):
    failed = run("rank", table, "-t", "day", "--task", "regression", "-m", "relieff")
    assert "Replace dates with days since the first one." in failed.stderr
    assert "pandas" not in failed.stderr
    assert "numpy" not in failed.stderr
    with pytest.raises(DataError, match="days since the first one: `"):
        featrank.rank_file(table, target="day", task="regression", method="relieff")
