"""What CONTRIBUTING promises of the results side: each kind of addition is one file."""

import numpy as np

from featrank.evaluation import Protocol, compare

from .test_extending import _assert_linted, copied, in_copy, launcher  # noqa: F401

MAIN = "from featrank.cli import main; main(sys.argv)"

COMMAND = '''"""``featrank greet``: says hello."""

import click

ORDER = 20


@click.command("greet")
def command() -> None:
    """Say hello."""
    click.echo("Hello.")
'''


def test_a_new_command_is_one_file(copied, in_copy):  # noqa: F811
    (copied / "src/featrank/cli/commands/greet.py").write_text(COMMAND)
    assert in_copy("greet", code=MAIN).stdout == "Hello.\n"
    assert "greet         Say hello." in in_copy("--help", code=MAIN).stdout
    assert in_copy("docs/generate.py", "--check").returncode == 0


LAYOUT = '''"""A line a row, with bars between the values."""

NAME = "bars"
SUFFIXES = (".bars",)
FOR_PEOPLE = False


def write(report, stream):
    """Write the rows."""
    for row in report.rows:
        stream.write("|".join(map(str, row.values())) + "\\n")
'''


def test_a_new_layout_is_one_file(copied, in_copy):  # noqa: F811
    (copied / "src/featrank/report/formats/bars.py").write_text(LAYOUT)
    (copied / "d.csv").write_text("a,b,c\n1,2,x\n2,9,x\n7,3,y\n8,4,y\n")
    told = in_copy("methods", "--format", "bars", code=MAIN).stdout.splitlines()
    assert any(
        line.startswith("fisher|Class separation (Fisher)|filter|statistics|True|") for line in told
    )
    assert "bars" in in_copy("methods", "--help", code=MAIN).stdout
    written = in_copy("rank", "d.csv", "-t", "c", "-o", "new.bars", code=MAIN)
    assert written.returncode == 0, written.stderr
    assert (copied / "new.bars").read_text().startswith("1|a|")
    assert in_copy("docs/generate.py", "--check").returncode == 0


def test_a_new_layout_of_rankings_alone_is_one_file(copied, in_copy):  # noqa: F811
    text = LAYOUT.replace("FOR_PEOPLE = False", 'FOR_PEOPLE = False\nRANKINGS = "one"')
    (copied / "src/featrank/report/formats/bars.py").write_text(text)
    (copied / "d.csv").write_text("a,b,c\n1,2,x\n2,9,x\n7,3,y\n8,4,y\n")
    assert "bars" not in in_copy("methods", "--help", code=MAIN).stdout
    assert in_copy("rank", "d.csv", "-t", "c", "-f", "bars", code=MAIN).stdout.startswith("1|a|")
    several = in_copy("rank", "d.csv", "-t", "c", "-f", "bars", "--per-class", code=MAIN)
    assert "--of-class" in several.stderr


METRIC = '''

def accuracy(y_true: Any, y_found: Any) -> float:
    """Return the share of labels that were found."""
    return float(np.mean(np.asarray(y_true) == np.asarray(y_found)))
'''


def test_a_new_metric_is_one_file_and_make_docs(copied, in_copy):  # noqa: F811
    path = copied / "src/featrank/statistics/metrics.py"
    text = path.read_text().replace("__all__ = [", '__all__ = [\n    "accuracy",', 1)
    path.write_text(text + METRIC)
    late = in_copy("docs/generate.py", "--check")
    assert late.stderr == "src/featrank/statistics/__init__.py is out of date. Run: make docs\n"
    assert in_copy("docs/generate.py").returncode == 0
    code = "from featrank.statistics import accuracy; print(accuracy([1, 2], [1, 3]))"
    assert in_copy(code=code).stdout == "0.5\n"
    _assert_linted(copied)


def test_a_new_measure_of_stability_is_one_entry(copied, in_copy, tmp_path):  # noqa: F811
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 12)), np.arange(30) % 2
    folder = tmp_path / "results"
    compare(X, y, ["fisher"], Protocol(n_repeats=2, n_features=(2,), C=(1.0,)), out_dir=folder)
    path = copied / "src/featrank/statistics/measures.py"
    entry = 'MEASURES = {\n    "none": Measure(lambda sets, weights: 0.0, "Always 0.", True),\n'
    path.write_text(path.read_text().replace("MEASURES = {\n", entry, 1))
    done = in_copy("stability", str(folder), "--measure", "none", "-f", "table", code=MAIN)
    assert "Always 0." in done.stdout, done.stderr
    told = in_copy("stability", "--help", code=MAIN).stdout
    assert "[none|kuncheva|" in told
