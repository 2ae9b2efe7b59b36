"""Matrix Market files, alone and as 10x writes them."""

import gzip
import warnings

import numpy as np
import pytest
import scanpy as sc
import scipy.io
import scipy.sparse as sp
from click.testing import CliRunner

from featrank.cli import main
from featrank.exceptions import DataError, FeatrankError, FeatrankWarning, UsageError
from featrank.formats import matrix_market
from featrank.tables import read_table
from featrank.tables.options import ReadOptions

GENES = [
    ("ENSG1", "TP53"),
    ("ENSG2", "CD3E"),
    ("ENSG3", "CD3E"),
    ("ENSG4", "MS4A1"),
    ("AB1", "CD3"),
]
TYPES = ["Gene Expression"] * 4 + ["Antibody Capture"]
CELLS = ["AAAC-1", "AAAG-1", "TTTG-1"]
# Genes × cells, as 10x has it.
COUNTS = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 7], [2, 2, 2], [0, 90, 0]])
HEADER = "%%MatrixMarket matrix coordinate integer general\n"


def put(path, text):
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def lines(rows):
    return "".join("\t".join(row) + "\n" for row in rows)


@pytest.fixture
def tenx(tmp_path):
    """Write a folder as 10x does; returns the matrix."""

    def save(prefix="", *, old=False, types=TYPES, counts=COUNTS, barcodes=None, features=None):
        end = "" if old else ".gz"
        rows = [
            list(gene) if old else [*gene, kind] for gene, kind in zip(GENES, types, strict=True)
        ]
        name = "genes" if old else "features"
        put(tmp_path / f"{prefix}{name}.tsv{end}", lines(rows) if features is None else features)
        cells = lines([cell] for cell in CELLS)
        put(tmp_path / f"{prefix}barcodes.tsv{end}", cells if barcodes is None else barcodes)
        path = tmp_path / f"{prefix}matrix.mtx"
        scipy.io.mmwrite(path, sp.coo_matrix(counts))
        if not old:
            put(tmp_path / f"{path.name}.gz", path.read_text())
            path.unlink()
        return tmp_path / f"{path.name}{end}"

    return save


@pytest.fixture
def stored(tmp_path):
    def save(text, name="d.mtx"):
        put(tmp_path / name, text)
        return tmp_path / name

    return save


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("prefix", ["", "GSM123_"])
def test_as_scanpy_reads_it(tenx, prefix, old):
    path = tenx(prefix, old=old)
    table = read_table(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cells = sc.read_10x_mtx(
            path.parent, var_names="gene_ids", prefix=prefix or None, gex_only=False
        )
    assert table.X.format == "csr"
    np.testing.assert_array_equal(table.X.toarray(), cells.X.toarray())
    assert table.feature_names == cells.var_names.tolist()
    assert table.symbols == cells.var["gene_symbols"].tolist()
    assert (table.ids.tolist(), table.id_name) == (cells.obs_names.tolist(), "barcode")


def test_without_lists_rows_are_samples(tmp_path):
    scipy.io.mmwrite(tmp_path / "d.mtx", sp.coo_matrix(COUNTS))
    table = read_table(tmp_path / "d.mtx")
    np.testing.assert_array_equal(table.X.toarray(), sc.read_mtx(tmp_path / "d.mtx").X.toarray())
    assert table.feature_names == ["x0", "x1", "x2"]
    assert (table.ids, table.symbols, table.y) == (None, None, None)


def test_lists_tell_which_way_round(tenx):
    np.testing.assert_array_equal(read_table(tenx(counts=COUNTS.T)).X.toarray(), COUNTS.T)
    with_header = lines([["cell_barcode", "cell_type"], *zip(CELLS, ["T", "B", "T"], strict=True)])
    for counts in (COUNTS, COUNTS.T):
        table = read_table(tenx(counts=counts, barcodes=with_header), target="cell_type")
        np.testing.assert_array_equal(table.X.toarray(), COUNTS.T)
        assert table.y.tolist() == ["T", "B", "T"]
        assert table.ids.tolist() == CELLS
    path = tenx()
    path.with_name("barcodes.tsv.gz").unlink()
    np.testing.assert_array_equal(read_table(path).X.toarray(), COUNTS.T)
    assert read_table(path).ids is None


def test_a_square_matrix_has_genes_in_rows(tenx):
    square = COUNTS[:3]
    path = tenx(counts=square, features=lines(GENES[:3]))
    np.testing.assert_array_equal(read_table(path).X.toarray(), square.T)


def test_other_names_and_types(tenx):
    path = tenx()
    table = matrix_market.read(path, ReadOptions(names="symbol", duplicates="max"))
    assert table.feature_names == ["TP53", "CD3E", "MS4A1", "CD3"]
    assert table.symbols == ["ENSG1", "ENSG2", "ENSG4", "AB1"]
    assert table.X.toarray()[:, 1].tolist() == [1, 0, 7]
    told = "2 types (4 of 'Gene Expression', 1 of 'Antibody Capture') and are ranked together"
    assert told in table.notes[0]
    assert matrix_market.read(path, ReadOptions(symbols="type")).symbols == TYPES
    one = tenx(types=["Gene Expression"] * 5)
    assert read_table(one).notes == ()
    with pytest.raises(DataError, match=r"unique, but these are repeated: 'CD3E'.*`duplicates"):
        matrix_market.read(path, ReadOptions(names="symbol"))


def test_labels_from_a_file_or_beside_the_barcodes(tenx, tmp_path):
    path = tenx(barcodes=lines(zip(CELLS, ["1", "", "2"], strict=True)))
    with pytest.warns(FeatrankWarning, match=r"1 of 3 samples has no 'column 2'.*AAAG-1"):
        table = read_table(path, target="column 2")
    assert (table.y.tolist(), table.ids.tolist()) == ([1, 2], ["AAAC-1", "TTTG-1"])
    (tmp_path / "types.txt").write_text("T\nB\nT\n")
    table = read_table(path, target="types.txt")
    assert (table.y.tolist(), table.target_name) == (["T", "B", "T"], "types")
    args = ["rank", str(path), "--target", "types.txt", "-m", "fisher", "--format", "csv"]
    done = CliRunner().invoke(main, args, catch_exceptions=False)
    assert "rank,feature,second_name,score," in done.output
    assert done.exit_code == 0
    with pytest.raises(UsageError, match=r"Unknown target 'type.txt'.*No file has that name"):
        read_table(path, target="type.txt")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("coordinate pattern general\n2 2 2\n1 2\n2 1\n", [[0, 1], [1, 0]]),
        ("coordinate real symmetric\n2 2 2\n1 1 5\n2 1 -7\n", [[5, -7], [-7, 0]]),
        ("coordinate real skew-symmetric\n2 2 1\n2 1 7\n", [[0, -7], [7, 0]]),
        ("coordinate real general\n% zwölf\n2 2 2\n1 1 2\n1 1 3\n", [[5, 0], [0, 0]]),
        ("array real general\n2 2\n1\n2\n3\n4.5\n", [[1, 3], [2, 4.5]]),
        ("array integer symmetric\n2 2\n1\n2\n3\n", [[1, 2], [2, 3]]),
    ],
)
@pytest.mark.parametrize("name", ["d.mtx", "d.mtx.gz"])
def test_variants(stored, text, values, name):
    X = read_table(stored("%%MatrixMarket matrix " + text, name)).X
    assert (X if isinstance(X, np.ndarray) else X.toarray()).tolist() == values
    assert isinstance(X, np.ndarray) == text.startswith("array")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n", "complex numbers"),
        (HEADER + "2 3 2\n1 1 5\n2 4 7\n", "Line 4: Column index out of bounds"),
        (HEADER + "2 3 2\n1 1 5\n0 3 7\n", "Line 4: Row index out of bounds"),
        (HEADER + "2 3 3\n1 1 5\n2 3 7\n", "Truncated file"),
        (HEADER + "2 3 1\n1 1 5\n2 3 7\n", "Too many lines"),
        (HEADER + f"2 3 {2**40}\n1 1 5\n", "declares 1099511627776 values, more"),
        (HEADER + f"{2**62} 3 1\n1 1 5\n", "declares 4611686018427387904 rows.*more than is free"),
        (HEADER + f"3 {2**62} 1\n1 1 5\n", "declares 3 rows and 4611686018427387904 columns"),
        (HEADER + f"{2**70} 3 1\n1 1 5\n", "out of range"),
        (HEADER + "-2 3 1\n1 1 5\n", "negative"),
        (HEADER + "0 0 0\n", "has 0 rows and 0 columns"),
        ("%%MatrixMarket matrix array real general\n0 3\n1\n", "has 0 rows and 3 columns"),
        (HEADER + "2 3 1\n1 1 x\n", "Invalid integer"),
        (HEADER + f"2 3 1\n1 1 {10**30}\n", "out of range"),
        (HEADER + "2 3 1\n1 1 5x", "values that .*integer general' does not allow"),
        (HEADER + "% 10x 3.1\n2 3 1\n1 1 5.5\n", "fractions among integers"),
        (HEADER + "2 3 1\n1 1\x00 5\n", "Invalid integer"),
        (HEADER, "Premature EOF"),
        ("1 2 3\n", "Not a Matrix Market file"),
        ("%%MatrixMarket vector coordinate real general\n3 1\n1 2\n", "Vector"),
        ("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 inf\n", "1 infinite value"),
        (f"%%MatrixMarket matrix array real general\n{2**31} {2**31}\n1\n", "declares"),
    ],
)
@pytest.mark.parametrize("name", ["d.mtx", "d.mtx.gz"])
def test_damage_is_told(stored, text, message, name):
    with pytest.raises(DataError, match=message):
        read_table(stored(text, name))


def test_missing_values(stored):
    text = "%%MatrixMarket matrix coordinate real general\n2 1 2\n1 1 nan\n2 1 4\n"
    with pytest.raises(DataError, match="1 missing value"):
        read_table(stored(text))
    assert read_table(stored(text), missing="mean").X.toarray().tolist() == [[4], [4]]


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({"barcodes": "a\nb\n"}, r"has 5 rows and 3 columns, but 'barcodes.tsv.gz' has 2 and"),
        ({"features": "a\nb\nc\n"}, r"'features.tsv.gz' has 3 lines.*belong to another"),
        ({"features": "a\tA\nb\tB\nc\tC\nd\ne\tE\n"}, r"different numbers of fields"),
        ({"features": "a\nb\nc\nd\ne\nf\n"}, r"'features.tsv.gz' has 6 lines"),
        ({"features": "\n"}, r"features.tsv.gz' is empty"),
        ({"features": "a\tA\n\tB\nc\tC\nd\tD\ne\tE\n"}, r"Names are missing for 1 feature.*row 2"),
    ],
)
def test_lists_that_do_not_fit(tenx, lists, message):
    with pytest.raises(DataError, match=message):
        read_table(tenx(**lists))


def test_cut_and_changed_files_give_sentences(tenx):
    path = tenx()
    rng = np.random.default_rng(0)
    for name in (path.name, "barcodes.tsv.gz", "features.tsv.gz"):
        file = path.with_name(name)
        whole = file.read_bytes()
        for size in range(1, len(whole) - 1, 7):
            file.write_bytes(whole[:size])
            with pytest.raises(FeatrankError):
                read_table(path)
        plain = gzip.decompress(whole)
        for _ in range(60):
            changed = bytearray(plain)
            changed[rng.integers(len(changed))] = rng.integers(256)
            file.write_bytes(gzip.compress(bytes(changed)))
            try:
                read_table(path)
            except FeatrankError:
                continue
        file.write_bytes(whole)
    np.testing.assert_array_equal(read_table(path).X.toarray(), COUNTS.T)
