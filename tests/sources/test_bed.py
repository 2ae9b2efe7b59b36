"""PLINK 1's .bed, .bim and .fam as a source, against a writer and a reader by its specification."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from featrank.exceptions import DataError, UsageError
from featrank.sources import open_dataset
from featrank.values.genotypes import ALLELES

# Of two bits: 2, 1 and 0 copies of the first allele, and missing.
CODES = {2: "00", 1: "10", 0: "11", None: "01"}


def write_plink(folder, table, *, ids=None, phenotypes=None, gap=" ", stem="study"):
    """Write lists of 0, 1, 2 and None, a list a variant, bit by bit."""
    n_samples = len(table[0])
    content = bytearray([0x6C, 0x1B, 0x01])
    for variant in table:
        for start in range(0, n_samples, 4):
            four = [CODES[value] for value in variant[start : start + 4]]
            content.append(int("".join(reversed(four)), 2))
    bed = folder / f"{stem}.bed"
    bed.write_bytes(content)
    ids = [f"rs{j}" for j in range(len(table))] if ids is None else ids
    bim = [("1", name, "0", str(100 + j), "A", "G") for j, name in enumerate(ids)]
    phenotypes = [1 + t % 2 for t in range(n_samples)] if phenotypes is None else phenotypes
    fam = [
        (f"f{t % 3}", f"i{t}", "0", "0", str(2 - t % 2), str(phenotype))
        for t, phenotype in enumerate(phenotypes)
    ]
    for suffix, rows in ((".bim", bim), (".fam", fam)):
        text = "".join(f"{gap.join(row)}\n" for row in rows)
        bed.with_suffix(suffix).write_text(text)
    return bed


def made(n_variants, n_samples, seed=0):
    rng = np.random.default_rng(seed)
    values = np.array([0, 1, 2, None])[rng.integers(0, 4, (n_variants, n_samples))]
    return values.tolist()


def whole(source, most_bytes=1 << 20, columns=slice(None)):
    """All parts side by side, each sent through pickle first."""
    parts = [pickle.loads(pickle.dumps(part)) for part in source.chunks(most_bytes, columns)]
    blocks = [part.read() for part in parts]
    for part, block in zip(parts, blocks, strict=True):
        assert part.rows == slice(0, source.shape[0])
        assert block.X.shape == (source.shape[0], part.columns.stop - part.columns.start)
        assert block.nbytes <= max(most_bytes, (source.shape[0] + 3) // 4)
    places = [(part.columns.start, part.columns.stop) for part in parts]
    assert all(left[1] == right[0] for left, right in pairwise(places))
    return np.hstack([block.X.toarray() for block in blocks])


def as_floats(table):
    return np.array(table, dtype=float).T


def test_the_example_of_plinks_documentation(tmp_path):
    bed = tmp_path / "example.bed"
    bed.write_bytes(bytes.fromhex("6c1b01 dc0f e70f 6b01"))
    bed.with_suffix(".bim").write_text(
        "1\tsnp1\t0\t1\tG\tA\n1\tsnp2\t0\t2\t1\t2\n1\tsnp3\t0\t3\tA\tC\n"
    )
    people = ["1 1 0 0", "1 2 0 0", "1 3 1 2", "2 1 0 0", "2 2 0 0", "2 3 1 2"]
    bed.with_suffix(".fam").write_text(
        "".join(f"{person} 1 {2 - j % 2}\n" for j, person in enumerate(people))
    )
    source = open_dataset(bed)
    assert source.names == ["snp1", "snp2", "snp3"]
    missing = np.nan
    expected = [
        [2, 0, 0],
        [0, missing, 1],
        [missing, 1, 1],
        [0, 0, missing],
        [0, 0, missing],
        [0, 0, 2],
    ]
    np.testing.assert_array_equal(whole(source), expected)


@pytest.mark.parametrize("n_samples", [1, 3, 4, 5, 8, 33, 130])
@pytest.mark.parametrize("most_bytes", [1, 20, 1 << 20])
def test_every_genotype_whatever_the_parts(tmp_path, n_samples, most_bytes):
    table = made(37, n_samples)
    source = open_dataset(write_plink(tmp_path, table))
    assert source.shape == (n_samples, 37)
    assert (source.axis, source.again, source.dtype) == ("columns", True, np.float32)
    np.testing.assert_array_equal(whole(source, most_bytes), as_floats(table))


def test_some_columns(tmp_path):
    table = made(20, 6)
    source = open_dataset(write_plink(tmp_path, table))
    np.testing.assert_array_equal(whole(source, 6, slice(3, 16)), as_floats(table)[:, 3:16])
    parts = list(source.chunks(6, slice(3, 16)))
    assert parts[0].place == "variants 3 to 5 of 'study.bed'"
    assert (parts[0].columns, parts[-1].columns) == (slice(3, 6), slice(15, 16))


@pytest.mark.parametrize("dropped", [[0], [19], [4, 5, 9], [0, 1, 18, 19]])
def test_dropped_variants(tmp_path, dropped):
    table = made(20, 9)
    names = [f"rs{j}" for j in dropped]
    source = open_dataset(write_plink(tmp_path, table), drop=names)
    left = np.delete(as_floats(table), dropped, axis=1)
    assert source.names == [f"rs{j}" for j in range(20) if j not in dropped]
    for most_bytes in (1, 7, 1 << 20):
        np.testing.assert_array_equal(whole(source, most_bytes), left)
        np.testing.assert_array_equal(whole(source, most_bytes, slice(2, 11)), left[:, 2:11])


def test_counts_are_those_of_the_numbers(tmp_path):
    table = made(25, 57)
    (part,) = open_dataset(write_plink(tmp_path, table)).chunks(1 << 20)
    classes = np.random.default_rng(1).integers(-1, 3, 57)
    values = np.nan_to_num(as_floats(table), nan=-1)
    counts = part.read().X.counts(classes, 3)
    for code, copies in enumerate(np.nan_to_num(ALLELES, nan=-1)):
        for c in range(3):
            own = (values[classes == c] == copies).sum(axis=0)
            np.testing.assert_array_equal(counts[:, c, code], own)


class TestLabels:
    def labels(self, bed, **options):
        source = open_dataset(bed, **options)
        found = [part.read().y for part in source.chunks(3)]
        assert all(y is found[0] or np.array_equal(y, found[0]) for y in found)
        return source, found[0]

    def test_phenotype(self, tmp_path):
        source, y = self.labels(write_plink(tmp_path, made(4, 5)))
        assert (source.target, source.labelled, y.tolist()) == ("phenotype", True, [1, 2, 1, 2, 1])

    def test_quantity(self, tmp_path):
        bed = write_plink(tmp_path, made(4, 5), phenotypes=[0, 1.5, 3, -2, 7])
        assert self.labels(bed)[1].tolist() == [0, 1.5, 3, -2, 7]

    @pytest.mark.parametrize(
        ("target", "name", "expected"),
        [
            ("sex", "sex", [2, 1, 2, 1, 2]),
            ("family", "family", ["f0", "f1", "f2", "f0", "f1"]),
            ("-2", "sex", [2, 1, 2, 1, 2]),
            (-1, "phenotype", [1, 2, 1, 2, 1]),
        ],
    )
    def test_another_column(self, tmp_path, target, name, expected):
        source, y = self.labels(write_plink(tmp_path, made(4, 5)), target=target)
        assert (source.target, y.tolist()) == (name, expected)

    def test_a_file_of_labels(self, tmp_path):
        bed = write_plink(tmp_path, made(4, 5), phenotypes=[-9] * 5)
        (tmp_path / "tumour.txt").write_text("a\nb\na\nb\nb\n")
        for options in ({"target": "tumour.txt"}, {"labels": tmp_path / "tumour.txt"}):
            source, y = self.labels(bed, **options)
            assert (source.target, y.tolist()) == ("tumour.txt", list("ababb"))

    def test_a_file_of_labels_that_changes(self, tmp_path):
        bed, file = write_plink(tmp_path, made(4, 2)), tmp_path / "y.txt"
        for text in ("a\nb\n", "bee\na\n"):
            file.write_text(text)
            assert self.labels(bed, labels=file)[1].tolist() == text.split()

    def test_no_phenotype_at_all(self, tmp_path):
        source, y = self.labels(write_plink(tmp_path, made(4, 5), phenotypes=[-9, 0, -9, -9, 0]))
        assert (source.target, source.labelled, y) == (None, False, None)

    @pytest.mark.parametrize(
        ("phenotypes", "expected"),
        [
            ([1, -9, 2, 0, 1], [1, None, 2, None, 1]),
            ([0.5, "NA", 3, -9, 0], [0.5, None, 3, None, 0]),
        ],
    )
    def test_some_phenotypes_missing(self, tmp_path, phenotypes, expected):
        bed = write_plink(tmp_path, made(4, 5), phenotypes=phenotypes)
        assert self.labels(bed)[1].tolist() == expected

    def test_an_unknown_column(self, tmp_path):
        with pytest.raises(UsageError, match=r"Unknown column of .fam 'sexx'. Did you mean 'sex'"):
            open_dataset(write_plink(tmp_path, made(4, 5)), target="sexx")

    def test_labels_of_another_length(self, tmp_path):
        bed = write_plink(tmp_path, made(4, 5))
        (tmp_path / "y.txt").write_text("a\nb\n")
        with pytest.raises(DataError, match="for 5 samples"):
            open_dataset(bed, labels=tmp_path / "y.txt")


class TestNames:
    def test_variants_without_an_id(self, tmp_path):
        bed = write_plink(tmp_path, made(4, 5), ids=["rs1", ".", "rs2", "."])
        assert open_dataset(bed).names == ["rs1", "1:101:A:G", "rs2", "1:103:A:G"]

    def test_ids_that_occur_twice(self, tmp_path):
        bed = write_plink(tmp_path, made(4, 5), ids=["rs1", "rs2", "rs1", "rs3"])
        with pytest.raises(DataError, match=r"more than once .* 'rs1'.*--set-all-var-ids"):
            open_dataset(bed)

    @pytest.mark.parametrize("gap", [" ", "\t", "  ", " \t"])
    def test_whatever_separates_the_fields(self, tmp_path, gap):
        table = made(4, 5)
        source = open_dataset(write_plink(tmp_path, table, gap=gap))
        assert source.names == ["rs0", "rs1", "rs2", "rs3"]
        np.testing.assert_array_equal(whole(source), as_floats(table))

    @pytest.mark.parametrize("gap", [" ", "\t", "  "])
    def test_line_ends_of_windows(self, tmp_path, gap):
        bed = write_plink(tmp_path, made(3, 5), gap=gap)
        for suffix in (".bim", ".fam"):
            path = bed.with_suffix(suffix)
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        source = open_dataset(bed)
        assert source.names == ["rs0", "rs1", "rs2"]
        assert next(iter(source.chunks(9))).read().y.tolist() == [1, 2, 1, 2, 1]

    def test_files_that_are_read_in_pieces(self, tmp_path, monkeypatch):
        monkeypatch.setattr("featrank.sources.whitespace.PIECE", 50)
        source = open_dataset(write_plink(tmp_path, made(40, 30)))
        assert source.names == [f"rs{j}" for j in range(40)]
        assert source.shape == (30, 40)

    def test_quotes_are_letters_like_others(self, tmp_path):
        bed = write_plink(tmp_path, made(3, 5), ids=['"', "a'b", 'c"'], gap="\t")
        assert open_dataset(bed).names == ['"', "a'b", 'c"']

    @pytest.mark.parametrize("gap", ["\t", " "])
    @pytest.mark.parametrize("line", ["1{0}rs1", "1{0}rs1{0}0{0}5{0}A{0}G{0}T", ""])
    def test_a_line_of_another_width(self, tmp_path, line, gap):
        bim = write_plink(tmp_path, made(3, 5), gap=gap).with_suffix(".bim")
        lines = bim.read_text().splitlines()
        lines[1] = line.format(gap)
        bim.write_text("\n".join(lines))
        with pytest.raises(DataError, match=r"study.bim', line 2 does not have the 6 fields"):
            open_dataset(bim.with_suffix(".bed"))

    def test_an_unknown_variant_to_drop(self, tmp_path):
        with pytest.raises(UsageError, match="Unknown variant 'rs9'"):
            open_dataset(write_plink(tmp_path, made(4, 5)), drop="rs9")


class TestWrongFiles:
    def refused(self, bed, words, error=DataError):
        with pytest.raises(error, match=words):
            open_dataset(bed)

    def test_sample_by_sample(self, tmp_path):
        bed = write_plink(tmp_path, made(4, 4))
        bed.write_bytes(b"\x6c\x1b\x00" + bed.read_bytes()[3:])
        self.refused(bed, "sample by sample.*--make-bed")

    def test_genomic_intervals(self, tmp_path):
        bed = tmp_path / "genes.bed"
        bed.write_text("chr1\t100\t200\n")
        self.refused(bed, "is not a .bed file of PLINK 1: it begins with 63 68 72")

    @pytest.mark.parametrize("suffix", [".bim", ".fam"])
    def test_a_file_alone(self, tmp_path, suffix):
        bed = write_plink(tmp_path, made(4, 5))
        bed.with_suffix(suffix).unlink()
        self.refused(bed, f"'study{suffix}' is missing next to", UsageError)

    @pytest.mark.parametrize("change", [-1, 1])
    def test_another_size(self, tmp_path, change):
        bed = write_plink(tmp_path, made(4, 5))
        content = bed.read_bytes()
        bed.write_bytes(content[:-1] if change < 0 else content + b"\0")
        self.refused(bed, rf"has {11 + change} bytes, but 11 were expected for 4 variants")

    @pytest.mark.parametrize("suffix", [".bim", ".fam"])
    def test_an_empty_file(self, tmp_path, suffix):
        bed = write_plink(tmp_path, made(4, 5))
        bed.with_suffix(suffix).write_text("")
        self.refused(bed, "At least one of each")

    def test_a_part_that_is_cut_short_later_is_named(self, tmp_path):
        bed = write_plink(tmp_path, made(40, 8))
        parts = list(open_dataset(bed).chunks(20))
        bed.write_bytes(bed.read_bytes()[:-5])
        parts[0].read()
        with pytest.raises(DataError, match=r"Cannot read variants 30 to 39 of 'study.bed'"):
            parts[-1].read()
