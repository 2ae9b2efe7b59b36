"""``featrank.anndata.rank_genes``: what it writes, scanpy reads."""

import warnings

import anndata
import matplotlib as mpl
import numpy as np
import pytest
from scipy import sparse, stats

import featrank
from featrank.anndata import rank_genes
from featrank.exceptions import DataError, UsageError
from featrank.statistics import class_tests
from featrank.summaries.columns import summarise_columns

mpl.use("Agg")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import scanpy as sc

GROUP = "bulk_labels"


@pytest.fixture(scope="module")
def blood():
    """Return cells of ten kinds; X is scaled, raw holds logarithms."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sc.datasets.pbmc68k_reduced()


@pytest.fixture
def adata(blood):
    return blood.copy()


def best(adata, label, key="featrank"):
    return adata.uns[key]["names"][label].tolist()


def test_the_ranking_of_all_classes_is_in_var(adata):
    rank_genes(adata, GROUP, use_raw=False, alpha=0.5)
    ranking = featrank.rank(adata, GROUP, alpha=0.5, use_raw=False)
    np.testing.assert_array_equal(adata.var["featrank_score"], ranking.scores)
    np.testing.assert_array_equal(adata.var["featrank_rank"], ranking.ranker.ranking_)


def test_the_classes_are_those_of_rank(adata):
    rank_genes(adata, GROUP, method="fisher", rankby_abs=True)
    expected = featrank.rank(adata, GROUP, "fisher", use_raw=True, per_class=True)
    found = adata.uns["featrank"]
    assert found["names"].dtype.names == tuple(adata.obs[GROUP].cat.categories)
    for label, ranking in expected.items():
        assert best(adata, label) == ranking.top(len(ranking))
        np.testing.assert_array_equal(np.abs(found["scores"][label]), ranking.scores[ranking.order])


def test_signs_say_where_a_gene_is_higher(adata):
    rank_genes(adata, GROUP, method="mi")
    values, kinds = adata.raw.to_adata().to_df(), adata.obs[GROUP]
    for label in kinds.cat.categories:
        own, rest = values[kinds == label].mean(), values[kinds != label].mean()
        scores = adata.uns["featrank"]["scores"][label]
        names = best(adata, label)
        gap = (own - rest)[names].to_numpy()
        told = (np.abs(gap) > 1e-6) & (scores != 0)
        assert told.sum() > 100
        np.testing.assert_array_equal(np.sign(scores[told]), np.sign(gap[told]))
        assert (np.diff(scores) <= 0).all()


def changes(adata, label):
    """Return the log fold changes of a class by gene, ours and scanpy's."""
    ours, theirs = (
        sc.get.rank_genes_groups_df(adata, label, key=key).set_index("names")
        for key in ("featrank", "rank_genes_groups")
    )
    return ours, theirs.loc[ours.index]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_fold_changes_and_p_values_are_those_of_scanpy(adata):
    sc.tl.rank_genes_groups(adata, GROUP, method="t-test")
    rank_genes(adata, GROUP, method="fisher")
    for label in adata.obs[GROUP].cat.categories:
        ours, theirs = changes(adata, label)
        name = "logfoldchanges"
        np.testing.assert_allclose(ours[name], theirs[name], rtol=2e-4, atol=1e-5)
        for name in ("pvals", "pvals_adj"):
            np.testing.assert_allclose(ours[name], theirs[name], rtol=2e-3, atol=1e-300)


@pytest.mark.filterwarnings("ignore:Precision loss")
def test_p_values_are_welch(adata):
    rank_genes(adata, GROUP, method="fisher", use_raw=False)
    own = (adata.obs[GROUP] == "Dendritic").to_numpy()
    expected = stats.ttest_ind(
        adata.X[own].astype(float), adata.X[~own].astype(float), equal_var=False
    ).pvalue
    p_values = adata.uns["featrank"]["pvals"]["Dendritic"]
    found = dict(zip(best(adata, "Dendritic"), p_values, strict=True))
    np.testing.assert_allclose([found[name] for name in adata.var_names], expected, rtol=1e-4)


def test_scanpy_reads_it(adata, tmp_path):
    rank_genes(adata, GROUP, n_genes=20)
    rank_genes(adata, "louvain", key_added="clusters", method="fisher", layer=None)
    adata.write_h5ad(tmp_path / "d.h5ad")
    again = anndata.read_h5ad(tmp_path / "d.h5ad")
    for found in (adata, again):
        frame = sc.get.rank_genes_groups_df(found, "Dendritic", key="featrank")
        assert frame["names"].tolist() == best(adata, "Dendritic")
        assert list(frame.columns) == ["names", "scores", "logfoldchanges", "pvals", "pvals_adj"]
        assert len(sc.get.rank_genes_groups_df(found, None, key="featrank")) == 200
        both = sc.get.rank_genes_groups_df(found, ["0", "1"], key="clusters")
        assert set(both["group"]) == {"0", "1"}
    params = again.uns["featrank"]["params"]
    assert (params["groupby"], params["reference"], params["method"]) == (GROUP, "rest", "ec-fs")
    assert params["use_raw"]
    assert params["parameters"]["alpha"] == "cv"
    np.testing.assert_array_equal(params["parameters"]["alphas"], np.arange(11) / 10)


@pytest.mark.filterwarnings("ignore")
def test_scanpy_draws_it(adata):
    adata = adata[adata.obs[GROUP].isin(["Dendritic", "CD19+ B", "CD56+ NK"])].copy()
    rank_genes(adata, GROUP, method="fisher")
    sc.tl.dendrogram(adata, GROUP)
    panels = sc.pl.rank_genes_groups(adata, key="featrank", n_genes=4, show=False)
    labels = [text.get_text() for text in panels[0].texts]
    assert labels == best(adata, adata.obs[GROUP].cat.categories[0])[:4]
    for draw in (
        sc.pl.rank_genes_groups_dotplot,
        sc.pl.rank_genes_groups_matrixplot,
        sc.pl.rank_genes_groups_heatmap,
    ):
        assert draw(adata, key="featrank", n_genes=2, show=False)
    shown = {"values_to_plot": "logfoldchanges", "show": False}
    assert sc.pl.rank_genes_groups_dotplot(adata, key="featrank", n_genes=2, **shown)
    sc.tl.filter_rank_genes_groups(adata, key="featrank", key_added="kept", min_fold_change=1)
    kept = [name for name in adata.uns["kept"]["names"]["Dendritic"] if isinstance(name, str)]
    assert kept
    assert set(kept) <= set(best(adata, "Dendritic"))


def test_markers_that_are_known(adata):
    rank_genes(adata, GROUP)
    assert {"CD79A", "CD74"} & set(best(adata, "CD19+ B")[:5])
    assert {"NKG7", "GNLY"} & set(best(adata, "CD56+ NK")[:5])
    assert "LYZ" in best(adata, "Dendritic")[:5]


@pytest.mark.parametrize("method", ["ec-fs", "fisher", "mi", "inf-fs-s"])
def test_one_pass_for_all_classes(adata, method, monkeypatch):
    calls = []
    for place, plain in (
        ("featrank.data.matrix.summarise_columns", summarise_columns),
        ("featrank.anndata.class_tests", class_tests),
    ):
        monkeypatch.setattr(
            place,
            lambda X, *more, plain=plain, **named: (
                calls.append(plain.__name__) or plain(X, *more, **named)
            ),
        )
    given = {"alpha": 0.5} if method == "ec-fs" else {}
    rank_genes(adata, GROUP, method=method, **given)
    # One for the scores of ten classes, and one for their means and p-values.
    assert calls == ["summarise_columns", "class_tests"]


@pytest.mark.parametrize(("test", "name"), [("welch", "t-test"), ("wilcoxon", "wilcoxon")])
def test_p_values_are_those_of_scanpy(adata, test, name):
    import scanpy as sc

    rank_genes(adata, GROUP, method="fisher", test=test)
    further = {"tie_correct": True} if test == "wilcoxon" else {}
    sc.tl.rank_genes_groups(adata, GROUP, method=name, key_added="theirs", **further)
    for label in adata.obs[GROUP].cat.categories:
        ours, theirs = (
            sc.get.rank_genes_groups_df(adata, label, key=key).set_index("names").sort_index()
            for key in ("featrank", "theirs")
        )
        # scanpy's test of ranks has no correction for continuity.
        nearly = {"rtol": 2e-3} if test == "welch" else {"rtol": 0.15, "atol": 1e-300}
        np.testing.assert_allclose(ours.pvals, theirs.pvals, **nearly)
        np.testing.assert_allclose(ours.logfoldchanges, theirs.logfoldchanges, rtol=2e-3, atol=1e-4)


def test_layers_and_the_choice_of_raw(adata):
    adata.layers["raw"] = adata.raw.X.copy()
    rank_genes(adata, GROUP, method="fisher")
    assert "featrank_rank" not in adata.var
    rank_genes(adata, GROUP, method="fisher", key_added="layered", layer="raw")
    assert adata.uns["layered"]["params"]["layer"] == "raw"
    assert not adata.uns["layered"]["params"]["use_raw"]
    np.testing.assert_array_equal(adata.uns["layered"]["names"], adata.uns["featrank"]["names"])
    assert adata.var["layered_rank"].min() == 1
    rank_genes(adata, GROUP, method="fisher", key_added="layered")
    assert "layered_rank" not in adata.var  # which would be of other values
    rank_genes(adata, GROUP, method="fisher", key_added="scaled", use_raw=False)
    assert "scaled_score" in adata.var
    assert (adata.uns["scaled"]["names"] != adata.uns["featrank"]["names"]).any()


def test_a_copy_leaves_the_object(adata):
    found = rank_genes(adata, GROUP, method="fisher", copy=True)
    assert "featrank" not in adata.uns
    assert rank_genes(adata, GROUP, method="fisher") is None
    np.testing.assert_array_equal(found.uns["featrank"]["names"], adata.uns["featrank"]["names"])


def test_exact_separation_is_finite_and_first(adata):
    own = (adata.obs[GROUP] == "Dendritic").to_numpy()
    adata.X[:, 5], adata.X[:, 6] = own, ~own
    rank_genes(adata, GROUP, method="fisher", use_raw=False)
    scores = adata.uns["featrank"]["scores"]["Dendritic"]
    assert np.isfinite(scores).all()
    assert best(adata, "Dendritic")[0] == adata.var_names[5]
    assert best(adata, "Dendritic")[-1] == adata.var_names[6]
    assert scores[0] > scores[1]
    assert np.isfinite(adata.var["featrank_score"]).all()
    sc.pl.rank_genes_groups(adata, key="featrank", groups=["Dendritic"], show=False)


@pytest.mark.parametrize("method", ["mrmr", "relieff"])
def test_other_methods(adata, method):
    adata = adata[adata.obs[GROUP].isin(["Dendritic", "CD19+ B"]), :60].copy()
    rank_genes(adata, GROUP, method=method, use_raw=False, n_genes=7)
    found = adata.uns["featrank"]
    assert found["names"].dtype.names == ("CD19+ B", "Dendritic")
    assert found["names"].shape == (7,)
    assert (np.diff(found["scores"]["Dendritic"]) <= 0).all()


def test_sparse_numbers_and_texts_as_classes(adata):
    adata = anndata.AnnData(sparse.csr_matrix(adata.raw.X), obs=adata.obs[[GROUP]], var=adata.var)
    adata.obs["number"] = adata.obs[GROUP].cat.codes.astype(int)
    adata.obs["text"] = adata.obs[GROUP].astype(object)
    rank_genes(adata, "number", method="fisher")
    rank_genes(adata, "text", method="fisher", key_added="text")
    assert adata.uns["featrank"]["names"].dtype.names == tuple(map(str, range(10)))
    np.testing.assert_array_equal(
        adata.uns["featrank"]["names"]["3"],
        adata.uns["text"]["names"][adata.obs[GROUP].cat.categories[3]],
    )


def test_backed(adata, tmp_path):
    adata.write_h5ad(tmp_path / "d.h5ad")
    found = anndata.read_h5ad(tmp_path / "d.h5ad", backed="r")
    rank_genes(found, GROUP, method="fisher")
    rank_genes(adata, GROUP, method="fisher")
    np.testing.assert_array_equal(found.uns["featrank"]["names"], adata.uns["featrank"]["names"])
    with pytest.raises(UsageError, match=r"A copy of a backed.*to_memory\(\)"):
        rank_genes(found, GROUP, method="fisher", copy=True)
    with pytest.raises(UsageError, match=r"A subset of a backed.*to_memory\(\)"):
        rank_genes(found[:100], GROUP, method="fisher")


def test_other_bases_of_the_logarithm(adata):
    adata.uns["log1p"] = {"base": 2}
    sc.tl.rank_genes_groups(adata, GROUP, method="t-test")
    rank_genes(adata, GROUP, method="fisher")
    ours, theirs = (found["logfoldchanges"] for found in changes(adata, "Dendritic"))
    np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=1e-5)


def test_what_is_refused(adata):
    with pytest.raises(UsageError, match="An AnnData was expected"):
        rank_genes(adata.X, GROUP)
    with pytest.raises(UsageError, match=r"obs column 'bulk_label'. Did you mean 'bulk_labels'"):
        rank_genes(adata, "bulk_label")
    with pytest.raises(UsageError, match="name of a column of obs"):
        rank_genes(adata, adata.obs[GROUP])
    with pytest.raises(UsageError, match="Unknown method 'fischer'"):
        rank_genes(adata, GROUP, method="fischer")
    with pytest.raises(UsageError, match="Unknown parameter of fisher 'alpha'"):
        rank_genes(adata, GROUP, method="fisher", alpha=1)
    with pytest.raises(UsageError, match="Unknown test"):
        rank_genes(adata, GROUP, test="anova")
    with pytest.raises(UsageError, match=r"n_genes=0\. 1 at least"):
        rank_genes(adata, GROUP, n_genes=0)
    with pytest.raises(UsageError, match="is unsupervised"):
        rank_genes(adata, GROUP, method="laplacian", use_raw=False)
    with pytest.raises(UsageError, match="Use only one"):
        rank_genes(adata, GROUP, layer="counts", use_raw=True)
    adata.obs[GROUP] = adata.obs[GROUP].where(adata.obs[GROUP] != "Dendritic")
    with pytest.raises(DataError, match="labels are missing"):
        rank_genes(adata, GROUP)
    assert "featrank" not in adata.uns


def test_it_is_part_of_the_package():
    assert featrank.anndata.rank_genes is rank_genes
