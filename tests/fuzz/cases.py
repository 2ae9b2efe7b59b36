"""A case: one good file, damaged as its seed and number say, and one call that reads it."""

import json
import random
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .calls import METHODS
from .children import Child
from .good_files import Good
from .mutations import damaged
from .outcomes import Outcome


@dataclass(frozen=True)
class Case:
    """What happened to one damaged file, and how to have it happen again."""

    good: Good
    seed: int
    number: int
    folder: Path
    outcome: Outcome

    def __str__(self) -> str:
        told = " ".join(self.outcome.told.split())
        return (
            f"{self.good.name} {self.number}: {self.outcome.kind}: {told[-400:]}\n"
            f"    again: make fuzz SEED={self.seed} FORMAT='{self.good.name}' "
            f"NUMBER={self.number}, or FOLDER='{self.folder}'"
        )


class Fuzzer:
    """Makes good files once, damages copies of them, and keeps those that went wrong.

    Parameters
    ----------
    child : Child
        Who reads them.
    work : Path
        Where files are made.
    kept : Path
        Where files that went wrong are left.
    """

    def __init__(self, child: Child, work: Path, kept: Path):
        self.child, self.work, self.kept = child, work, kept
        self.place = work / "case"

    def cases(self, good: Good, seed: int, numbers: range) -> Iterator[Case]:
        """Yield some cases of a good file."""
        for number in numbers:
            yield self.case(good, seed, number)

    def case(self, good: Good, seed: int, number: int) -> Case:
        """Damage a copy, have it read, and keep it if that went wrong."""
        self._put(self.made(good))
        chance = random.Random(f"{seed}/{good.name}/{number}")
        changed = self._damage(good, chance)
        question = self._question(good, chance)
        kept = self.kept / f"{good.name} {seed} {number}"
        outcome = self.child.ask(question)
        if not outcome.fine:
            self._keep(good, changed, kept, {**question, **asdict(outcome)})
        return Case(good, seed, number, kept, outcome)

    def _keep(self, good: Good, changed: dict[Path, bytes], to: Path, told: dict[str, Any]) -> None:
        """Leave the files as they were before the call, which may have changed them."""
        self._put(self.made(good))
        for path, content in changed.items():
            path.write_bytes(content)
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.place, to)
        (to / "call.json").write_text(json.dumps({**told, "data": good.data}, indent=1))

    def again(self, kept: Path) -> Outcome:
        """Have files that were kept read once more."""
        self._put(kept)
        question = json.loads((kept / "call.json").read_text())
        (self.place / "call.json").unlink()
        return self.child.ask({**question, "data": str(self.place / question["data"])})

    def undamaged(self, good: Good) -> Iterator[Outcome]:
        """Yield what each call makes of the good file itself."""
        for call in good.ways:
            self._put(self.made(good))
            how = {"method": "fisher", "missing": "mean", "categorical": "error", "select": False}
            yield self.child.ask(self._asked(good, call, how))

    def made(self, good: Good) -> Path:
        """Return the folder of the good file; it is made when it is first asked for."""
        folder = self.work / "good" / good.name
        if not folder.is_dir():
            # In the place of all cases: a checkpoint knows where its data is.
            good.make(self._emptied())
            shutil.copytree(self.place, folder)
        return folder

    def _emptied(self) -> Path:
        shutil.rmtree(self.place, ignore_errors=True)
        self.place.mkdir(parents=True)
        return self.place

    def _put(self, source: Path) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(source, self.place)

    def _question(self, good: Good, chance: random.Random) -> dict[str, Any]:
        how = {
            "method": chance.choice(METHODS),
            "missing": chance.choice(["error", "mean", "mean"]),
            "categorical": chance.choice(["error", "ordinal"]),
            "select": chance.random() < 0.2,
        }
        return self._asked(good, chance.choice(good.ways), how)

    def _asked(self, good: Good, call: str, how: dict[str, Any]) -> dict[str, Any]:
        data = str(self.place / good.data)
        return {"data": data, "call": call, "options": good.options, "how": how}

    def _damage(self, good: Good, chance: random.Random) -> dict[Path, bytes]:
        """Damage one file or two, and return what is in them now."""
        files = [path for path in _files(self.place) if path.name not in good.spared]
        # Most often the file itself: those beside it are small, and many.
        first = [path for path in files if path.name == good.data]
        changed = {}
        for _ in range(chance.choice([1, 1, 1, 2])):
            path = chance.choice(first if first and chance.random() < 0.5 else files)
            content = damaged(path.read_bytes(), path.name, self._others(good), chance)
            path.write_bytes(content)
            changed[path] = content
        return changed

    def _others(self, good: Good) -> list[bytes]:
        """Return contents to append: those of this format, so that cases do not depend on order."""
        return [path.read_bytes() for path in _files(self.made(good))[:4]]


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
