import csv
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from featrank.cli import main


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
