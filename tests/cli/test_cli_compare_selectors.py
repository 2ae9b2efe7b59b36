"""``featrank compare --methods module:name``: selectors of others, and files of the user's own."""

import csv
import io
import subprocess
import sys

import numpy as np
import pytest

FAST = ("--trials", 2, "--jobs", 1, "--n-features", "2")

OWN = """
from sklearn.feature_selection import SelectKBest, RFE
from sklearn.svm import LinearSVC

best = SelectKBest(k=1)

def spread(X, y):
    return X.std(axis=0)

number = 3
"""


@pytest.fixture
def made_table(write_table):
    rng = np.random.default_rng(0)
    sick = np.arange(30) % 2
    features = {
        f"gene {j}": (rng.normal(0, 1, 30) + 2 * sick * (j == 2)).tolist() for j in range(6)
    }
    return write_table({**features, "state": np.where(sick, "sick", "well")})


@pytest.fixture
def in_folder(made_table, tmp_path, monkeypatch):
    """Work in a folder with a module of the user's own."""
    (tmp_path / "own_selectors.py").write_text(OWN)
    (tmp_path / "spoilt_selectors.py").write_text("import no_such_package")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    yield made_table
    sys.modules.pop("own_selectors", None)


def test_methods_of_three_kinds(run, in_folder):
    methods = "ec-fs,sklearn.feature_selection:SelectKBest,own_selectors:best,own_selectors:spread"
    done = run("compare", in_folder, "-t", "state", "-m", methods, "--against", "best", *FAST)
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    names = ["ec-fs", "SelectKBest", "best", "spread", "random"]
    assert [row["method"] for row in rows] == names
    assert rows[1]["2"] == rows[2]["2"]  # their k does not matter


@pytest.mark.parametrize(
    "where", [("--jobs", 2), pytest.param(("--workers", 2), marks=pytest.mark.slow)]
)
def test_other_processes_find_the_folder(in_folder, where):
    """With -P, and as an installed command, Python does not look into the current folder."""
    command = [sys.executable, "-P", "-m", "featrank", "compare", in_folder, "-t", "state"]
    command += ["-m", "own_selectors:best,own_selectors:spread", "--trials", 2, "--n-features", 2]
    done = subprocess.run(map(str, [*command, *where]), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [(row["method"], row["failed"]) for row in rows[:2]] == [("best", "0"), ("spread", "0")]


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        ("no_such_module:x", "module 'no_such_module' cannot be imported: ModuleNotFoundError"),
        ("spoilt_selectors:x", "No module named 'no_such_package'"),
        ("own_selectors:bets", "Unknown name in 'own_selectors' 'bets'. Did you mean 'best'?"),
        ("own_selectors:RFE", "the class 'own_selectors:RFE' needs arguments"),
        ("own_selectors:number", "3 cannot rank features"),
        ("own_selectors:best,own_selectors:best", "--methods lists 'best' twice"),
        ("ec-fs,ecfs", "Unknown method 'ecfs'. Did you mean 'ec-fs'"),
        (":x", "''"),
    ],
)
def test_refusals(run, in_folder, methods, told):
    done = run("compare", in_folder, "-t", "state", "-m", methods, *FAST)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())


def test_help_tells_of_them(run):
    told = " ".join(run("compare", "--help").stdout.split())
    assert "MODULE:NAME is a selector or function" in told
