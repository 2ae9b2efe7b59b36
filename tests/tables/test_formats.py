"""What each format declares of itself holds, and is what help and errors say."""

import numpy as np
import pytest
from click.testing import CliRunner

from featrank.cli import main
from featrank.exceptions import UsageError
from featrank.tables import READABLE, WRITABLE, Table, read_table, write_table
from featrank.tables.format import modules, suffixes

MODULES = [module for module in modules() if hasattr(module, "read")]
BY_SUFFIX = [(suffix, module.FORMAT) for module in MODULES for suffix in module.FORMAT.suffixes]
WRITTEN = [(suffix, declared) for suffix, declared in BY_SUFFIX if declared.writes is not None]


@pytest.fixture
def table():
    X = np.array([[1.0, 0.0, 2.5], [0.0, 4.0, 1.0], [3.0, 1.0, 0.5], [2.0, 2.0, 2.0]])
    return Table(X, ["a", "b", "c"], np.array([3, 1, 3, 1]), "kind")


def said(*args):
    """Return what a command prints, in one line."""
    return " ".join(CliRunner().invoke(main, [str(arg) for arg in args]).output.split())


def test_declarations_are_complete():
    assert len(READABLE) == len(set(READABLE))
    assert all(suffix == suffix.lower() for suffix in READABLE)
    for module in MODULES:
        assert callable(module.read)
        assert (module.FORMAT.writes is not None) == hasattr(module, "write")
        assert module.FORMAT.target or module.FORMAT.labels
        assert set(module.FORMAT.loses) <= {"labels", "names", "ids"}


@pytest.mark.parametrize(("suffix", "declared"), WRITTEN)
def test_labels_and_names_are_kept_as_declared(tmp_path, table, suffix, declared):
    path = tmp_path / f"d{suffix}"
    write_table(path, table)
    stored = read_table(path)
    assert (stored.y is not None) == (declared.labels is not None)
    if "labels" in declared.loses:
        assert stored.X.shape == table.X.shape
    elif declared.labels is None:
        assert read_table(path, target="kind").y.tolist() == [3, 1, 3, 1]
    else:
        assert stored.y.tolist() == [3, 1, 3, 1]
    assert ("names" in declared.loses) == ("a" not in stored.feature_names)


@pytest.mark.parametrize(("suffix", "declared"), BY_SUFFIX)
def test_the_command_asks_for_a_target_as_declared(tmp_path, table, suffix, declared):
    path = tmp_path / f"d{suffix}"
    if declared.writes is None:
        path.write_bytes(b"not read before a target is named")
    else:
        write_table(path, table)
    told = said("rank", path, "--method", "fisher", "--format", "csv", "--min-class-size", 1)
    if declared.labels is None:
        assert told.startswith("error: fisher needs a target. ")
        named = f"Name {declared.target} (-1 is the last column): --target COL."
        assert "Use --target " in told or told.endswith(named)
    else:
        assert "rank,feature,score" in told
        assert "error" not in told


@pytest.mark.parametrize(("suffix", "declared"), WRITTEN)
def test_select_says_what_a_file_cannot_hold(tmp_path, table, suffix, declared):
    write_table(tmp_path / "d.npz", table)
    told = said("select", tmp_path / "d.npz", "--top", 2, "--output", tmp_path / f"out{suffix}")
    lost = {"labels", "names", "ids"} & set(told.partition("file stores ")[2].rstrip(".").split())
    assert lost == set(declared.loses) - {"ids"}  # there were none


@pytest.mark.parametrize("command", ["rank", "select", "compare"])
def test_help_names_all_suffixes(command):
    told = said(command, "--help")
    known = READABLE if command == "compare" else suffixes()  # compare reads whole tables only
    assert {".npy", ".csv"} < set(known)
    assert f"Its extension determines the format: {', '.join(known)}." in told


def test_errors_name_all_suffixes(tmp_path, table):
    with pytest.raises(UsageError, match=f"Known extensions: {', '.join(READABLE)}."):
        read_table(tmp_path / "d.docx")
    with pytest.raises(UsageError, match=f"Known extensions: {', '.join(WRITABLE)}."):
        write_table(tmp_path / "d.docx", table)
