"""The files of the made study, read by other readers than featrank's."""

import gzip
import io

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_ind

from featrank.datasets import make_geo_study


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return make_geo_study(tmp_path_factory.mktemp("study"))


@pytest.fixture(scope="module")
def clinical(files):
    return pd.read_csv(files["clinical"], index_col="sample_id")


def test_same_seed_same_bytes(files, tmp_path):
    again = {kind: path.read_bytes() for kind, path in make_geo_study(tmp_path).items()}
    assert again == {kind: path.read_bytes() for kind, path in files.items()}
    other = make_geo_study(tmp_path, random_state=1)
    assert other["counts"].read_bytes() != again["counts"]


def test_the_series_holds_the_values_of_the_expression_table(files):
    text = gzip.decompress(files["series"].read_bytes()).decode()
    assert text.count('"disease: ') == 42
    values = text.partition("!series_matrix_table_begin\n")[2].partition("!series")[0]
    series = pd.read_csv(io.StringIO(values), sep="\t", index_col="ID_REF")
    table = pd.read_csv(files["expression"], sep="\t", index_col="ID_REF")
    assert table.pop("Gene Symbol").isna().sum() == 12
    pd.testing.assert_frame_equal(series, table)
    assert series.shape == (352, 44)


def test_the_sheet_lacks_two_samples_and_has_one_more(files, clinical):
    samples = pd.read_csv(files["counts"], sep="\t", index_col="gene").columns
    assert len(samples.difference(clinical.index)) == 2
    assert clinical.index.difference(samples).tolist() == ["GSM9000099"]


def test_planted_genes_differ_and_others_do_not(files, clinical):
    table = pd.read_csv(files["expression"], sep="\t").drop_duplicates("Gene Symbol")
    genes = table.set_index("Gene Symbol").drop(columns="ID_REF")
    known = clinical.index.intersection(genes.columns)
    values, sick = genes[known].to_numpy(), clinical.loc[known, "diagnosis"] == "asthma"
    p = ttest_ind(values[:, sick], values[:, ~sick], axis=1).pvalue
    planted = np.isin(genes.index, files["planted"].read_text().split())
    assert planted.sum() == 30
    assert (p[planted] < 0.05).mean() > 0.7
    assert (p[~planted] < 0.05).mean() < 0.1


def test_proteins_are_missing_where_they_are_low(files):
    proteins = pd.read_csv(files["proteins"], sep="\t", index_col="protein")
    missing = proteins.isna().mean(axis=1)
    assert 0.05 < missing.mean() < 0.4
    assert missing.corr(proteins.mean(axis=1), method="spearman") < -0.5
