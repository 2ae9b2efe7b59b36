"""Time every method and its peers in one run on the same data. Run by: make bench-methods."""

import argparse
import os
import platform
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification

from comparisons import COMPARISONS, SIZES, SMALL_SIZES, in_order_of_time
from featrank import kernels, methods
from featrank._utils.atomic_files import replacing
from timing import Measurement, measure

RESULTS = Path(__file__).parent / "results" / "methods.md"
PACKAGES = (
    "numpy",
    "scikit-learn",
    "skrebate",
    "fast-select",
    "mrmr_selection",
    "mrmrs",
    "skfeature-chappers",
    "fastcan",
    "boruta",
    "pyHSICLasso",
)
COLUMNS = ("method", "data", "peer", "ours, s", "peer, s", "ratio", "bar", "reached", "agreement")
NONE = "–"
# A part of each data set, to compare results if a peer does not finish on all of it.
CORNER = "corner"


def arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", choices=("full", "small"), default="full")
    parser.add_argument("--only", nargs="*", default=[], help="names of methods")
    parser.add_argument("--data", default="".join(SIZES), help="letters of data sets")
    parser.add_argument("--limit", type=float, default=180.0, help="seconds a call may take")
    parser.add_argument("--output", type=Path, help="a page to write")
    return parser.parse_args()


def write_data(folder, sizes):
    """Write each data set into a folder named by its letter, from a fixed seed."""
    for letter, (n_samples, n_features) in sizes.items():
        X, y = make_classification(n_samples, n_features, random_state=0)
        save(folder / letter, X, y)
        save(folder / letter / CORNER, X[:300, :200], y[:300])


def save(folder, X, y):
    """Write a data set as worker.py reads it."""
    folder.mkdir()
    np.save(folder / "X.npy", np.ascontiguousarray(X))
    np.save(folder / "y.npy", y)


class Bench:
    """Measures each task once, and returns table rows."""

    def __init__(self, folder, limit):
        self.folder = folder
        self.limit = limit
        self.known = {}

    def measured(self, task, letter):
        """Return the cached measurement of a task."""
        if (task, letter) not in self.known:
            self.known[task, letter] = measure(task, self.folder / letter, self.limit)
        return self.known[task, letter]

    def row(self, comparison, letter):
        """Return the cells of a row."""
        ours = self.measured(comparison.ours, letter)
        peer = self.measured(comparison.peer, letter) if comparison.peer else Measurement()
        agrees, seen = agreement_of(comparison, ours, peer)
        if comparison.peer and peer.answer is None:
            agrees, seen = self.corner_agreement(comparison, letter, seen)
        bar, reached = NONE, NONE
        if comparison.seconds:
            bar = f"≤ {comparison.seconds[letter]:g} s"
            reached = yes(ours.seconds is not None and ours.seconds <= comparison.seconds[letter])
        if comparison.times_faster:
            bar = f"{comparison.times_faster:g} ×"
            reached = self.verdict(comparison, ours, peer) if agrees else "no"
        times = [self.time(one) if agrees else NONE for one in (ours, peer)]
        ratio = self.ratio(ours, peer) if agrees and comparison.same_question else NONE
        label = comparison.label or NONE
        return [comparison.title, letter, label, *times, ratio, bar, reached, seen]

    def corner_agreement(self, comparison, letter, seen):
        """Compare the results on a part of the data, if the peer fails on all of it."""
        tasks = (comparison.ours, comparison.peer)
        ours, peer = (self.measured(task, f"{letter}/{CORNER}") for task in tasks)
        agrees, on_corner = agreement_of(comparison, ours, peer)
        return agrees, on_corner if on_corner == seen else f"{seen}; on a corner: {on_corner}"

    def time(self, one):
        """Return the formatted seconds of a measurement."""
        if one.over_limit:
            return f"> {self.limit:g}"
        return NONE if one.seconds is None else f"{one.seconds:.3g}"

    def bound(self, ours, peer):
        """Return a lower bound on how many times faster featrank is, or None if unknown."""
        seconds = self.limit if peer.over_limit else peer.seconds
        return None if ours.seconds is None or seconds is None else seconds / ours.seconds

    def ratio(self, ours, peer):
        """Return how many times faster featrank is, as a string."""
        bound = self.bound(ours, peer)
        sign = "> " if peer.over_limit else ""
        return NONE if bound is None else f"{sign}{bound:.3g} ×"

    def verdict(self, comparison, ours, peer):
        """Return whether the required speed is reached, as far as the limit shows."""
        if ours.seconds is None:
            return "no"
        bound = self.bound(ours, peer)
        if bound is None or (peer.over_limit and bound < comparison.times_faster):
            return "not known"
        return yes(bound >= comparison.times_faster)


def yes(truth):
    """Return "yes" or "no"."""
    return "yes" if truth else "no"


def agreement_of(comparison, ours, peer):
    """Return whether times may be shown, and a description of the agreement."""
    for side, one in (("ours", ours), ("peer", peer)):
        if one.reason:
            return True, f"{side} failed: {one.reason[:120]}".replace("|", "/")
    if not comparison.peer:
        return True, NONE
    if ours.answer is None or peer.answer is None:
        return True, "no result within the limit"
    agrees, seen = comparison.agree(ours.answer, peer.answer)
    if not comparison.same_question:
        return True, f"another criterion: {seen}"
    return agrees, seen if agrees else f"RESULTS DIFFER: {seen}"


def line(cells):
    """Return a line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def head(sizes, limit):
    """Return the lines above the table."""
    shapes = ", ".join(f"({k}) {rows:,} × {columns:,}" for k, (rows, columns) in sizes.items())
    return [
        "# The methods and their peers",
        "",
        f"Created by `make bench-methods` on {os.cpu_count()} cores ({kernels.instruction_set()}, "
        f"Python {platform.python_version()}), load {os.getloadavg()[0]:.1f} before the run.",
        f"Packages: {', '.join(map(installed, PACKAGES))}.",
        "",
        f"Data: {shapes}, float64, two classes, from `make_classification` with its defaults and "
        "seed 0. Times are the best of several calls, or of one call if it takes over 2 s. A call "
        f"is stopped after {limit:g} s. `ratio` is the peer's time divided by ours, and `bar` the "
        "required minimum. [../README.md](../README.md) explains the measurements.",
        "",
        line(COLUMNS),
        line(["---"] * len(COLUMNS)),
    ]


def installed(package):
    """Return a package with its version."""
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} (not installed)"


def write_page(path, lines):
    """Write the page atomically."""
    path.parent.mkdir(exist_ok=True)
    with replacing(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def in_page_order(rows):
    """Return the table's lines, grouped as in ``COMPARISONS``."""
    order = sorted(rows, key=lambda key: (COMPARISONS.index(key[0]), key[1]))
    return [line(rows[key]) for key in order]


def run(options, sizes, folder, output):
    """Measure everything, print each row when it is ready, and update the page."""
    write_data(folder, sizes)
    top, rows, skipped = head(sizes, options.limit), {}, []
    print("\n".join(top), flush=True)
    bench = Bench(folder, options.limit)
    for comparison, letter in in_order_of_time(options.only, options.data):
        if comparison.method not in methods():
            if comparison.method not in skipped:
                skipped.append(comparison.method)
                print(f"Skipped: {comparison.method} is not a featrank method.", flush=True)
            continue
        rows[comparison, letter] = bench.row(comparison, letter)
        print(line(rows[comparison, letter]), flush=True)
        if output:
            note = ["", f"Not in featrank: {', '.join(skipped)}."] if skipped else []
            write_page(output, top + in_page_order(rows) + note)


def main():
    """Run the benchmark. A partial run writes a page only with --output."""
    options = arguments()
    sizes = SIZES if options.scale == "full" else SMALL_SIZES
    sizes = {letter: sizes[letter] for letter in options.data}
    whole = sizes == SIZES and not options.only
    with tempfile.TemporaryDirectory() as folder:
        run(options, sizes, Path(folder), options.output or (RESULTS if whole else None))


if __name__ == "__main__":
    main()
