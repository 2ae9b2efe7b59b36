"""The check of wheels: what it must refuse."""

import pytest

from .contents import SOURCES, SUFFIXES, faults

OLD, NEW = (3, 11), (3, 13)
STABLE = "featrank-1-cp312-abi3-linux_x86_64.whl", "featrank/compiled/_featrank.abi3.so"
ONE_VERSION = (
    "featrank-1-cp313-cp313-linux_x86_64.whl",
    "featrank/compiled/_featrank.cpython-313.so",
)
PACKAGE = {
    path.relative_to(SOURCES).as_posix()
    for suffix in SUFFIXES
    for path in SOURCES.rglob(f"*{suffix}")
}
NOTES = {"featrank-1.dist-info/METADATA", "featrank-1.dist-info/licenses/LICENSE"}


def faults_of(kind=STABLE, more=(), less=(), version=NEW):
    wheel, module = kind
    return list(faults(wheel, (PACKAGE | NOTES | {module, *more}) - {*less}, version))


@pytest.mark.parametrize(("kind", "version"), [(STABLE, NEW), (ONE_VERSION, OLD)])
def test_a_whole_wheel_has_no_faults(kind, version):
    assert faults_of(kind, version=version) == []


@pytest.mark.parametrize(
    "name",
    [
        "featrank/py.typed",
        "featrank/reproduction/data/table3.csv",
        "featrank/base/measured_costs.json",
        "featrank/report/assets/page.css",
        "featrank/report/assets/page.js",
        "featrank/api.py",
    ],
)
def test_what_is_missing_is_named(name):
    assert faults_of(less=[name]) == [f"lacks {name}"]


@pytest.mark.parametrize(
    "name", ["tests/conftest.py", "csrc/bindings/module.cpp", "featrank/notes.txt"]
)
def test_what_does_not_belong_is_named(name):
    assert faults_of(more=[name]) == [f"holds {name}"]


def test_a_wheel_without_its_module_is_refused():
    assert faults_of(less=["featrank/compiled/_featrank.abi3.so"]) == [
        "holds 0 compiled modules, not one"
    ]


@pytest.mark.parametrize(
    "kind", [ONE_VERSION, (STABLE[0], ONE_VERSION[1]), (ONE_VERSION[0], STABLE[1])]
)
def test_a_stable_abi_dropped_in_silence_is_told(kind):
    [fault] = faults_of(kind)
    assert fault.startswith("has not the stable ABI")
