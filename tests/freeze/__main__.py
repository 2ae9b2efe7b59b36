"""The command line of the harness; see the package for how to use it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

# Sums over several threads of BLAS depend on how busy the machine is. NumPy, which is imported
# further below, reads these once.
for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{library}_NUM_THREADS"] = "1"


def main() -> int:
    """Run one command and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.freeze")
    commands = parser.add_subparsers(dest="command", required=True)
    recorder = commands.add_parser("record", help="run the cases and store what they give")
    recorder.add_argument("folder", type=Path)
    recorder.add_argument("--only", action="append", default=[], metavar="PATTERN")
    recorder.add_argument(
        "--old-defaults", action="store_true", help="of EC-FS, as in the baseline"
    )
    comparer = commands.add_parser("compare", help="compare two recordings")
    comparer.add_argument("old", type=Path)
    comparer.add_argument("new", type=Path)
    comparer.add_argument("--messages", choices=["exact", "ignore"], default="exact")
    commands.add_parser("list", help="print the names of all cases")
    args = parser.parse_args()
    if args.command == "compare":
        return compare(args.old, args.new, args.messages)
    from tests.freeze.cases import CASES
    from tests.freeze.recording import chosen, record

    if args.command == "list":
        say("\n".join(CASES))
    else:
        import featrank

        say(f"featrank from {Path(featrank.__file__).parent}")
        if args.old_defaults:
            restore_defaults()
        record(chosen(CASES, args.only), args.folder, say)
    return 0


def restore_defaults() -> None:
    """Give EC-FS the baseline's kernel and numbers of top features, to compare all the rest."""
    from featrank import ECFS
    from featrank.base import tuning

    ECFS.__init__.__kwdefaults__["kernel"] = "product"
    tuning.COUNTS = (1, 5, 20, 50)


def compare(old: Path, new: Path, messages: str) -> int:
    """Print how two recordings differ."""
    from tests.freeze.comparing import differences, unused
    from tests.freeze.recording import load

    before = load(old)
    found = differences(before, load(new), messages=messages)
    for one in found:
        reason = "" if one.reason is None else f" (intended: {one.reason})"
        say(f"{one.case}: {one.part} {one.what}{reason}")
    for entry in unused(before, found):
        say(f"expected.py: {entry!r} explains nothing. Delete it.")
    open_ones = [one for one in found if one.reason is None]
    say(
        f"{len(before)} cases: {len(open_ones)} unexplained differences in "
        f"{len({one.case for one in open_ones})} cases, {len(found) - len(open_ones)} intended"
    )
    return 1 if open_ones else 0


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
