"""AnnData objects in the place of X: as the matrix and the names that they hold."""

import subprocess
import sys

import anndata
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC

import featrank
from featrank import ECFS, FisherScore, GraphRanker, LaplacianScore
from featrank.base.registry import methods
from featrank.evaluation import NFeaturesCV, Protocol, compare, compare_labels, leak_check
from featrank.exceptions import DataError, FeatrankWarning, UsageError
from featrank.graph import CorrelationDistance, pairwise
from featrank.sources import open_dataset

GENES = [f"gene {j}" for j in range(12)]
TAKES_SPARSE = [name for name, cls in methods().items() if cls.accepts_sparse]


def made(X, kinds, genes=GENES, **more):
    cells = [f"cell {row}" for row in range(len(kinds))]
    obs = pd.DataFrame({"kind": pd.Categorical(kinds), "batch": np.arange(len(kinds)) % 3}, cells)
    return anndata.AnnData(X, obs=obs, var=pd.DataFrame(index=genes), **more)


def counts_of(X):
    return np.rint(np.hstack([X[:, [7]], X]))


@pytest.fixture
def table():
    """Return 60 × 12 values, zeros among them, and labels; genes 4 and 7 tell them apart."""
    rng = np.random.default_rng(5)
    kinds = np.array(["b", "t"])[np.arange(60) % 2]
    X = np.round(rng.gamma(2, 2, (60, 12)) * (rng.random((60, 12)) < 0.8), 3)
    X[:, 4] += 5 * (kinds == "b")
    X[:, 7] += 3 * (kinds == "t")
    return X, kinds


@pytest.fixture
def adata(table):
    """Return an AnnData of it, with other values in a layer and counts of more genes in raw."""
    X, kinds = table
    found = made(X, kinds)
    found.layers["counts"] = sparse.csr_matrix(X[:, ::-1])
    found.obsm["X_pca"] = X[:, :2]
    found.raw = made(counts_of(X), kinds, ["first", *GENES])
    return found


@pytest.fixture
def backed(adata, tmp_path):
    """Return a function that writes an AnnData and opens it without reading its X."""

    def open_backed(data=adata):
        data.write_h5ad(tmp_path / "d.h5ad")
        return anndata.read_h5ad(tmp_path / "d.h5ad", backed="r")

    return open_backed


def same(found, expected, names=GENES):
    np.testing.assert_array_equal(found.scores, expected.scores)
    assert list(found.feature_names) == names
    assert found.ranker.feature_names_in_.tolist() == names
    assert found.class_sizes() == expected.class_sizes()


@pytest.mark.parametrize("method", sorted(methods()))
def test_every_method_ranks_it(adata, table, method):
    same(featrank.rank(adata, "kind", method, top=5), featrank.rank(*table, method, top=5))
    own = methods()[method]().fit(adata, table[1])
    np.testing.assert_array_equal(own.scores_, methods()[method]().fit(*table).scores_)
    assert own.get_feature_names_out().tolist() == GENES


@pytest.mark.parametrize("method", TAKES_SPARSE)
@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
def test_sparse_values_stay_as_they_are(table, method, kind):
    adata = made(kind(table[0]), table[1])
    before = adata.X.copy()
    found = featrank.rank(adata, "kind", method, top=5)
    same(found, featrank.rank(kind(table[0]), table[1], method, top=5))
    assert found.data.X is adata.X
    assert (before != adata.X).nnz == 0


@pytest.mark.parametrize("method", sorted(set(methods()) - set(TAKES_SPARSE)))
def test_methods_for_dense_data_refuse_sparse(table, method):
    with pytest.raises(DataError, match="needs dense data"):
        featrank.rank(made(sparse.csr_matrix(table[0]), table[1]), "kind", method)


def test_views_in_memory(adata, table):
    rows, genes = np.arange(60)[::3], [7, 4, 0]
    expected = featrank.rank(table[0][rows][:, genes], table[1][rows], "fisher")
    names = [GENES[j] for j in genes]
    same(featrank.rank(adata[rows, genes], "kind", "fisher"), expected, names)
    adata.X = sparse.csr_matrix(adata.X)
    same(featrank.rank(adata[rows, genes], "kind", "fisher"), expected, names)


def test_layers_and_raw(adata, table):
    X, kinds = table
    by_layer = featrank.rank(X[:, ::-1], kinds)
    same(featrank.rank(adata, "kind", layer="counts"), by_layer)
    np.testing.assert_array_equal(
        ECFS().fit(adata, "kind", layer="counts").scores_, by_layer.scores
    )
    raw = counts_of(X)
    names = ["first", *GENES]
    for method in ("ec-fs", "mrmr", "relieff"):
        found = featrank.rank(adata, "kind", method, use_raw=True, top=5)
        same(found, featrank.rank(raw, kinds, method, top=5), names)
        fitted = methods()[method](5).fit(adata, "kind", use_raw=True)
        np.testing.assert_array_equal(fitted.order_, found.order)


def test_a_ranking_for_each_class(adata, table):
    for method in ("ec-fs", "mrmr"):
        expected = methods()[method]().fit_per_class(*table)
        found = methods()[method]().fit_per_class(adata, "kind")
        assert list(found) == ["b", "t"]
        for label, ranker in found.items():
            np.testing.assert_array_equal(ranker.scores_, expected[label].scores_)
            assert ranker.feature_names_in_.tolist() == GENES
    found = featrank.rank(adata, "kind", per_class=True, layer="counts")
    assert found["b"].top(1) == ["gene 7"]
    layered = FisherScore().fit_per_class(adata, "kind", layer="counts")
    assert layered["t"].get_feature_names_out()[layered["t"].order_[0]] == "gene 7"


def test_without_labels(adata, table):
    expected = LaplacianScore().fit(table[0]).scores_
    np.testing.assert_array_equal(LaplacianScore().fit(adata).scores_, expected)
    same(featrank.rank(adata, method="laplacian"), featrank.rank(table[0], method="laplacian"))
    with pytest.raises(DataError, match="requires y"):
        ECFS().fit(adata)


def test_graph_of_the_user(adata, table):
    edges = np.arange(144.0).reshape(12, 12)
    ranker = GraphRanker(edges=edges).fit(adata)
    np.testing.assert_array_equal(ranker.scores_, GraphRanker(edges=edges).fit(table[0]).scores_)


def test_candidates(adata, table):
    settings = [{"alpha": 0.2}, {"alpha": 1.0}]
    np.testing.assert_array_equal(
        ECFS().rank_candidates(adata, "kind", settings), ECFS().rank_candidates(*table, settings)
    )


@pytest.mark.parametrize(
    ("keywords", "told"),
    [
        ({"y": "kinds"}, "obs column 'kinds'. Did you mean 'kind'"),
        ({"y": "kind", "layer": "count"}, "layer of the AnnData 'count'. Did you mean"),
        ({"y": "kind", "layer": "counts", "use_raw": True}, "Use only one"),
    ],
)
def test_unknown_names(adata, keywords, told):
    with pytest.raises(UsageError, match=told):
        featrank.rank(adata, **keywords)
    with pytest.raises(UsageError, match=told):
        ECFS().fit(adata, **keywords)
    with pytest.raises(UsageError, match=told):
        ECFS().fit_per_class(adata, **keywords)


def test_what_is_not_there(adata, table):
    bare = made(*table)
    with pytest.raises(UsageError, match="no raw"):
        featrank.rank(bare, "kind", use_raw=True)
    bare.X = None
    with pytest.raises(DataError, match="no X"):
        featrank.rank(bare, "kind")
    with pytest.raises(UsageError, match="X is 'ndarray'"):
        featrank.rank(*table, layer="counts")
    with pytest.raises(UsageError, match="X is 'ndarray'"):
        ECFS().fit(*table, use_raw=True)


def test_missing_labels(adata):
    adata.obs.loc["cell 3", "kind"] = np.nan
    with pytest.raises(DataError, match="1 of 60 labels are missing"):
        featrank.ECFS().fit(adata, "kind")
    known = adata[[name != "cell 3" for name in adata.obs_names]].copy()
    with pytest.warns(FeatrankWarning, match=r"1 of 60 samples has no 'kind'.*\(cell 3\)"):
        found = featrank.rank(adata, "kind")
    assert found.scores.tolist() == featrank.rank(known, "kind").scores.tolist()


@pytest.mark.filterwarnings("ignore:Variable names are not unique")
def test_repeated_names(adata, table):
    adata.var_names = ["gene 1", *GENES[1:]]
    with pytest.raises(DataError, match=r"'gene 1'.*adata\.var_names_make_unique\(\)"):
        featrank.rank(adata, "kind")
    adata.var_names_make_unique()
    names = ["gene 1", "gene 1-1", *GENES[2:]]
    same(featrank.rank(adata, "kind"), featrank.rank(*table), names)
    adata.raw = made(*table, ["gene 1", *GENES[1:]])
    with pytest.raises(DataError, match=r"raw\.var_names.*raw\.to_adata"):
        featrank.rank(adata, "kind", use_raw=True)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
@pytest.mark.parametrize("method", ["ec-fs", "fisher", "mrmr"])
def test_backed_ones_are_read_in_parts(adata, backed, table, method, kind, monkeypatch):
    adata.X = kind(adata.X)
    found = backed(adata)
    monkeypatch.setattr("featrank.data.reader.Reader.block_bytes", lambda self, source: 2000)
    monkeypatch.setattr("featrank.api.load_source", None)
    same(featrank.rank(found, "kind", method, top=5), featrank.rank(*table, method, top=5))
    names = ["first", *GENES]
    raw = counts_of(table[0])
    expected = featrank.rank(raw, table[1], method, top=5)
    same(featrank.rank(found, "kind", method, use_raw=True, top=5), expected, names)
    ranker = methods()[method](5).fit(found, "kind")
    assert ranker.feature_names_in_.tolist() == GENES


def test_backed_ones_come_into_memory_for_others(backed, table):
    data = backed()
    for method in ("relieff", "laplacian", "svm-rfe"):
        found = featrank.rank(data, "kind", method)
        same(found, featrank.rank(*table, method))
    found = featrank.rank(data, "kind", per_class=True)
    same(found["b"], featrank.rank(*table, per_class=True)["b"])
    by_layer = featrank.rank(table[0][:, ::-1], table[1])
    same(featrank.rank(data, "kind", layer="counts"), by_layer)
    assert ECFS().rank_candidates(data, "kind", [{"alpha": 1.0}]).shape == (1, 12)


def test_labels_and_names_of_a_backed_one_are_those_in_memory(backed, table):
    X, kinds = table
    found = backed()
    found.obs["kind"] = np.roll(kinds, 7)
    found.obs["new"] = np.roll(kinds, 7)
    found.var_names = [name.upper() for name in GENES]
    expected = featrank.rank(X, np.roll(kinds, 7))
    for target in ("kind", "new"):
        same(featrank.rank(found, target), expected, [name.upper() for name in GENES])


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_views_of_backed_ones(adata, backed, table, kind):
    X, kinds = table
    adata.X = kind(adata.X)
    found = backed(adata)
    rows, genes = np.flatnonzero(np.arange(60) % 5 < 2), np.array([0, 4, 9])
    names = [GENES[j] for j in genes]
    expected = featrank.rank(X[rows][:, genes], kinds[rows], "fisher")
    same(featrank.rank(found[rows, genes], "kind", "fisher"), expected, names)
    same(featrank.rank(found[rows, genes], "kind", "fisher", memory="1GB"), expected, names)
    raw = featrank.rank(counts_of(X)[rows], kinds[rows], "fisher")
    same(featrank.rank(found[rows, genes], "kind", "fisher", use_raw=True), raw, ["first", *GENES])


def test_views_of_backed_ones_that_do_not_fit(backed):
    n_rows = 2000
    wide = made(np.ones((n_rows, 600)), np.arange(n_rows) % 2, [f"g{j}" for j in range(600)])
    found = backed(wide)
    with pytest.raises(DataError, match=r"18.3 MB, but the limit is 16.0 MB"):
        featrank.rank(found[1:], "kind", "fisher", memory="16MB")
    assert len(featrank.rank(found[:200], "kind", "fisher", memory="16MB")) == 600


def test_a_backed_file_that_has_changed(adata, backed):
    found = backed()
    found.file.close()
    adata[:30].write_h5ad(found.filename)
    with pytest.raises(DataError, match="file has changed"):
        featrank.rank(found, "kind")


def test_dask_arrays_inside(table):
    da = pytest.importorskip("dask.array")
    X, kinds = table
    adata = made(da.from_array(X, chunks=(20, 12)), kinds)
    same(featrank.rank(adata, "kind", "fisher"), featrank.rank(X, kinds, "fisher"))


def test_transform_gives_an_anndata(adata, backed):
    ranker = FisherScore(3).fit(adata, "kind")
    found = ranker.transform(adata)
    chosen = ranker.get_feature_names_out().tolist()
    assert found.var_names.tolist() == chosen
    assert FisherScore(3).fit_transform(adata, "kind").var_names.tolist() == chosen
    np.testing.assert_array_equal(found.X, adata[:, chosen].X)
    pd.testing.assert_frame_equal(found.obs, adata.obs)
    np.testing.assert_array_equal(found.obsm["X_pca"], adata.obsm["X_pca"])
    assert found.layers["counts"].shape == (60, 3)
    assert found.raw.shape == (60, 13)
    assert not found.is_view
    assert ranker.transform(backed()).to_memory().var_names.tolist() == chosen
    part = ranker.transform(backed()[10:30])
    assert part.obs_names.tolist() == adata.obs_names[10:30].tolist()
    np.testing.assert_array_equal(part.X, adata[10:30, chosen].X)
    layered = FisherScore(2).fit_transform(adata, "kind", layer="counts")
    assert layered.var_names.tolist() == ["gene 4", "gene 7"]


def test_transform_refuses_other_names(adata, table):
    ranker = FisherScore(3).fit(adata, "kind")
    with pytest.raises(ValueError, match="feature names should match") as ours:
        ranker.transform(adata[:, ::-1])
    with pytest.raises(ValueError, match="feature names should match") as theirs:
        ranker.transform(pd.DataFrame(table[0][:, ::-1], columns=GENES[::-1]))
    assert str(ours.value) == str(theirs.value)
    with pytest.raises(ValueError, match="feature names should match"):
        ranker.transform(adata[:, :5])
    assert ranker.transform(pd.DataFrame(table[0], columns=GENES)).shape == (60, 3)


def test_frames_as_output(adata):
    ranker = FisherScore(3).set_output(transform="pandas").fit(adata, "kind")
    with pytest.raises(UsageError, match=r'pandas frames.*`set_output\(transform="default"\)`'):
        ranker.transform(adata)
    assert ranker.transform(adata.to_df()).shape == (60, 3)
    assert ranker.set_output(transform="default").transform(adata).shape == (60, 3)


def test_groups_by_name(adata, table):
    groups = adata.obs["batch"].to_numpy()
    expected = ECFS().fit(*table, groups=groups).cv_scores_
    np.testing.assert_array_equal(ECFS().fit(adata, "kind", groups="batch").cv_scores_, expected)
    found = featrank.rank(adata, "kind", groups="batch").ranker.cv_scores_
    np.testing.assert_array_equal(found, expected)
    assert not np.array_equal(ECFS().fit(*table).cv_scores_, expected)


def test_frames_of_the_same_names_follow(adata, table):
    frame = pd.DataFrame(table[0], columns=GENES)
    found = FisherScore(3).fit(frame, table[1]).transform(adata)
    assert found.shape == (60, 3)


def test_others_refuse_it_at_once(adata, table):
    ranges = featrank.summaries.FeatureRanges.of(*table)
    both = np.column_stack([table[1] == "b", table[1] == "t"])
    refused = [
        lambda: ECFS().partial_fit(adata, table[1]),
        lambda: featrank.summaries.FeatureRanges.of(adata, table[1]),
        lambda: featrank.summaries.ClassSummary.of(adata, table[1], ranges),
        lambda: NFeaturesCV(FisherScore(), LinearSVC()).fit(adata, table[1]),
        lambda: NFeaturesCV(FisherScore(), LinearSVC()).fit(*table).transform(adata),
        lambda: compare_labels(adata, both, ["fisher"]),
        lambda: leak_check(LinearSVC(), adata, "kind"),
        lambda: pairwise(adata, np.dot),
        lambda: CorrelationDistance(adata),
    ]
    for call in refused:
        with pytest.raises(DataError, match=r"X is an AnnData.*adata\.X"):
            call()


def test_compare_takes_it(adata, table, backed):
    protocol = Protocol(n_repeats=2, n_features=(2,), C=(1,))
    found = compare(adata, "kind", ["fisher"], protocol, groups="batch")
    expected = compare(
        *table,
        ["fisher"],
        protocol,
        groups=adata.obs["batch"].to_numpy(),
        feature_names=GENES,
    )
    assert [row[2] for row in found.table()] == [row[2] for row in expected.table()]
    assert set(found.features()["feature"]) == set(GENES)
    layer = compare(adata, "kind", ["fisher"], protocol, groups="batch", layer="counts")
    turned = dict(zip(GENES, GENES[::-1], strict=True))
    scores = {row["feature"]: row["score"] for row in found.features().to_dicts()}
    of_layer = {row["feature"]: row["score"] for row in layer.features().to_dicts()}
    assert of_layer == pytest.approx({turned[name]: score for name, score in scores.items()})
    with pytest.raises(UsageError, match="`layer` and `use_raw` are only for AnnData"):
        compare(*table, ["fisher"], protocol, layer="counts")
    with pytest.raises(DataError, match=r"adata\.to_memory\(\)"):
        compare(backed(), "kind", ["fisher"], protocol)
    with pytest.raises(UsageError, match="obs column 'kinds'"):
        compare(adata, "kinds", ["fisher"], protocol)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_files_give_layers_and_raw(adata, backed, table, kind, tmp_path):
    adata.layers["counts"] = kind(table[0][:, ::-1])
    path = backed(adata).filename
    by_layer = featrank.rank(table[0][:, ::-1], table[1])
    same(featrank.rank(path, "kind", layer="counts"), by_layer)
    source = open_dataset(path, target="kind", use_raw=True)
    assert source.shape == (60, 13)
    assert source.names[0] == "first"
    assert source.name == "d.h5ad (raw/X)"
    with pytest.raises(UsageError, match=r"layer of 'd.h5ad' 'count'. Did you mean 'counts'"):
        open_dataset(path, layer="count")
    with pytest.raises(UsageError, match="Use only one"):
        open_dataset(path, layer="counts", use_raw=True)
    made(*table).write_h5ad(tmp_path / "bare.h5ad")
    with pytest.raises(UsageError, match="no raw"):
        open_dataset(tmp_path / "bare.h5ad", use_raw=True)
    np.save(tmp_path / "x.npy", table[0])
    with pytest.raises(UsageError, match=r"'x.npy' is not one"):
        open_dataset(tmp_path / "x.npy", layer="counts")


def test_arrays_need_no_anndata():
    code = (
        "import sys, numpy as np, featrank;"
        "featrank.FisherScore().fit(np.eye(4), [0, 1, 0, 1]);"
        "print('anndata' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
