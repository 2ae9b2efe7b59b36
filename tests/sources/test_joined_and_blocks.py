"""Several files as one table, and blocks that a program makes."""

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

from featrank.exceptions import DataError, UsageError
from featrank.sources import Blocks, open_dataset
from featrank.tables import Table, write_table

from .test_matrices import h5ad
from .whole import assert_same, elsewhere, together

RNG = np.random.default_rng(5)
X = RNG.normal(size=(29, 4))
Y = np.array(["a", "b", "c"])[RNG.integers(0, 3, 29)]
CUTS = (slice(0, 8), slice(8, 20), slice(20, 29))


@pytest.fixture
def files(tmp_path):
    def save(suffix, names="pqrs"):
        paths = []
        for number, rows in enumerate(CUTS):
            paths.append(tmp_path / f"{number}{suffix}")
            write_table(paths[-1], Table(X[rows], list(names), Y[rows], "kind"))
        return paths

    return save


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".h5ad"])
def test_files_are_one_table(files, suffix):
    source = open_dataset(files(suffix), target="kind", drop="q")
    assert source.name == f"0{suffix} and 2 more"
    assert list(source.names) == ["p", "r", "s"]
    assert_same(source, X[:, [0, 2, 3]], Y)


def test_parts_of_files_are_read_in_another_process(files):
    parts = list(open_dataset(files(".parquet"), target="kind").chunks(200))
    assert [part.place for part in parts][-1] == "rows 4 to 8 of '2.parquet'"
    blocks = elsewhere(parts)
    np.testing.assert_array_equal(np.concatenate([block for block, _ in blocks]), X)
    assert [label for _, y in blocks for label in y] == Y.tolist()


def test_one_file_of_labels_for_all(files, tmp_path):
    np.save(tmp_path / "y.npy", np.arange(29))
    source = open_dataset([str(path) for path in files(".npy")], labels="y.npy")
    assert source.target == "y"
    assert_same(source, X, np.arange(29))
    np.save(tmp_path / "y.npy", np.arange(28))
    with pytest.raises(DataError, match=r"shape \(28,\) for 29 samples"):
        open_dataset(files(".npy"), labels="y.npy")


def test_files_that_are_read_by_columns(tmp_path):
    for number, rows in enumerate(CUTS):
        np.save(tmp_path / f"{number}.npy", np.asfortranarray(X[rows]))
        h5ad(tmp_path / f"{number}.h5ad", sp.csc_matrix(X[rows]), Y[rows])
    np.save(tmp_path / "y.npy", Y)
    source = open_dataset([tmp_path / f"{n}.npy" for n in range(3)], labels="y.npy")
    assert source.axis == "columns"
    assert_same(source, X, Y)
    assert next(iter(source.chunks(1))).place == "columns 0 to 0 of '0.npy' and 2 more"
    source = open_dataset([tmp_path / f"{n}.h5ad" for n in range(3)], target="cell")
    blocks = [part.read() for part in source.chunks(600)]
    assert len(blocks) > 1
    assert all(block.X.format == "csc" for block in blocks)
    np.testing.assert_array_equal(sp.hstack([block.X for block in blocks]).toarray(), X)
    assert blocks[0].y.tolist() == Y.tolist()
    np.save(tmp_path / "rows.npy", X)
    with pytest.raises(UsageError, match=r"'0.npy' is stored by columns, 'rows.npy' by rows"):
        open_dataset([tmp_path / "0.npy", tmp_path / "rows.npy"])


def test_names_must_be_the_same_in_the_same_order(files, tmp_path):
    paths = files(".parquet")
    other = tmp_path / "other.parquet"
    frame = pl.read_parquet(paths[0])
    frame.rename({"r": "R"}).write_parquet(other)
    told = (
        r"'0.parquet' and 'other.parquet' have different columns, 4 and 4. Only one .* 'r', 'R'\."
    )
    with pytest.raises(DataError, match=told):
        open_dataset([*paths, other], target="kind")
    frame.select("p", "r", "q", "s", "kind").write_parquet(other)
    with pytest.raises(DataError, match="another order: column 1 is 'q' in one, 'r' in the other"):
        open_dataset([*paths, other], target="kind")
    np.save(tmp_path / "wide.npy", np.ones((3, 5)))
    with pytest.raises(DataError, match=r"4 and 5. Only one file has 'x4'"):
        open_dataset([*files(".npy"), tmp_path / "wide.npy"])


@pytest.mark.parametrize("suffix", [".parquet", ".csv.gz", ".npy", ".h5ad"])
def test_links_to_files_of_other_names(files, tmp_path, monkeypatch, suffix):
    path = files(suffix)[0]
    path.rename(tmp_path / "0a1b2c")
    path.symlink_to(tmp_path / "0a1b2c")
    monkeypatch.chdir(tmp_path)
    source = open_dataset(path.name, target=None if suffix == ".npy" else "kind")
    monkeypatch.chdir("/")  # parts know where the file is
    assert_same(source, X[:8])
    assert next(iter(source.chunks(1))).place == f"rows 0 to 0 of '{path.name}'"


def test_lists_of_one_and_of_none(files):
    assert open_dataset(files(".csv")[:1], target="kind").name == "0.csv"
    with pytest.raises(UsageError, match="No files are given"):
        open_dataset([])


def pairs(X=X):
    return ((X[rows], Y[rows]) for rows in CUTS)


BLOCKS = {
    "sequence": lambda: Blocks(list(pairs())),
    "function": lambda: Blocks(pairs),
    "frames": lambda: Blocks([(pl.DataFrame(block), y.tolist()) for block, y in pairs()]),
    "CSR": lambda: Blocks(list(pairs(sp.csr_array(X)))),
    "CSC": lambda: Blocks([(sp.csc_matrix(block), y) for block, y in pairs()]),
}


@pytest.mark.parametrize("kind", BLOCKS)
def test_blocks_are_the_table(kind):
    source = BLOCKS[kind]()
    assert (source.shape, source.again, source.target) == ((None, 4), True, "y")
    assert list(source.names) == ["x0", "x1", "x2", "x3"]
    source.shape = X.shape
    assert_same(source, X, Y)


def test_a_generator_is_read_once():
    source = Blocks(pairs(), names=list("pqrs"))
    assert not source.again
    assert source.names == list("pqrs")
    found, y = together(source, 100)
    np.testing.assert_array_equal(found, X)
    assert y.tolist() == Y.tolist()
    with pytest.raises(UsageError, match="'blocks' can be read only once, and has been"):
        source.chunks(100)


def test_blocks_without_labels_and_without_rows():
    source = Blocks([X[:0], X[:5], X[5:5], X[5:]], n_features=4)
    assert not source.labelled
    np.testing.assert_array_equal(together(source, 150)[0], X)


@pytest.mark.parametrize(
    ("blocks", "told"),
    [
        ([], "no blocks"),
        ([X, X[:, :3]], "Block 1 of 'blocks' has 3 columns; 4 were expected"),
        ([(X, Y), X], "Block 1 of 'blocks' has no labels; the blocks before have labels"),
        ([X, (X, Y)], "Block 1 of 'blocks' has labels; the blocks before have none"),
        ([(X, Y[:5])], r"In block 0 .*'y' has shape \(5,\) for 29 samples"),
        ([X, np.array([["a"] * 4])], "In block 1 of 'blocks': The data is of type <U1"),
        ([X, np.full((2, 4), 2**53 + 1)], r"In block 1 .*beyond 2\*\*53"),
    ],
)
def test_blocks_that_cannot_be_used(blocks, told):
    with pytest.raises(DataError, match=told):
        together(Blocks(blocks), 10**6)


def test_names_of_blocks():
    with pytest.raises(UsageError, match="2 names were given for 4 features"):
        Blocks([X], names=["a", "b"])
    with pytest.raises(DataError, match="'a'"):
        Blocks([X], names=["a", "b", "a", "c"])
    with pytest.raises(UsageError, match="steps of 1"):
        Blocks([X]).chunks(100, slice(None, None, 2))


@pytest.mark.parametrize("alpha", ["cv", 0.5])
def test_blocks_without_any_row(alpha):
    import featrank

    empty = Blocks([(X[:0], Y[:0]), (X[:0], Y[:0])])
    with pytest.raises(DataError, match=r"has no rows|Is it empty"):
        featrank.ECFS(alpha=alpha).fit(empty)


@pytest.mark.parametrize("method", ["ec-fs", "fisher", "mrmr", "relieff"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_source_without_features(method, order, tmp_path):
    import featrank

    np.save(tmp_path / "data.npy", np.ones((29, 0), order=order))
    for source in (open_dataset(tmp_path / "data.npy"), Blocks([(X[:, :0], Y)])):
        with pytest.raises(DataError, match=r"has no features. At least one column"):
            featrank.rank(source, None if source.labelled else Y, method)
