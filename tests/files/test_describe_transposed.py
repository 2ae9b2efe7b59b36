"""Descriptions of files with features in rows, and of files that options describe."""

import numpy as np
import pytest

import featrank
from featrank.tables import read_table

SAMPLES = [f"sample{i}" for i in range(12)]


def write_tsv(path, head, rows):
    lines = [head, *rows]
    path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))
    return path


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def numbers(rng, n_rows, n_columns):
    return [[f"metab {j}x", *rng.normal(size=n_columns).round(3)] for j in range(n_rows)]


def test_names_of_samples_show_that_the_features_are_in_rows(tmp_path, rng):
    path = write_tsv(tmp_path / "a.tsv", ["feature", *SAMPLES], numbers(rng, 40, 12))
    found = featrank.describe_file(path)
    assert (found.transposed, found.n_samples, found.n_columns) == (True, 12, 40)
    assert "--transpose" in found.command


def test_tall_tables_of_numbers_may_be_transposed(tmp_path, rng):
    path = write_tsv(tmp_path / "a.tsv", ["feature", *"abcdef"], numbers(rng, 40, 6))
    found = featrank.describe_file(path)
    assert not found.transposed
    assert found.notes[0].endswith("no target. If so, use `transpose=True`.")
    assert featrank.describe_file(path, transpose=True).n_samples == 6


def test_samples_in_rows_are_no_hint(tmp_path, rng):
    rows = [[f"S{j}", *rng.normal(size=6).round(3)] for j in range(40)]
    found = featrank.describe_file(write_tsv(tmp_path / "a.tsv", ["id", *"abcdef"], rows))
    assert not found.transposed
    assert not any("transpose" in note for note in found.notes)


def test_the_length_of_featurecounts_is_not_a_sample(tmp_path, rng):
    rows = [[f"gene{j}", 900 + j, *rng.poisson(50, 12)] for j in range(40)]
    path = write_tsv(tmp_path / "a.tsv", ["Geneid", "Length", *SAMPLES], rows)
    found = featrank.describe_file(path)
    assert (found.transposed, found.n_samples) == (True, 12)


def test_drop_leaves_out_a_column_of_a_transposed_file(tmp_path, rng):
    rows = [[f"metab {j}x", 100 + j, *rng.normal(size=12).round(3)] for j in range(40)]
    path = write_tsv(tmp_path / "a.tsv", ["feature", "Mass", *SAMPLES], rows)
    assert len(read_table(path, transpose=True).X) == 13
    table = read_table(path, transpose=True, drop=["Mass", "metab 3x"])
    assert table.X.shape == (12, 39)
