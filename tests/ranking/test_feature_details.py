"""``Ranking.to_frame(details=True)``: figures of features against scikit-learn and pandas."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.metrics import roc_auc_score

import featrank
from featrank.exceptions import UsageError
from featrank.ranking.feature_details import Classes, auc, cohens_d, feature_details

LABELS = np.array(["blood", "brain", "liver"])


@pytest.fixture
def counts():
    """Return 60 × 8 counts with many ties and zeros, and three classes."""
    rng = np.random.default_rng(0)
    y = LABELS[np.arange(60) % 3]
    X = rng.poisson(1.5, (60, 8)).astype(float)
    X[:, 0] += 3 * (y == "liver")
    X[:, 1] = X[:, 0] + rng.normal(0, 0.1, 60)
    X[:, 2] += 2 * (y == "brain")
    return X, y


def frame_of(X, y, method="fisher", top=8, **options):
    return featrank.rank(X, y, method, **options).to_frame(top, details=True)


def test_figures_are_those_of_other_packages(counts):
    X, y = counts
    frame = frame_of(X, y)
    table = pd.DataFrame(X).groupby(y)
    means, deviations = table.mean(), table.std()
    for row in frame.iter_rows(named=True):
        j = int(row["feature"][1:])
        own = y == row["high_in"]
        assert row["high_in"] == means[j].idxmax()
        assert row["auc"] == pytest.approx(roc_auc_score(own, X[:, j]), abs=1e-12)
        pooled = np.sqrt(
            (X[own, j].var(ddof=1) * (own.sum() - 1) + X[~own, j].var(ddof=1) * ((~own).sum() - 1))
            / (len(y) - 2)
        )
        effect = (X[own, j].mean() - X[~own, j].mean()) / pooled
        assert row["effect"] == pytest.approx(effect, abs=1e-12)
        assert row["zeros"] == (X[:, j] == 0).mean()
        assert row["missing"] == 0
        for label in LABELS:
            assert row[f"mean_{label}"] == pytest.approx(means.loc[label, j], abs=1e-12)
            assert row[f"sd_{label}"] == pytest.approx(deviations.loc[label, j], abs=1e-12)


def test_most_like_is_the_most_correlated_of_the_better_ones(counts):
    X, y = counts
    frame = frame_of(X, y)
    order = [int(name[1:]) for name in frame["feature"]]
    correlations = np.corrcoef(X[:, order].T)
    assert frame["most_correlated"][0] is None
    assert np.isnan(frame["r"][0])
    for place in range(1, 8):
        best = np.abs(correlations[place, :place]).argmax()
        assert frame["most_correlated"][place] == f"x{order[best]}"
        assert frame["r"][place] == pytest.approx(correlations[place, best], abs=1e-12)


def test_the_copy_names_what_it_copies(counts):
    frame = frame_of(*counts)
    names = list(frame["feature"])
    later = max(names.index("x0"), names.index("x1"))
    assert frame["most_correlated"][later] in ("x0", "x1")
    assert frame["r"][later] > 0.99


def test_parts_are_those_of_the_ranker(counts):
    X, y = counts
    ranking = featrank.rank(X, y, alpha=0.5)
    frame = ranking.to_frame(8, details=True)
    ranker = featrank.ECFS(alpha=0.5).fit(X, y)
    for name in ("fisher", "information", "spread"):
        expected = getattr(ranker, f"{name}_")[ranker.order_]
        assert frame[name].to_list() == expected.tolist()
    chosen = featrank.rank(X, y, "mrmr", top=3).to_frame(8, details=True)
    relevance = featrank.MRMR(3).fit(X, y)
    assert chosen["relevance"].to_list() == relevance.relevance_[relevance.order_].tolist()


@pytest.mark.parametrize(
    "container",
    [
        lambda X: X.tolist(),
        sparse.csr_matrix,
        sparse.csc_array,
        lambda X: pl.DataFrame(X, schema=[f"x{j}" for j in range(8)]),
        lambda X: pl.DataFrame(X, schema=[f"x{j}" for j in range(8)]).to_arrow(),
        lambda X: X.astype(np.int16),
    ],
)
def test_the_same_details_from_any_container(counts, container):
    X, y = counts
    X = np.round(X)
    assert frame_of(container(X), y).equals(frame_of(X, y), null_equal=True)


def test_pandas_in_pandas_out(counts):
    X, y = counts
    frame = frame_of(pd.DataFrame(X, columns=list("abcdefgh")), y)
    assert isinstance(frame, pd.DataFrame)
    assert frame["auc"].between(0.5, 1).all()


def test_missing_values_take_no_part(counts):
    X, y = counts
    X[::7, 0] = np.nan
    X[3:20, 2] = np.nan
    frame = frame_of(X, y, "relieff")
    for name, j in (("x0", 0), ("x2", 2)):
        row = frame.row(by_predicate=pl.col("feature") == name, named=True)
        known = ~np.isnan(X[:, j])
        own = y[known] == row["high_in"]
        assert row["missing"] == pytest.approx(1 - known.mean())
        assert row["auc"] == pytest.approx(roc_auc_score(own, X[known, j]), abs=1e-12)
        assert row["mean_liver"] == pytest.approx(np.nanmean(X[y == "liver", j]))
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(8)]).corr()  # pairwise complete
    for row in list(frame.iter_rows(named=True))[1:]:
        assert row["r"] == pytest.approx(
            table.loc[row["feature"], row["most_correlated"]], abs=1e-12
        )


def test_only_the_features_shown_are_computed(monkeypatch):
    X = np.random.default_rng(0).normal(size=(30, 200))
    ranking = featrank.rank(X, np.arange(30) % 2, "fisher")
    seen = []
    original = featrank.ranking.evidence.dense_columns
    monkeypatch.setattr(
        "featrank.ranking.evidence.dense_columns",
        lambda X, c: seen.append(len(c)) or original(X, c),
    )
    assert len(ranking.to_frame(details=True)) == 50
    assert len(ranking.to_frame(7, details=True)) == 7
    assert seen == [50, 7]
    assert len(ranking.to_frame()) == 200
    assert len(ranking.to_frame(9)) == 9


def test_without_labels_there_are_figures_of_all_samples(counts):
    X, _ = counts
    frame = frame_of(X, None, "laplacian")
    j = int(frame["feature"][0][1:])
    assert frame["mean"][0] == pytest.approx(X[:, j].mean())
    assert frame["sd"][0] == pytest.approx(X[:, j].std(ddof=1))
    assert "auc" not in frame.columns
    with_labels = frame_of(X, counts[1], "laplacian")
    assert "auc" in with_labels.columns
    for ignored in (np.linspace(0, 1, 60), np.zeros((60, 2)), [0, 1], np.zeros(60)):
        assert "auc" not in frame_of(X, ignored, "laplacian").columns


def test_edges():
    y = np.array([0, 0, 1, 1])
    X = np.array([[1.0, 0.1, 5], [1, 0.1, 5], [2, 0.1, 5], [2, 0.3, np.nan]])
    members = np.tile(y[:, None] == 1, 3)
    assert auc(X, members).tolist() == [1.0, 0.75, 0.5]
    assert cohens_d(X, members)[0] == np.inf
    assert cohens_d(X, members)[2] == 0
    nothing = np.full((4, 1), np.nan)
    assert np.isnan(auc(nothing, members[:, :1])).all()
    columns = feature_details(X, ["a", "b", "c"], Classes([0, 1], y))
    assert columns["most_correlated"] == [None, "a", None]
    assert columns["sd_0"].tolist() == [0, 0, 0]


def test_labels_of_equal_text_keep_their_columns():
    columns = feature_details(np.eye(4), list("abcd"), Classes([1, "1"], np.array([0, 0, 1, 1])))
    assert {"mean_1", "mean_'1'"} <= set(columns)


def test_a_ranking_without_data_says_so():
    ranking = featrank.Ranking("fisher", {}, ["a"], np.ones(1))
    with pytest.raises(UsageError, match=r"featrank.rank\(X, y\)"):
        ranking.to_frame(details=True)
    with pytest.raises(UsageError, match=r"featrank.rank\(X, y\)"):
        ranking.plot()


def test_blocks_of_features_give_the_likeness_of_all_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 30)), np.arange(40) % 2
    X[:, 20] = X[:, 3] + 0.1 * rng.normal(size=40)
    X[:, 4] += 3 * y
    whole = featrank.rank(X, y, "fisher").to_frame(30, details=True)
    monkeypatch.setattr("featrank.ranking.feature_details.BLOCK", 7)
    cut = featrank.rank(X, y, "fisher").to_frame(30, details=True)
    assert whole["most_correlated"].to_list() == cut["most_correlated"].to_list()
    np.testing.assert_allclose(whole["r"], cut["r"])


@pytest.mark.parametrize("per_class", [False, True])
@pytest.mark.parametrize("suffix", ["csv", "json", "md"])
def test_rankings_save_themselves_as_reports_do(tmp_path, per_class, suffix):
    data = featrank.datasets.load("iris")
    ranking = featrank.rank(data.X, data.y, "fisher", per_class=per_class)
    ranking.save(tmp_path / f"saved.{suffix}", top=2, details=True)
    report = featrank.report.ranking_report(ranking, 2, details=True)
    featrank.report.write(report, to=tmp_path / f"expected.{suffix}")
    saved = (tmp_path / f"saved.{suffix}").read_bytes()
    assert saved == (tmp_path / f"expected.{suffix}").read_bytes()
