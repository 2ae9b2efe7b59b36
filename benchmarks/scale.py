"""Measure time, peak memory and throughput on data larger than memory.

Data sets are created, measured and deleted one after the other. Each measurement has its own
process. ``--only NAME …`` runs some tasks. ``--small`` uses a hundredth of the sizes for a quick
try, and does not save the results.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import scale_data

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks/results/scale.json"
PLACE = Path(os.environ.get("FEATRANK_SCALE_DATA", ROOT / "build/scale"))
BLOCK = 1 << 24


@dataclass(frozen=True)
class Task:
    """A data set and a task on it.

    ``make(folder, scale)`` writes the data, ``run(folder, scale)`` does the work and returns facts.
    """

    name: str
    what: str
    beside: str
    make: object
    run: object
    passes: int = 1


def _rows(count, scale):
    return max(2000, int(count * scale))


def make_ecbdl(folder, scale):
    """Write one-byte codes in the shape of ECBDL14."""
    scale_data.write_ecbdl(folder / "ecbdl.npy", _rows(33_600_000, scale))


def rank_ecbdl(folder, scale, **params):
    """Rank them by EC-FS."""
    from featrank import ECFS
    from featrank.sources import open_dataset

    source = open_dataset(folder / "ecbdl.npy", labels=folder / "ecbdl_labels.npy")
    ranker = ECFS(n_jobs=-1, **params).fit(source)
    return {"best": ranker.order_[:5].tolist(), "alpha": ranker.alpha_}


def rank_ecbdl_given_alpha(folder, scale):
    """Rank them by EC-FS with a fixed alpha."""
    return rank_ecbdl(folder, scale, alpha=0.5)


def step_of_mrmr(folder, scale):
    """Time one step: the redundancy of every feature with a chosen one, with codes recomputed."""
    from featrank.data.code_tables import Room, code_tables
    from featrank.engines.local_engine import LocalEngine
    from featrank.sources import open_dataset

    source = open_dataset(folder / "ecbdl.npy", labels=folder / "ecbdl_labels.npy")
    tables, _ = code_tables(source, LocalEngine(-1), room=Room(block=2**25, codes=0))
    start = time.perf_counter()
    tables.redundancy(7, np.arange(1, source.shape[1]))
    return {"seconds": time.perf_counter() - start}


def make_nothing(folder, scale):
    """Write nothing, because the task creates its data in memory."""


def rank_kddb(folder, scale):
    """Rank a sparse CSR matrix in the shape of kddb."""
    from featrank import ECFS

    rows, columns = _rows(19_000_000, scale), _rows(30_000_000, scale)
    X = scale_data.power_law_csr(rows, columns, int(6e8 * scale))
    y = np.random.default_rng(1).integers(0, 2, rows)
    return _fitted(ECFS(alpha=0.5, n_jobs=-1), X, y)


def rank_sparse_features(folder, scale):
    """Rank a hundred million sparse features in a CSC matrix."""
    from featrank import ECFS

    rows, columns = 10_000, _rows(100_000_000, scale)
    X = scale_data.power_law_csr(columns, rows, int(3e8 * scale)).T  # by columns: CSC
    y = np.random.default_rng(1).integers(0, 2, rows)
    return _fitted(ECFS(alpha=0.5, n_jobs=-1), X, y)


def _fitted(ranker, X, y):
    made = _peak()
    start = time.perf_counter()
    ranker.fit(X, y)
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "entries": X.nnz, "peak_of_making": made}


def make_bed(folder, scale):
    """Write genotypes."""
    scale_data.write_bed(folder / "genotypes.bed", 2500, _rows(10_000_000, scale))


def rank_bed(folder, scale):
    """Rank them by EC-FS, skipping missing calls."""
    from featrank import ECFS
    from featrank.sources import open_dataset

    source = open_dataset(folder / "genotypes.bed")
    ranker = ECFS(alpha=0.5, n_jobs=-1).fit(source, missing="skip")
    return {"best": [source.names[j] for j in ranker.order_[:5].tolist()]}


def make_zarr(folder, scale):
    """Write single-precision floats."""
    scale_data.write_zarr(folder / "data.zarr", _rows(2_000_000, scale), 1000)


def rank_zarr(folder, scale):
    """Rank them by EC-FS."""
    from featrank import ECFS
    from featrank.sources import open_dataset

    ranker = ECFS(alpha=0.5, n_jobs=-1).fit(open_dataset(folder / "data.zarr"))
    return {"best": ranker.order_[:5].tolist()}


SETS = [
    [
        Task(
            "ecbdl14",
            "33.6 million × 631 uint8 (ECBDL14's shape), EC-FS, alpha given",
            "150 min: ReliefF on Spark, 14 cores (another method)",
            make_ecbdl,
            rank_ecbdl_given_alpha,
        ),
        Task(
            "ecbdl14-cv",
            "the same, alpha chosen by cross-validation",
            "150 min: ReliefF on Spark, 14 cores (another method)",
            make_ecbdl,
            rank_ecbdl,
            passes=2,
        ),
        Task(
            "ecbdl14-mrmr",
            "the same, one step of mRMR after the ranges are known, codes made from the file",
            "about a minute per feature on 64 million rows, 400 cores (mRMR on Spark)",
            make_ecbdl,
            step_of_mrmr,
        ),
    ],
    [
        Task(
            "zarr",
            "2 million × 1,000 float32, Zarr, EC-FS, alpha given",
            "none known",
            make_zarr,
            rank_zarr,
            passes=2,
        )
    ],
    [
        Task(
            "bed",
            "10 million variants × 2,500 samples, .bed, EC-FS, alpha given",
            "none known",
            make_bed,
            rank_bed,
        )
    ],
    [
        Task(
            "kddb",
            "19 million × 30 million sparse (kddb's shape), 6·10⁸ entries in memory, EC-FS",
            "8 min: online selection on one PC, 10⁹ × 10⁶ (another method)",
            make_nothing,
            rank_kddb,
        )
    ],
    [
        Task(
            "features",
            "10,000 × 100 million sparse, 3·10⁸ entries in memory, EC-FS",
            "webspam, 16.6 million features: chi² on Spark out of memory at 2 GB (another method)",
            make_nothing,
            rank_sparse_features,
        )
    ],
]


def _peak():
    """Return the peak memory of this process. getrusage may report that of its parent."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) * 1024


def _forget(paths):
    """Drop files from the system's file cache, if it allows that."""
    os.sync()
    for path in paths:
        file = os.open(path, os.O_RDONLY)
        with suppress(OSError):
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def _files(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _read(folder):
    """Return the bytes of all files and the seconds to read them."""
    size, start = 0, time.perf_counter()
    buffer = bytearray(BLOCK)
    for path in _files(folder):
        with open(path, "rb", buffering=0) as file:
            while count := file.readinto(buffer):
                size += count
    return size, time.perf_counter() - start


def in_child(name, folder, scale):
    """Run a task in its own process. Return its facts with time and peak memory."""
    command = [sys.executable, __file__, "--task", name, str(folder), str(scale)]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return {"failed": done.stderr.strip().splitlines()[-1:]}
    facts = json.loads(done.stdout.splitlines()[-1])
    return {"seconds": time.perf_counter() - start, **facts}


def measured(tasks, scale):
    """Create a data set, measure all tasks on it, and delete it."""
    folder = PLACE / tasks[0].name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        tasks[0].make(folder, scale)
        for task in tasks:
            facts = {}
            if _files(folder):
                _forget(_files(folder))
                size, seconds = _read(folder)
                facts = {"bytes": size, "read_seconds": seconds}
                _forget(_files(folder))
            yield task, {**facts, **in_child(task.name, folder, scale)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_task(name, folder, scale):
    """Run a task in this process and print its facts."""
    task = next(task for tasks in SETS for task in tasks if task.name == name)
    facts = task.run(Path(folder), float(scale))
    print(json.dumps({"peak": _peak(), **facts}))


def main():
    """Measure the requested tasks."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", nargs=3)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    if options.task:
        run_task(*options.task)
        return
    kept = json.loads(RESULTS.read_text())["rows"] if RESULTS.exists() else {}
    rows = {task.name: kept[task.name] for tasks in SETS for task in tasks if task.name in kept}
    for tasks in SETS:
        chosen = [task for task in tasks if not options.only or task.name in options.only]
        for task, facts in measured(chosen, 0.01 if options.small else 1.0) if chosen else ():
            print(task.name, json.dumps(facts), flush=True)
            told = {"what": task.what, "beside": task.beside, "passes": task.passes}
            rows[task.name] = {**told, **facts}
            if not options.small:
                _keep(rows)


def _keep(rows):
    """Write the results of the last run of each task."""
    made = {"cores": os.cpu_count(), "python": platform.python_version(), "numpy": np.__version__}
    RESULTS.write_text(json.dumps({**made, "rows": rows}, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
