"""What the project says of itself: one version, and the packages that its code imports."""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import metadata
from pathlib import Path

import pytest

import featrank

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "featrank"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What tests and measures featrank, but is no part of it.
TOOLS = {"dev", "peers", "test"}
IMPORTED_AS = {"scikit-learn": "sklearn"}


def imports_of(path):
    """Yield the first word of everything that a file imports, in functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


def declared_names(requirements):
    """Return the names under which required packages are imported."""
    names = {re.match(r"[\w.-]+", line)[0] for line in requirements}
    return {IMPORTED_AS.get(name, name) for name in names}


@cache
def imported():
    """Return the first word of everything that the package imports."""
    return {name for path in SOURCES.rglob("*.py") for name in imports_of(path)}


GROUPS = {"core": PROJECT["dependencies"]} | {
    extra: requirements
    for extra, requirements in PROJECT["optional-dependencies"].items()
    if extra not in TOOLS
}


@pytest.mark.parametrize("group", GROUPS)
def test_nothing_is_installed_that_no_code_imports(group):
    assert declared_names(GROUPS[group]) - imported() == set()


def test_everything_imported_is_declared():
    declared = set().union(*map(declared_names, GROUPS.values()))
    assert imported() - declared - {"featrank", *sys.stdlib_module_names} == set()


def test_the_version_is_written_once():
    assert "version" in PROJECT["dynamic"]
    assert metadata("featrank")["Version"] == featrank.__version__


def test_the_citation_names_this_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [featrank.__version__]


def test_the_extra_for_all_tools_brings_every_other_extra():
    dev = "\n".join(PROJECT["optional-dependencies"]["dev"])
    named = re.search(r"featrank\[(.+)\]", dev)[1].split(",")
    assert set(named) == {*GROUPS, "test"} - {"core"}
