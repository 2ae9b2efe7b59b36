"""Checks what a wheel of featrank holds: the whole package, the module of its ABI, nothing else.

tests/packaging/contents.py dist/featrank-*.whl
"""

import sys
import zipfile
from pathlib import Path, PurePosixPath

SOURCES = Path(__file__).parents[2] / "src"
SUFFIXES = {".py", ".pyi", ".csv", ".css", ".js", ".json", ".toml", ".typed"}
STABLE_SINCE = (3, 12)


def faults(wheel, names, version=sys.version_info):
    """Yield what is wrong with the names in a wheel built by a Python of this version."""
    expected = {
        path.relative_to(SOURCES).as_posix()
        for path in SOURCES.rglob("*")
        if path.is_file() and path.suffix in SUFFIXES
    }
    modules = {name for name in names if PurePosixPath(name).suffix in (".so", ".pyd")}
    notes = {name for name in names if ".dist-info/" in name}
    yield from (f"lacks {name}" for name in sorted(expected - names))
    yield from (f"holds {name}" for name in sorted(names - expected - modules - notes))
    if len(modules) != 1:
        yield f"holds {len(modules)} compiled modules, not one"
    if version >= STABLE_SINCE and not has_stable_abi(wheel, modules):
        yield f"has not the stable ABI of Python 3.12: {', '.join([wheel, *modules])}"


def has_stable_abi(wheel, modules):
    """Whether the names of a wheel and of its module say so; Windows' modules say nothing."""
    return "-cp312-abi3-" in wheel and all(
        name.endswith((".abi3.so", "/_featrank.pyd")) for name in modules
    )


def main(path):
    """Exit with the faults of a wheel, if it has any."""
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    found = list(faults(Path(path).name, names))
    if found:
        raise SystemExit("\n".join(f"The wheel {fault}." for fault in found))


if __name__ == "__main__":
    main(*sys.argv[1:])
