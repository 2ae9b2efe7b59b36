"""``make fuzz N=5000``: damaged files of every format, counted by what became of them."""

import argparse
import shutil
import sys
from collections import Counter
from pathlib import Path

from .cases import Case, Fuzzer
from .children import KEPT, Child
from .good_files import good_files
from .outcomes import ANSWER, REFUSAL

WORK = KEPT / "work"


def main() -> int:
    """Run what is asked for; 1 if a file of the third class was found."""
    asked = _arguments()
    # Always the same place, which a checkpoint remembers.
    shutil.rmtree(WORK, ignore_errors=True)
    with Child() as child:
        fuzzer = Fuzzer(child, WORK, KEPT)
        if asked.folder:
            outcome = fuzzer.again(asked.folder)
            print(f"{outcome.kind}: {outcome.told}")  # noqa: T201
            return int(not outcome.fine)
        goods = [good for good in good_files() if asked.format in (None, good.name)]
        if not goods:
            names = ", ".join(repr(good.name) for good in good_files())
            sys.exit(f"There is no format {asked.format!r}. Known: {names}.")
        each = -(-asked.n // len(goods))
        numbers = range(each) if asked.number is None else range(asked.number, asked.number + 1)
        return _run(fuzzer, goods, asked.seed, numbers)


def _run(fuzzer: Fuzzer, goods: list, seed: int, numbers: range) -> int:
    wrong: list[Case] = []
    width = max(len(good.name) for good in goods)
    print(f"{'format':{width}}  answer refusal  else")  # noqa: T201
    for good in goods:
        cases = list(fuzzer.cases(good, seed, numbers))
        counts = Counter(case.outcome.kind for case in cases)
        bad = [case for case in cases if not case.outcome.fine]
        wrong += bad
        kinds = {kind: count for kind, count in counts.items() if kind not in (ANSWER, REFUSAL)}
        told = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
        line = f"{good.name:{width}}  {counts[ANSWER]:6} {counts[REFUSAL]:7} {len(bad):5}  {told}"
        print(line.rstrip(), flush=True)  # noqa: T201
    for case in wrong:
        print(case)  # noqa: T201
    print(f"{len(goods) * len(numbers)} files, {len(wrong)} of the third class.")  # noqa: T201
    return int(bool(wrong))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--n", type=int, default=1000, help="how many files, over all formats")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--format", help="only this one")
    parser.add_argument("--number", type=int, help="only the case of this number")
    parser.add_argument("--folder", type=Path, help="read once more what was left in this folder")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
