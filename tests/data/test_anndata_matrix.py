"""Which matrix of an AnnData is ranked: one rule for objects, backed objects and files."""

import anndata
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import featrank
from featrank import FisherScore
from featrank.anndata import rank_genes
from featrank.evaluation import Protocol, compare
from featrank.exceptions import FeatrankWarning, UsageError
from featrank.sources import open_dataset
from featrank.tables import read_table
from featrank.tables.anndata_matrix import holds_counts, looks_scaled

GENES = [f"g{j}" for j in range(8)]


def cells(n_samples=200):
    """Return counts of 8 genes, and the kinds of cells, which gene 3 separates."""
    rng = np.random.default_rng(1)
    kinds = np.array(["b", "t"])[np.arange(n_samples) % 2]
    counts = rng.poisson(2.0, (n_samples, 8))
    counts[:, 3] += 6 * (kinds == "b")
    return counts.astype(np.float32), kinds


def scaled(X):
    return ((X - X.mean(axis=0)) / X.std(axis=0)).astype(np.float32)


def made(X, kinds, raw=None, genes=GENES):
    obs = pd.DataFrame({"kind": kinds}, [f"cell {row}" for row in range(len(kinds))])
    data = anndata.AnnData(X, obs=obs, var=pd.DataFrame(index=genes[: X.shape[1]]))
    if raw is not None:
        data.raw = made(raw, kinds)
    return data


def every_way(data, path):
    """Return the ranking of an AnnData as an object, a backed one, a file, and in chunks."""
    data.write_h5ad(path)
    backed = anndata.read_h5ad(path, backed="r")
    yield featrank.rank(data, "kind", "fisher")
    yield featrank.rank(backed, "kind", "fisher")
    yield featrank.rank(path, "kind", "fisher")
    yield featrank.rank_file(path, "kind", "fisher")
    yield featrank.rank_file(path, "kind", "fisher", memory="1GB")
    backed.file.close()


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_raw_is_ranked_if_it_is_there(kind, tmp_path):
    counts, kinds = cells()
    logs = np.log1p(counts)
    expected = featrank.rank(logs, kinds, "fisher")
    data = made(scaled(logs)[:, :5], kinds, kind(logs))
    for found in every_way(data, tmp_path / "d.h5ad"):
        np.testing.assert_allclose(found.scores, expected.scores, rtol=1e-5)
        assert found.notes()[0] == (
            "Ranked the values in raw (8 genes), not those in X (5 genes), which look scaled."
        )
        assert found.provenance.values == "log1p"
    rank_genes(data, "kind", method="fisher")
    assert data.uns["featrank"]["params"]["use_raw"]
    fitted = FisherScore(2).fit(data, "kind")
    np.testing.assert_allclose(fitted.scores_, expected.scores, rtol=1e-5)
    assert fitted.transform(data).shape == (200, 2)
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1,))
    assert set(compare(data, "kind", ["fisher"], protocol).features()["feature"]) == set(GENES)
    assert read_table(tmp_path / "d.h5ad", target="kind").feature_names == GENES
    assert open_dataset(tmp_path / "d.h5ad").matrix == "raw"


def test_raw_counts_are_not_ranked_by_default(tmp_path):
    counts, kinds = cells()
    data = made(np.log1p(counts), kinds, sparse.csr_matrix(counts))
    expected = featrank.rank(np.log1p(counts), kinds, "fisher").scores
    for found in every_way(data, tmp_path / "d.h5ad"):
        np.testing.assert_allclose(found.scores, expected, rtol=1e-5)
        assert found.notes()[0] == (
            "Ranked the values in X (8 genes), not those in raw (8 genes), which are counts."
        )
    rank_genes(data, "kind", method="fisher")
    assert not data.uns["featrank"]["params"]["use_raw"]
    raw = featrank.rank(data, "kind", "fisher", use_raw=True).scores
    np.testing.assert_allclose(raw, featrank.rank(counts, kinds, "fisher").scores, rtol=1e-5)


def test_scaled_values_without_raw(tmp_path):
    counts, kinds = cells()
    data = made(scaled(np.log1p(counts)), kinds)
    for found in every_way(data, tmp_path / "d.h5ad"):  # no fold changes, no warning
        assert found.provenance.values == "none"
        assert found.provenance.notes == ()
    told = "X looks scaled.*fold changes cannot be computed.*`layer="
    for call in (
        lambda: rank_genes(data, "kind", method="fisher"),
        lambda: featrank.rank(data, "kind", "fisher", per_class=True),
        lambda: featrank.rank_file(tmp_path / "d.h5ad", "kind", "fisher", per_class=True),
        lambda: featrank.rank(tmp_path / "d.h5ad", "kind", "fisher", per_class=True),
    ):
        with pytest.warns(FeatrankWarning, match=told) as caught:
            call()
        assert len(caught) == 1


def test_fold_changes_of_objects_and_files(tmp_path):
    counts, kinds = cells()
    logs = np.log1p(counts)
    data = made(scaled(logs), kinds, logs)
    data.write_h5ad(tmp_path / "d.h5ad")
    rank_genes(data, "kind", method="fisher", rankby_abs=True)
    expected = data.uns["featrank"]["logfoldchanges"]["b"]
    for found in (
        featrank.rank(data, "kind", "fisher", per_class=True),
        featrank.rank_file(tmp_path / "d.h5ad", "kind", "fisher", per_class=True),
    ):
        changes = found["b"].columns(8, test="welch")["log2_fold_change"]
        np.testing.assert_allclose(changes, expected, rtol=1e-4)
    scaled_only = featrank.rank(data, "kind", "fisher", per_class=True, use_raw=False)
    assert np.isnan(scaled_only["b"].columns(8, test="welch")["log2_fold_change"]).all()


def test_values_of_an_explicit_choice(tmp_path):
    counts, kinds = cells()
    logs = np.log1p(counts)
    data = made(scaled(logs), kinds, logs)
    found = featrank.rank(data, "kind", "fisher", use_raw=False)  # without a warning
    assert found.notes()[0] == (
        "Ranked the values in X (8 genes), which look scaled, not those in raw (8 genes)."
    )
    data.layers["logs"] = logs
    assert featrank.rank(data, "kind", "fisher", layer="logs").provenance.notes == ()


def test_select_keeps_the_genes_of_x(tmp_path):
    counts, kinds = cells()
    logs = np.log1p(counts)
    data = made(scaled(logs)[:, :3], kinds, logs)  # gene 3, the best, is only in raw
    data.write_h5ad(tmp_path / "d.h5ad")
    done = featrank.select_file(
        tmp_path / "d.h5ad", tmp_path / "small.h5ad", "kind", "fisher", top=2
    )
    small = anndata.read_h5ad(tmp_path / "small.h5ad")
    assert done.n_features == 3
    best = featrank.rank(logs[:, :3], kinds, "fisher", feature_names=GENES[:3]).top(2)
    assert set(small.var_names) == set(best)
    np.testing.assert_array_equal(small.X, data[:, small.var_names].X)
    assert small.raw.shape == (200, 8)
    table = featrank.select_file(tmp_path / "d.h5ad", tmp_path / "s.csv", "kind", "fisher", top=1)
    assert table.kept == ["g3"]


def test_files_that_would_be_mixed(tmp_path):
    counts, kinds = cells()
    logs = np.log1p(counts)
    made(logs, kinds, logs).write_h5ad(tmp_path / "a.h5ad")
    made(logs, kinds).write_h5ad(tmp_path / "b.h5ad")
    paths = [tmp_path / "a.h5ad", tmp_path / "b.h5ad"]
    with pytest.raises(UsageError, match=r"X and raw would be mixed.*`use_raw=False`"):
        open_dataset(paths, target="kind")
    assert open_dataset(paths, target="kind", use_raw=False).shape == (400, 8)


@pytest.mark.parametrize("n_samples", [20, 3000])
def test_what_values_look_like(n_samples):
    counts, _ = cells(n_samples)
    logs = np.log1p(counts)
    assert looks_scaled(scaled(logs))
    assert looks_scaled(np.clip(scaled(logs), None, 2))
    intensities = np.random.default_rng(0).normal(6, 3, (n_samples, 8))  # some are negative
    for values in (counts, logs, intensities, sparse.csr_matrix(logs)):
        assert not looks_scaled(values)
    assert holds_counts(counts)
    assert holds_counts(sparse.csc_matrix(counts))
    for values in (logs, scaled(logs), intensities, np.empty((0, 3))):
        assert not holds_counts(values)
