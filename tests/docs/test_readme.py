"""The README is short, and its commands print what it shows."""

import doctest
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from featrank import rank
from featrank.datasets import make_microarray
from featrank.evaluation import Protocol, compare

README = Path(__file__).parents[2] / "README.md"
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def commands():
    """Return the commands of the README with the output that it shows."""
    for block in CONSOLE.findall(README.read_text(encoding="utf-8")):
        for example in block.split("$ ")[1:]:
            command, _, output = example.partition("\n")
            yield command, output


def run(command, folder):
    """Run a command as on a terminal of 80 columns; return its exit code and what it prints."""
    ours, theirs = pty.openpty()
    environment = {
        **os.environ,
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    with subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=theirs,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        os.close(theirs)
        table = _read(ours)
        notes = process.stderr.read()
    return process.returncode, table + notes


def _read(terminal):
    content = b""
    while True:
        try:
            content += os.read(terminal, 65536)
        except OSError:  # the other end was closed
            os.close(terminal)
            return content.decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("readme")
    return {command: run(command, folder) for command, _ in commands()}


@pytest.mark.parametrize(("command", "shown"), list(commands()))
def test_commands_print_what_the_readme_shows(results, command, shown):
    code, printed = results[command]
    assert code == 0, printed
    checker = doctest.OutputChecker()
    example = doctest.Example("", shown)
    assert checker.check_output(shown, printed, FLAGS), checker.output_difference(
        example, printed, FLAGS
    )


def test_the_readme_is_short_and_has_commands():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 130
    assert len(list(commands())) >= 4


def test_links_of_the_readme_exist():
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", README.read_text(encoding="utf-8"))
    assert targets
    assert [link for link in targets if not (README.parent / link).exists()] == []


def test_the_caption_of_the_figure_is_true():
    data = make_microarray(
        80, 2000, n_informative=20, n_correlated=30, effect=1.0, correlation=0.5, random_state=0
    )
    planted = {*data.truth["informative"], *data.truth["correlated"]}
    hits = len(planted & {*rank(data.X, data.y).order[:20]})
    protocol = Protocol(n_repeats=20, n_features=(20,), C=(0.001, 0.01, 0.1, 1))
    comparison = compare(data.X, data.y, ["ec-fs"], protocol)
    top, random = comparison.table()[0][20], comparison.baseline_row()[20]
    caption = README.read_text(encoding="utf-8").split("![")[1].split("]")[0]
    assert f"{hits} of the top 20 are planted" in caption
    assert f"a mean AUC of {top:.2f}, random genes {random:.2f}" in caption
