"""The data of the benchmark on scale: what it says of itself, at small sizes."""

import sys
from pathlib import Path

import numpy as np
import pytest

from featrank.sources import open_dataset

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def scale_data(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import scale_data

    yield scale_data
    sys.modules.pop("scale_data", None)


@pytest.mark.parametrize("n_samples", [150, 601])
def test_genotypes(scale_data, tmp_path, n_samples):
    path = scale_data.write_bed(tmp_path / "a.bed", n_samples, 10_000, seed=1)
    source = open_dataset(path)
    assert source.shape == (n_samples, 10_000)
    (part,) = source.chunks(1 << 30)
    block = part.read()
    X = block.X.toarray()
    assert 0.01 < np.isnan(X).mean() < 0.02
    assert set(np.unique(X[~np.isnan(X)])) == {0, 1, 2}
    if n_samples % 4:  # PLINK wants zeros there
        assert not (block.X.packed[:, -1] >> 2 * (n_samples % 4)).any()
    counts = block.X.counts(block.y - 1, 2).astype(float)
    cases = [counts[:, c] @ [2, 0, 1, 0] / counts[:, c][:, [0, 2, 3]].sum(axis=1) for c in range(2)]
    best = np.argsort(-abs(cases[0] - cases[1]))[:50] // scale_data.BLOCK
    n_blocks = -(-10_000 // scale_data.BLOCK)
    causal = np.linspace(0, n_blocks - 1, scale_data.CAUSAL_BLOCKS + 2)[1:-1].astype(int)
    assert np.isin(best, causal).mean() > 0.9


def test_neighbouring_variants_go_together(scale_data, tmp_path):
    source = open_dataset(scale_data.write_bed(tmp_path / "a.bed", 500, 1_000))
    X = np.nan_to_num(next(iter(source.chunks(1 << 30))).read().X.toarray())
    square = np.nan_to_num(np.corrcoef(X[:, :256].T)) ** 2
    assert square[:128, :128].mean() > 10 * square[:128, 128:].mean()


def test_any_number_of_threads_writes_the_same_genotypes(scale_data, tmp_path):
    written = [
        scale_data.write_bed(tmp_path / f"{workers}.bed", 33, 20_000, workers=workers).read_bytes()
        for workers in (1, 3)
    ]
    assert written[0] == written[1]


def test_codes_of_a_byte(scale_data, tmp_path):
    path, labels = scale_data.write_ecbdl(tmp_path / "e.npy", 40_000, columns=50, size=1 << 18)
    X, y = np.load(path), np.load(labels)
    assert (X.shape, X.dtype) == ((40_000, 50), np.uint8)
    assert 0.015 < y.mean() < 0.025
    assert X.max() < 32
    assert X.min(axis=0).max() == 0
    gaps = abs(X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)) / X.std(axis=0)
    assert set(np.argsort(-gaps)[:3]) == {7, 27, 47}


def test_floats_in_zarr(scale_data, tmp_path):
    zarr = pytest.importorskip("zarr")
    group = zarr.open_group(str(scale_data.write_zarr(tmp_path / "z.zarr", 5_000, 120)), mode="r")
    X, y = group["X"][:], group["y"][:]
    assert (X.shape, X.dtype, len(y)) == ((5_000, 120), np.float32, 5_000)
    gaps = abs(X[y == 2].mean(axis=0) - X[y == 0].mean(axis=0)) / X.std(axis=0)
    assert set(np.argsort(-gaps)[:2]) == {3, 103}


@pytest.mark.parametrize(
    ("rows", "columns", "entries"), [(5_000, 20_000, 150_000), (50, 40, 50), (50, 40, 2_000)]
)
def test_a_power_law(scale_data, rows, columns, entries):
    matrix = scale_data.power_law_csr(rows, columns, entries, seed=2, size=10_000)
    assert (matrix.shape, matrix.nnz) == ((rows, columns), entries)
    assert (matrix.data.dtype, matrix.indices.dtype) == (np.float32, np.int32)
    assert matrix.has_canonical_format  # which looks at all of them
    assert np.diff(matrix.indptr).min() >= 1
    assert matrix.data.min() > 0
    if entries == 150_000:
        counts = np.bincount(matrix.indices, minlength=columns)
        # Of places p and 16·p, the first is 16 ** 0.75 = 8 times as frequent.
        assert 6 < counts[200:600].mean() / counts[3_200:9_600].mean() < 10
