"""Parts of made data, and work on them that other processes can import."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from featrank.sources import Block


@dataclass(frozen=True)
class MadeChunk:
    """Some rows of numbers that follow from their places."""

    number: int
    folder: Path | None = None  # a file is left there when work begins
    n_rows: int = 3

    @property
    def rows(self):
        return slice(self.number * self.n_rows, (self.number + 1) * self.n_rows)

    @property
    def columns(self):
        return slice(0, 4)

    @property
    def place(self):
        return f"rows {self.rows.start} to {self.rows.stop - 1} of 'made'"

    def read(self):
        if self.folder is not None:
            (self.folder / f"{self.number}-{os.getpid()}").touch()
        rows = np.arange(self.rows.start, self.rows.stop)
        return Block(rows[:, None] * np.array([1, 10, 100, 1000]), rows % 2)


def made(count, folder=None):
    return [MadeChunk(number, folder) for number in range(count)]


def begun(folder):
    """Return the numbers of the parts that work began on, as often as it began."""
    return sorted(int(file.name.split("-")[0]) for file in folder.iterdir())


def sums(part):
    return part.read().X.sum(axis=0)


def slow_sums(part):
    found = sums(part)
    time.sleep(0.05)
    return found


def number(part):
    part.read()
    return (part.number,)


def both(one, other):
    return one + other


def with_process(part):
    return {os.getpid()}, set()


def merged_in(one, other):
    return one[0] | other[0], one[1] | other[1] | {os.getpid()}


def fails_at_five(part):
    part.read()
    if part.number == 5:
        raise ArithmeticError("no such code")
    time.sleep(0.02)
    return 0


def fails_soon(part):
    """Fail once work began on more than five parts, whichever they are."""
    part.read()
    if len(begun(part.folder)) > 5:
        raise ArithmeticError
    time.sleep(0.02)
    return 0


def eats_memory(part):
    eaten = []
    while True:
        eaten.append(np.ones(2**20))
        time.sleep(0.005)
