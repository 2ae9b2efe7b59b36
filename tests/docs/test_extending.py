"""What CONTRIBUTING promises: a method is one file, and the one on the page is right."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from featrank.exceptions import DataError
from featrank.kernels import _featrank
from tests.common.checks import CHECKS
from tests.common.test_every_ranker import maker
from tests.support.launcher import Launcher

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "CONTRIBUTING.md"

# What the package imports, for processes that have the copy in the place of featrank. An editable
# installation answers for featrank before sys.path is asked.
IMPORTS = """
import click, joblib, narwhals, numpy, pandas, polars, rich.console, scipy.sparse, scipy.stats
import sklearn.feature_selection, sklearn.model_selection, sklearn.svm
sys.meta_path[:] = [f for f in sys.meta_path if "Redirecting" not in type(f).__name__]
assert not any(name.split(".")[0] == "featrank" for name in sys.modules)
"""
IN_THE_COPY = """
import runpy, sys
sys.path.insert(0, "src")
sys.argv = sys.argv[1:]
"""


def example():
    """Return the first block of Python on the page."""
    return re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL).group(1)


def tunable_example():
    """Return the block with a parameter that users may tune."""
    text = example().replace(
        "    def _score",
        '    tunable = Tunable("power", (0.5, 0.01, 1.0), fallback=1.0)\n\n'
        "    power: float | str = 1.0\n    n_jobs: int | None = None\n\n    def _score",
    )
    text = text.replace("axis=0)", "axis=0) ** self.power_")
    about = "power : float or 'cv', default=1.0\n        Exponent.\n    n_jobs : int or None\n"
    text = text.replace("    References\n", f"    {about}        Threads.\n\n    References\n")
    return text.replace("\n\nclass", "from featrank.base.tuning import Tunable\n\n\nclass", 1)


@pytest.fixture(scope="module", params=[example, tunable_example], ids=["as-it-is", "tunable"])
def method(request, tmp_path_factory):
    """Return the class on the page, from a module of its own."""
    path = tmp_path_factory.mktemp("contributed") / f"contributed_{request.param.__name__}.py"
    path.write_text(request.param(), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # for pickle
    spec.loader.exec_module(module)
    yield module.Range
    del sys.modules[path.stem]


@pytest.fixture
def copied(tmp_path):
    """Return a copy of the package and of what makes its generated parts.

    What Python has made of the same files comes along: it uses that as far as it fits.
    """
    source = shutil.copytree(
        ROOT / "src/featrank",
        tmp_path / "src/featrank",
        ignore=shutil.ignore_patterns("*.so"),
    )
    shutil.copy(_featrank.__file__, source / "compiled")
    (tmp_path / "docs/methods").mkdir(parents=True)
    for name in ("docs/generate.py", "docs/methods/README.md", "docs/files.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture(scope="module")
def mypy(tmp_path_factory):
    """Run mypy in a folder; what it made of the same files before is used as far as it fits."""
    made = tmp_path_factory.mktemp("mypy") / "cache"
    if (ROOT / ".mypy_cache").exists():
        shutil.copytree(ROOT / ".mypy_cache", made)

    def run(folder, *files):
        return _tool("mypy", "--cache-dir", made, *files, cwd=folder, MYPYPATH="src").stdout

    return run


@pytest.fixture(scope="module")
def launcher(tmp_path_factory):
    with Launcher(IMPORTS, tmp_path_factory.mktemp("launcher")) as launcher:
        yield launcher


@pytest.fixture
def in_copy(copied, launcher):
    """Run a Python file or some code with the copy in the place of featrank."""

    def run(*args, code="runpy.run_path(sys.argv[0], run_name='__main__')"):
        return launcher.run(f"{IN_THE_COPY}\n{code}", *args, folder=copied)

    return run


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_the_example_passes_the_common_suite(method, check):
    check(maker(method))


def test_the_example_passes_the_checks_of_scikit_learn(method):
    check_estimator(method())


@pytest.mark.slow
def test_a_new_method_is_one_file_and_make_docs(copied, in_copy, mypy):
    (copied / "src/featrank/rankers/range.py").write_text(example(), encoding="utf-8")
    late = in_copy("docs/generate.py", "--check")
    assert late.returncode == 1
    assert late.stderr.splitlines() == [
        "docs/methods/README.md is out of date. Run: make docs",
        "src/featrank/__init__.py is out of date. Run: make docs",
    ]
    assert in_copy("docs/generate.py").returncode == 0
    assert in_copy("docs/generate.py", "--check").returncode == 0
    row = "| [`range`](range.md) | `Range` | filter | none |"
    assert row in (copied / "docs/methods/README.md").read_text()
    code = "import featrank; print(featrank.__file__, featrank.Range().name, *featrank.__all__)"
    file, name, *exported = in_copy(code=code).stdout.split()
    assert Path(file).is_relative_to(copied)
    assert name == "range"
    assert "Range" in exported
    code = "import doctest, featrank.rankers.range as it; sys.exit(doctest.testmod(it).failed)"
    assert in_copy(code=code).returncode == 0
    _assert_linted(copied)
    _assert_typed(copied, mypy)


FORMAT = '''"""Lines of numbers, the last of which is the label; only read."""

from featrank.tables import Table
from featrank.tables.format import Format

FORMAT = Format(names=("lines",), suffixes=(".lines",), target=None, labels="the last number")


def read(path, options):
    import numpy as np

    values = np.loadtxt(path)
    return Table(values[:, :-1], [f"x{j}" for j in range(values.shape[1] - 1)], values[:, -1])
'''

USE_FORMAT = """
from featrank import tables
table = tables.read_table("d.lines")
print(table.X.shape, table.y.tolist(), ".lines" in tables.READABLE)
try:
    tables.write_table("new.lines", table)
except tables.UsageError as error:
    print(error)
"""


SOURCE_FORMAT = '''"""Lines of numbers, part by part."""

from featrank.tables.format import Format

FORMAT = Format(names=("lines",), suffixes=(".lines",))


def open(path, options):
    import numpy as np
    from featrank.sources import Blocks

    return Blocks(lambda: (np.loadtxt([line], ndmin=2) for line in path.open()), name=path.name)
'''

USE_SOURCE_FORMAT = """
from featrank.sources import open_dataset
source = open_dataset("d.lines")
print(source.shape, *[part.read().X.tolist() for part in source.chunks(1000)])
"""


def test_a_new_format_of_sources_is_one_module(copied, in_copy):
    (copied / "src/featrank/formats/lines.py").write_text(SOURCE_FORMAT)
    (copied / "d.lines").write_text("1 2\n3 4\n")
    assert in_copy(code=USE_SOURCE_FORMAT).stdout == "(None, 2) [[1.0, 2.0]] [[3.0, 4.0]]\n"


def test_a_new_format_is_one_module_and_make_docs(copied, in_copy):
    (copied / "src/featrank/formats/lines.py").write_text(FORMAT)
    (copied / "d.lines").write_text("1 2 0\n3 4 1\n5 7 1\n0 2 0\n")
    late = in_copy("docs/generate.py", "--check")
    assert late.returncode == 1
    assert set(late.stderr.splitlines()) == {
        "docs/files.md is out of date. Run: make docs",
        "src/featrank/tables/__init__.py is out of date. Run: make docs",
    }
    assert in_copy("docs/generate.py").returncode == 0
    assert in_copy("docs/generate.py", "--check").returncode == 0
    page = (copied / "docs/files.md").read_text()
    assert "| lines | `.lines` | – | the last number | – |" in page
    shape, error = in_copy(code=USE_FORMAT).stdout.splitlines()
    assert shape == "(4, 2) [0.0, 1.0, 1.0, 0.0] True"
    assert error.startswith("Cannot write 'new.lines': its format can only be read")
    command = "from featrank.cli import main; main(sys.argv)"
    told = " ".join(in_copy("rank", "--help", code=command).stdout.split())
    assert ".libsvm.gz, .svm" in told
    assert ", .lines, " in told
    header, first, *_ = in_copy("rank", "d.lines", code=command).stdout.splitlines()
    assert header.startswith("rank,feature,score,")
    assert first.startswith("1,x")


@pytest.mark.parametrize("method", [tunable_example], ids=["tunable"], indirect=True)
def test_a_tunable_parameter_is_one_line(method):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 8))
    X[:, 0] += 3 * y
    ranker = method(power="cv").fit(X, y)
    assert ranker.power_ == 1.0  # every power gives the same order, and the last value wins
    assert ranker.tuned_params()["power"] == 1.0
    np.testing.assert_array_equal(method(power=0.5).fit(X).scores_, np.ptp(X, axis=0) ** 0.5)
    assert method(power="cv").cost(60, 8) is None
    with pytest.raises(DataError, match="power='cv' evaluates rankings and needs one label"):
        method(power="cv").fit(X)
    with pytest.raises(ValueError, match="power"):
        method(power=-0.5j).fit(X)


FIGURE = '''"""Counts as bars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from featrank.plots.description import Axis, Bars
from featrank.plots.display import DescribedDisplay, Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = ["TrialCountDisplay"]


class TrialCountDisplay(DescribedDisplay):
    """How many rows each method has in a comparison."""

    def __init__(self, counts: Mapping[str, int], *, title: str = ""):
        self.counts, self.title = dict(counts), title

    @classmethod
    def from_results(cls, results: Any, *, ax: Axes | None = None) -> Self:
        """Draw the number of rows of each method."""
        return cls({row["method"]: 1 for row in results.table()}).plot(ax)

    def _rows(self) -> Rows:
        return [{"method": name, "count": count} for name, count in self.counts.items()]

    def _size(self) -> tuple[float, float]:
        return 5.0, 3.0

    def describe(self) -> Bars:
        """Return the bars."""
        counts = list(self.counts.values())
        axis = Axis("trials", low=0, high=max(counts))
        return Bars(axis, list(self.counts), counts, [str(count) for count in counts])
'''


@pytest.mark.slow
def test_a_new_figure_is_one_file_and_make_docs(copied, in_copy, mypy):
    new = copied / "src/featrank/plots/trial_count.py"
    new.write_text(FIGURE)
    late = in_copy("docs/generate.py", "--check")
    assert late.returncode == 1
    assert late.stderr == "src/featrank/plots/__init__.py is out of date. Run: make docs\n"
    assert in_copy("docs/generate.py").returncode == 0
    assert in_copy("docs/generate.py", "--check").returncode == 0
    code = (
        "from featrank.plots import TrialCountDisplay, kinds, save\n"
        "print('trial-count' in kinds())\n"
        "save(TrialCountDisplay({'mi': 2, 'fisher': 1}).plot().figure_, 'new.svg')"
    )
    done = in_copy(code=code)
    assert done.stdout == "True\n", done.stderr
    assert (copied / "new.svg").read_text().startswith("<?xml")
    _assert_linted(copied)
    user = copied / "user.py"
    user.write_text("from featrank import plots\nreveal_type(plots.TrialCountDisplay)\n")
    assert "def (counts: typing.Mapping[str, int]" in mypy(copied, "user.py")
    # A figure that has gone is taken out again, although the package cannot be imported.
    new.unlink()
    assert in_copy("docs/generate.py").returncode == 0
    assert in_copy(code="import featrank.plots").returncode == 0


def _assert_linted(folder):
    """The rules of the project hold, docstrings included."""
    for command in (["check"], ["format", "--check"]):
        done = _tool("ruff", *command, "src", cwd=folder)
        assert done.returncode == 0, done.stdout


def _assert_typed(folder, mypy):
    """Type checkers see the new method, as part of the package and as users import it."""
    user = folder / "user.py"
    user.write_text(
        "import featrank\nfrom featrank import Range\n"
        "reveal_type(Range())\nreveal_type(featrank.ECFS().rank_candidates)\n"
        "reveal_type(featrank.datasets.make_microarray)\nfeatrank.Rang\n"
    )
    said = mypy(folder, "src/featrank/rankers/range.py", "user.py")
    told = [line.split(": ", 1)[1] for line in said.splitlines() if "user.py:" in line]
    assert told[0] == 'note: Revealed type is "featrank.rankers.range.Range"'
    assert told[1].startswith('note: Revealed type is "def (X: Any, y: Any, candidates')
    assert "Dataset" in told[2]
    assert told[3].startswith('error: Module has no attribute "Rang"')
    assert "Found 1 error in 1 file" in said


def _tool(name, *args, cwd, **settings):
    command = [sys.executable, "-m", name, *args]
    return subprocess.run(
        command, cwd=cwd, env=os.environ | settings, capture_output=True, text=True
    )
