"""Checks that objects compiled for an instruction set define only what is named after it.

A function of a header, of the standard library say, that is not inlined is defined by every object
that uses it, and the linker keeps one copy for all. If it kept the one compiled for AVX2, the
baseline would call it, and stop on processors without AVX2.

    python tests/packaging/symbols.py build/cp3*
"""

import re
import subprocess
import sys
from pathlib import Path

ISA = "avx2"
# How compilers spell featrank::avx2::…: K for what is const, Z for what lies inside a function.
OWN = re.compile("_+Z+NK?8featrank4avx2")


def offenders(objects):
    """Return the global and weak symbols that lie outside the instruction set's namespace."""
    command = ["nm", "--defined-only", "--extern-only", "--format=posix", *map(str, objects)]
    names = {line.split()[0] for line in printed(command).splitlines() if " " in line}
    return sorted(name for name in names if not OWN.match(name))


def printed(command, given=None):
    """Return what a command prints."""
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def objects_of(target, folders):
    """Return the objects of a target in the folders of builds."""
    return [path for folder in folders for path in Path(folder).rglob(f"{target}.dir/**/*.o")]


def main(*folders):
    """Exit with the offenders among the objects of builds, if there are any."""
    if not objects_of("hot_baseline", folders):
        raise SystemExit(f"No objects in {', '.join(folders)}: build featrank first.")
    objects = objects_of(f"hot_{ISA}", folders)  # none on other processors
    found = offenders(objects) if objects else []
    if found:
        names = printed(["c++filt"], "\n".join(found))
        raise SystemExit(f"Objects compiled for {ISA} define what all others may call:\n{names}")


if __name__ == "__main__":
    main(*sys.argv[1:])
