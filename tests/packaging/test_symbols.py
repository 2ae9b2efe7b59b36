"""The check of make check that no code for wide vectors can reach other processors."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECK = Path(__file__).with_name("symbols.py")
COMPILER = shutil.which(os.environ.get("CXX", "c++"))
OWN = """
namespace featrank { namespace avx2 {
namespace { int hidden(int x) { return x + 1; } }
struct Kernel { int run() const; };
int Kernel::run() const { return hidden(1); }
template <class T> T twice(T x) { return [](T y) { return y + y; }(x); }
template double twice(double);
int fixed = 3;
} }
"""
PLANTED = {
    "std::vector": "#include <vector>\nstd::vector<int> made(3);",
    "featrank::shared": "namespace featrank { inline int shared(int x) { return x; }\n"
    "namespace avx2 { int use(int x) { return shared(x); } } }",
    "featrank::avx2wide": "namespace featrank { int avx2wide() { return 1; } }",
    "plain": 'extern "C" int plain() { return 1; }',
}


@pytest.fixture
def checked(tmp_path):
    """Compile sources as objects of each instruction set and run the check over them."""

    def run(baseline, wide):
        for name, source in (("hot_baseline", baseline), ("hot_avx2", wide)):
            folder = tmp_path / f"{name}.dir" / "csrc" / "graph" / "hot"
            folder.mkdir(parents=True)
            (folder / "loops.cpp").write_text(source)
            compile_it = [COMPILER, "-O0", "-c", "loops.cpp", "-o", "loops.o"]
            subprocess.run(compile_it, cwd=folder, check=True)
        command = [sys.executable, CHECK, tmp_path]
        return subprocess.run(command, capture_output=True, text=True)

    return run


def test_what_is_named_after_the_instruction_set_passes(checked):
    done = checked(PLANTED["std::vector"], OWN)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_offender_is_named(checked, name):
    done = checked("int one = 1;", OWN + PLANTED[name])
    assert done.returncode == 1
    assert name in done.stderr
    assert "hidden" not in done.stderr


def test_a_folder_without_objects_does_not_pass(tmp_path):
    done = subprocess.run([sys.executable, CHECK, tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert "build featrank first" in done.stderr
