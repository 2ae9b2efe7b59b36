import csv
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from featrank.cli import main
from featrank.evaluation import Protocol, compare


@pytest.fixture
def run():
    """Call the command line in this process."""

    def call(*args):
        return CliRunner().invoke(main, [str(arg) for arg in args])

    return call


@pytest.fixture
def launch():
    """Call the command line as users do: a process of its own with pipes."""

    def call(*args):
        command = [sys.executable, "-m", "featrank", *map(str, args)]
        return subprocess.run(command, capture_output=True, text=True, encoding="utf-8")

    return call


@pytest.fixture
def write_table(tmp_path):
    """Write a CSV file of columns, given as a dict from name to values."""

    def write(columns, name="data.csv"):
        path = tmp_path / name
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        return path

    return write


@pytest.fixture
def columns():
    """Return features with awkward names, and labels; 'say "x"' tells the classes apart."""
    rng = np.random.default_rng(0)
    sick = np.arange(40) % 2
    names = ["größe μ", "a,b", 'say "x"', "[red]bold[/red]", "esc\x1b[31m", " lead  two", "基因"]
    named = {name: rng.normal(5, 1, 40) for name in names}
    named['say "x"'] += 4 * sick
    labels = np.where(sick, "sick", "well")
    return {**{name: values.tolist() for name, values in named.items()}, "diagnosis": labels}


@pytest.fixture
def table(columns, write_table):
    return write_table(columns)


def made_values(seed):
    """Return 36 samples of 30 features, the first 5 of which tell two classes apart."""
    rng = np.random.default_rng(seed)
    y = np.arange(36) % 2
    X = rng.normal(5, 1, size=(36, 30))
    X[:, :5] += 0.8 * y[:, None]
    return X, y


@pytest.fixture(scope="session")
def made_results(tmp_path_factory):
    """Three folders of results, each of a data set of its own."""
    protocol = Protocol(
        n_repeats=6, n_features=(3, 6), C=(0.1, 1.0), inner_cv=3, param_grids={"ec-fs": {}}
    )
    folders = []
    for seed in range(3):
        folder = tmp_path_factory.mktemp("results") / f"made{seed}"
        methods = ["ec-fs", "fisher", "mi", "laplacian"]
        compare(*made_values(seed), methods, protocol, dataset=f"made{seed}", out_dir=folder)
        folders.append(folder)
    return folders


@pytest.fixture
def results(made_results, tmp_path):
    """A folder of results that a test may spoil."""
    return shutil.copytree(made_results[0], tmp_path / "results")


@pytest.fixture
def rescore():
    """Put scores of a test's own into a folder: label → array of trials × numbers of features."""

    def write(folder, scores):
        for number, path in enumerate(sorted((folder / "trials").iterdir())):
            with np.load(path) as stored:
                arrays = dict(stored)
            rows = json.loads(str(arrays["rows"]))
            for row in (row for row in rows if row["method"] in scores):
                row["score"] = float(scores[row["method"]][number][(3, 6).index(row["k"])])
            np.savez(path, **{**arrays, "rows": np.array(json.dumps(rows))})

    return write
