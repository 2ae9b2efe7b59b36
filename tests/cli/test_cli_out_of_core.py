"""``featrank rank`` and ``select`` on data that is read in parts."""

import csv
import json
import shutil
import signal
import subprocess
import sys
import warnings

import h5py
import numpy as np
import polars as pl
import pytest
import zarr

import featrank
from featrank import tables

NAMES = [f"gene {j}" for j in range(12)]


@pytest.fixture
def values():
    rng = np.random.default_rng(3)
    y = np.array(["sick", "well"])[np.arange(120) % 2]
    X = rng.normal(size=(120, 12))
    X[:, 3] += 2 * (y == "sick")
    return np.round(X, 3), y


@pytest.fixture
def files(values, tmp_path):
    """The same table in every format that is read in parts, and the options that it needs."""
    X, y = values
    table = tables.Table(X, NAMES, y, "kind")
    made = {}
    for suffix in (".csv", ".csv.gz", ".parquet", ".arrow", ".h5ad"):
        made[suffix] = [tmp_path / f"data{suffix}", "-t", "kind"]
        tables.write_table(made[suffix][0], table)
    tables.write_table(tmp_path / "data.npy", table)
    np.save(tmp_path / "labels.npy", y)
    made[".npy"] = [tmp_path / "data.npy", "--labels", tmp_path / "labels.npy"]
    group = zarr.open_group(tmp_path / "data.zarr", mode="w")
    group.create_array("X", data=X, chunks=(50, 12))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # texts have no place in the specification of Zarr yet
        group.create_array("feature_names", data=np.array(NAMES))
    made[".zarr"] = [tmp_path / "data.zarr", "--labels", tmp_path / "labels.npy"]
    with h5py.File(tmp_path / "data.h5", "w") as file:
        file.create_dataset("X", data=X)
        file.create_dataset("feature_names", data=NAMES)
        file.create_dataset("y", data=[label.encode() for label in y])
    made[".h5"] = [tmp_path / "data.h5"]
    return made


SUFFIXES = [".csv", ".csv.gz", ".parquet", ".arrow", ".h5ad", ".npy", ".zarr", ".h5"]


def ranked(done):
    assert done.exit_code == 0, done.stderr
    return [
        (row["feature"], float(row["score"])) for row in csv.DictReader(done.stdout.split("\n"))
    ]


@pytest.fixture
def expected(values):
    ranking = featrank.rank(*values, feature_names=NAMES, n_jobs=1)
    return list(zip(ranking.top(12), ranking.scores[ranking.order].tolist(), strict=True))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_gives_the_bits_of_memory(run, files, expected, suffix):
    found = ranked(run("rank", *files[suffix], "--memory", "16MB"))
    if suffix == ".npy":  # without names
        expected = [(f"x{NAMES.index(name)}", score) for name, score in expected]
    assert found == expected


def test_a_file_larger_than_the_budget_goes_in_parts_by_itself(run, files, expected, monkeypatch):
    monkeypatch.setattr("featrank.files.plan.memory_budget", lambda: 1000)
    read = []
    whole = tables.read_file
    monkeypatch.setattr(
        tables, "read_file", lambda *args, **given: read.append(1) or whole(*args, **given)
    )
    assert ranked(run("rank", *files[".parquet"])) == expected
    assert ranked(run("rank", *files[".csv"])) == expected
    assert not read
    # These are for whole tables, and such a file is still read as one.
    assert run("rank", *files[".csv"], "--missing", "median").exit_code == 0
    assert run("rank", *files[".csv"], "-m", "relieff").exit_code == 0
    assert len(read) == 2


def test_several_files_are_one_table(run, values, expected, tmp_path):
    X, y = values
    paths = []
    for number, rows in enumerate((slice(0, 31), slice(31, 32), slice(32, 120))):
        folder = tmp_path / str(number)
        folder.mkdir()
        tables.write_table(folder / "part.parquet", tables.Table(X[rows], NAMES, y[rows], "kind"))
        paths.append(folder / "part.parquet")
    assert ranked(run("rank", *paths, "-t", "kind")) == expected
    done = run("select", *paths, "-t", "kind", "-k", 2, "-o", tmp_path / "small.csv")
    assert done.exit_code == 0
    assert pl.read_csv(tmp_path / "small.csv").shape == (120, 3)


def test_workers(launch, files, expected):
    done = launch("rank", *files[".zarr"], "--workers", 2)
    rows = csv.DictReader(done.stdout.split("\n"))
    assert [(row["feature"], float(row["score"])) for row in rows] == expected
    assert done.stderr.startswith("note: Cross-validated AUC of the top features: ")
    assert "featrank used alpha = " in done.stderr
    assert done.stderr.count("\nnote: ") == 1  # alpha, and how many features are significant


@pytest.mark.parametrize("suffix", [".zarr", ".parquet"])
@pytest.mark.parametrize("kind", [".parquet", ".csv", ".npz", ".h5ad"])
def test_select_writes_what_memory_would(run, files, values, tmp_path, suffix, kind):
    output = tmp_path / f"small{kind}"
    done = run("select", *files[suffix], "--memory", "16MB", "-k", 3, "-o", output)
    assert done.exit_code == 0, done.stderr
    assert "3 of 12 features of 120 samples" in done.stderr
    target = None if kind == ".npz" else "labels" if suffix == ".zarr" else "kind"
    table = tables.read_table(output, target=target)
    columns = [NAMES.index(name) for name in table.feature_names]
    assert columns == sorted(columns)
    np.testing.assert_array_equal(table.X, values[0][:, columns])
    np.testing.assert_array_equal(table.y, values[1])


def test_quantities_and_groups(run, values, tmp_path):
    X, _ = values
    rng = np.random.default_rng(0)
    table = tables.Table(
        np.column_stack([X, np.arange(120) // 5]),
        [*NAMES, "patient"],
        X[:, 5] + rng.normal(size=120),
        "dose",
    )
    tables.write_table(tmp_path / "dose.csv", table)
    asked = ["rank", tmp_path / "dose.csv", "-t", "-1", "--target-bins", 3, "--groups", "patient"]
    assert ranked(run(*asked, "--memory", "16MB")) == ranked(run(*asked))


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npy"])
def test_missing_values_are_skipped(run, files, values, tmp_path, suffix):
    X, y = values
    X[::7, 4] = np.nan
    tables.write_table(tmp_path / "gaps.npz", tables.Table(X, NAMES, y))
    asked = files[suffix]
    tables.write_table(asked[0], tables.Table(X, NAMES, y, "kind"))
    assert run("rank", *asked, "--memory", "16MB").exit_code == 1
    whole = ranked(run("rank", tmp_path / "gaps.npz", "--missing", "skip", "-m", "mi"))
    parts = ranked(run("rank", *asked, "--memory", "16MB", "--missing", "skip", "-m", "mi"))
    alone = ranked(run("rank", *asked, "--missing", "skip", "-m", "mi"))
    assert [score for _, score in parts] == [score for _, score in alone]
    assert [score for _, score in parts] == [score for _, score in whole]
    refused = run("rank", *asked, "--missing", "skip", "-m", "svm-rfe")
    assert refused.exit_code == 2
    assert "cannot skip missing values" in refused.stderr


def test_genotypes(run, tmp_path):
    (tmp_path / "g.bim").write_text("".join(f"1 rs{j} 0 {j} A C\n" for j in range(6)))
    (tmp_path / "g.fam").write_text("".join(f"f i{k} 0 0 1 {1 + k % 2}\n" for k in range(8)))
    codes = np.random.default_rng(0).choice([0, 2, 3], (6, 8)).astype(np.uint8)
    codes[2] = np.where(np.arange(8) % 2, 0, 3)
    packed = (codes.reshape(6, 2, 4) << np.arange(0, 8, 2, dtype=np.uint8)).sum(axis=2)
    (tmp_path / "g.bed").write_bytes(b"\x6c\x1b\x01" + packed.astype(np.uint8).tobytes())
    found = ranked(run("rank", tmp_path / "g.bed", "-m", "mi"))
    assert found[0][0] == "rs2"
    assert len(found) == 6


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--categorical", "ordinal"], "--categorical needs all rows in memory"),
        (["--missing", "median"], "--missing median needs whole columns"),
        (["--memory", "lots"], "'lots' is not a memory size. Use --memory 4GB."),
        (["--memory", "2K"], "too little memory"),
        (["--scheduler", "bad://here"], "No Dask scheduler answers"),
    ],
)
def test_refused_in_parts(run, files, args, told):
    memory = [] if "--memory" in args or "--scheduler" in args else ["--memory", "16MB"]
    done = run("rank", *files[".parquet"], *args, *memory)
    assert done.exit_code == 2
    assert told in done.stderr


def test_what_is_only_read_whole_is_refused_in_parts(run, values, tmp_path):
    tables.write_table(tmp_path / "data.npz", tables.Table(values[0], NAMES, values[1]))
    done = run("rank", tmp_path / "data.npz", "--checkpoint", tmp_path / "state")
    assert done.exit_code == 2
    assert "'data.npz' cannot be read in chunks, and --checkpoint needs chunks" in done.stderr
    twice = run("rank", tmp_path / "data.npz", tmp_path / "data.npz")
    assert "several files as one table" in twice.stderr


@pytest.mark.parametrize("suffix", [".npz", ".mat"])
def test_memory_bounds_what_is_only_read_whole(run, tmp_path, suffix):
    path, X = tmp_path / f"large{suffix}", np.random.default_rng(0).normal(size=(4000, 600))
    tables.write_table(
        path, tables.Table(X, [f"x{j}" for j in range(X.shape[1])], np.arange(4000) % 2)
    )
    given = ("rank", path, "--method", "fisher", "--top", "2", "--memory")
    refused = run(*given, "16MB")
    assert refused.exit_code == 1
    assert "MB. Allow more" in refused.stderr
    assert "--memory" in refused.stderr
    allowed = run(*given, "4GB")
    assert allowed.exit_code == 0, allowed.stderr


def test_a_file_without_labels_says_where_they_may_be(run, files):
    done = run("rank", files[".zarr"][0])
    assert done.exit_code == 2
    assert "an array, a column or a label file" in done.stderr


def test_details_plot_and_report(run, files, tmp_path):
    done = run(
        "rank", *files[".zarr"], "--details", "-k", 3, "-f", "json",
        "--plot", tmp_path / "best.png", "--report", tmp_path / "page.html",
    )  # fmt: skip
    assert done.exit_code == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["n_samples"] == 120
    assert content["features"][0]["high_in"] == "sick"
    assert (tmp_path / "best.png").stat().st_size > 1000
    assert "gene 3" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("suffix", [".zarr", ".npy", ".parquet"])
def test_a_damaged_block_is_named(run, files, tmp_path, suffix):
    path = files[suffix][0]
    if suffix == ".zarr":
        chunk = path / "X" / "c" / "1" / "0"
        chunk.write_bytes(chunk.read_bytes()[:20])
    elif suffix == ".npy":
        path.write_bytes(path.read_bytes()[:-800])
    else:
        data = bytearray(path.read_bytes())
        data[100:900] = bytes(800)
        path.write_bytes(data)
    output = tmp_path / "out.csv"
    done = run("rank", *files[suffix], "--memory", "16MB", "-o", output)
    assert done.exit_code == 1, done.stdout
    assert f"of 'data{suffix}'" in done.stderr
    assert "rows" in done.stderr
    assert not output.exists()
    assert not [one for one in tmp_path.iterdir() if one.name.startswith(".")]


def test_the_input_is_not_overwritten(run, files):
    path = files[".parquet"][0]
    before = path.read_bytes()
    done = run("select", *files[".parquet"], "--memory", "16MB", "-k", 2, "-o", path)
    assert done.exit_code == 2
    assert path.read_bytes() == before


def test_a_folder_that_is_no_table(run, files, tmp_path):
    shutil.copytree(files[".zarr"][0], tmp_path / "folder")
    assert run("rank", tmp_path / "folder").exit_code == 2


# Writes a checkpoint after every batch, and tells on stderr how many parts were read.
COUNTING = """if True:
    import sys
    from featrank.sources import matrices
    from featrank.data import checkpoint, reader
    checkpoint.PAUSE = checkpoint.SHARE = 0
    reader.Reader.block_bytes = lambda self, source: 400_000
    read, plain = [], matrices.read_matrix

    def counted(*part):
        read.append(part)
        print(len(read), file=sys.stderr, flush=True)
        return plain(*part)

    matrices.read_matrix = counted
    from featrank.cli import main
    main(sys.argv[1:])
"""


@pytest.fixture
def long_file(tmp_path):
    rng = np.random.default_rng(0)
    np.save(tmp_path / "long.npy", rng.normal(size=(100_000, 20)))
    np.save(tmp_path / "y.npy", np.arange(100_000) % 2)
    return [tmp_path / "long.npy", "--labels", tmp_path / "y.npy", "-p", "alpha=0.5", "-j", "1"]


def begun(asked, parts):
    """Start a process and return it when it has read so many parts."""
    child = subprocess.Popen(
        [sys.executable, "-c", COUNTING, *map(str, asked)], stderr=subprocess.PIPE, text=True
    )
    while int(child.stderr.readline()) < parts:
        pass
    return child


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on(long_file, tmp_path):
    expected, found, kept = tmp_path / "whole.csv", tmp_path / "found.csv", tmp_path / "kept"
    ranked = ["rank", *map(str, long_file), "--test", "none"]
    whole = [sys.executable, "-c", COUNTING, *ranked]
    first = subprocess.run([*whole, "-o", expected, "-q"], stderr=subprocess.PIPE, text=True)
    total = len(first.stderr.split())
    asked = [*ranked, "--checkpoint", kept, "-o", found, "-q"]
    child = begun(asked, total // 2)
    child.kill()
    child.communicate()
    assert kept.exists()
    assert not found.exists()
    rest = subprocess.run(
        [sys.executable, "-c", COUNTING, *map(str, asked)], stderr=subprocess.PIPE, text=True
    )
    assert rest.returncode == 0, rest.stderr
    assert len(rest.stderr.split()) < 0.7 * total
    assert found.read_bytes() == expected.read_bytes()
    assert not kept.exists()


def test_an_interrupt_ends_it_with_nothing_half_written(long_file, tmp_path):
    child = begun(["rank", *long_file, "-o", tmp_path / "out.csv"], 5)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert child.returncode == 130
    assert "Interrupted." in errors
    assert "Traceback" not in errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["long.npy", "y.npy"]


@pytest.mark.slow
def test_a_checkpoint_of_another_run_is_refused(run, long_file, tmp_path):
    child = begun(["rank", *long_file, "--checkpoint", tmp_path / "kept", "-q"], 12)
    child.kill()
    child.communicate()
    done = run("rank", *long_file, "-m", "fisher", "--checkpoint", tmp_path / "kept")
    assert done.exit_code == 2
    (tmp_path / "kept").write_bytes(b"featrank")
    done = run("rank", *long_file, "--checkpoint", tmp_path / "kept")
    assert done.exit_code == 1
    assert "Delete it to start again" in done.stderr
