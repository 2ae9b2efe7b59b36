"""Data several times larger than what a process may take is ranked all the same."""

import subprocess
import sys
from functools import cache

import numpy as np
import polars as pl
import pytest
import zarr

pytestmark = pytest.mark.slow

ROWS, FEATURES, BAND = 128 * 1024, 512, 4096
SIZE, MEMORY, LIMIT = 4 * ROWS * FEATURES, 32 * 2**20, 80 * 2**20

# What Python and the libraries take is taken before the limit is set: a small table is ranked.
# Alpha is given: to choose it, BLAS alone would take buffers of 32 MB for each thread.
CHILD = """if True:
    import resource, sys
    import numpy as np
    import featrank
    from featrank.cli import main

    how, small, big, output, limit, size = sys.argv[1:]

    def rank(path):
        beside = path.rsplit("/", 1)[0] + "/labels.npy"
        if how == "shell":
            target = ["-t", "y"] if path.endswith(".parquet") else ["--labels", beside]
            main(["rank", path, *target, "-q", "-j", "1", "-p", "alpha=1",
                  "--memory", "32MB", "-o", output],
                 standalone_mode=False)
        else:
            given = {"target": "y"} if path.endswith(".parquet") else {"labels": beside}
            source = featrank.sources.open_dataset(path, **given)
            featrank.rank(source, n_jobs=1, alpha=1, memory="32MB").to_frame().write_csv(output)

    def taken(name):
        lines = open("/proc/self/status").read().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith(name)).split()[1])

    rank(small)
    before = taken("VmHWM")
    most = taken("VmData") + int(limit)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        np.ones(int(size) // 8)
    except MemoryError:
        rank(big)
        print(taken("VmHWM") - before)
"""


@cache
def band(odd):
    """Return one of the two bands that take turns."""
    rng = np.random.default_rng(odd)
    values = np.round(rng.normal(size=(BAND, FEATURES)), 1).astype(np.float32)
    values[::2, 7] += 1
    return values


LABELS = np.arange(ROWS, dtype=np.int8) % 2


def npy(folder, rows):
    with open(folder / "data.npy", "wb") as file:
        header = {"descr": "<f4", "fortran_order": False, "shape": (rows, FEATURES)}
        np.lib.format.write_array_header_1_0(file, header)
        for number in range(-(-rows // BAND)):
            file.write(band(number % 2)[: rows - number * BAND].tobytes())
    return folder / "data.npy"


def zarr_folder(folder, rows):
    array = zarr.create_array(
        folder / "data.zarr", shape=(rows, FEATURES), chunks=(1024, FEATURES), dtype="f4"
    )
    for number in range(-(-rows // BAND)):
        array[number * BAND : (number + 1) * BAND] = band(number % 2)[: rows - number * BAND]
    return folder / "data.zarr"


def parquet(folder, rows):
    names = [f"x{j}" for j in range(FEATURES)]
    frames = [pl.DataFrame(band(odd)[:rows], schema=names) for odd in (0, 1)]
    many = pl.concat([frames[number % 2] for number in range(-(-rows // BAND))])
    many.with_columns(y=pl.Series(LABELS[:rows])).write_parquet(
        folder / "data.parquet", row_group_size=4096, compression="lz4"
    )
    return folder / "data.parquet"


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
@pytest.mark.parametrize(
    ("make", "how"),
    [(npy, "shell"), (zarr_folder, "shell"), (parquet, "shell"), (npy, "python")],
)
def test_a_hard_limit_is_kept(tmp_path_factory, make, how):
    small, big = (made(tmp_path_factory, make, rows) for rows in (200, ROWS))
    output = small.parent / f"{how}.csv"
    command = [sys.executable, "-c", CHILD, how, small, big, output, str(LIMIT), str(SIZE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    # Half as much again is for what lies between blocks, and for what readers hold besides.
    assert int(done.stdout) < 1.5 * MEMORY
    assert pl.read_csv(output)["feature"][0] == "x7"
    assert SIZE > 3 * LIMIT


KEPT = {}


def made(factory, make, rows):
    """Make a file once for all tests."""
    if (make, rows) not in KEPT:
        folder = factory.mktemp("large")
        np.save(folder / "labels.npy", LABELS[:rows])
        KEPT[make, rows] = make(folder, rows)
    return KEPT[make, rows]
