"""``featrank.rank``, the ranking it returns, and the methods by name."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import featrank
from featrank import ECFS, Ranker, Ranking
from featrank.exceptions import FeatrankWarning, UsageError


def test_rank_gives_the_scores_of_the_method(frame, names):
    ranking = featrank.rank(*frame, alpha=0.25)
    fitted = ECFS(alpha=0.25).fit(*frame)
    assert isinstance(ranking, Ranking)
    assert np.array_equal(ranking.scores, fitted.scores_)
    assert np.array_equal(ranking.order, fitted.order_)
    assert (ranking.method, ranking.params) == ("ec-fs", {"alpha": 0.25})
    assert ranking.feature_names == names
    assert len(ranking) == 12


def test_top(frame, names):
    ranking = featrank.rank(*frame)
    assert ranking.top(1) == ["gene 4"]
    assert ranking.top(0) == []
    assert ranking.top(12) == [names[j] for j in ranking.order]


@pytest.mark.parametrize("k", [-1, 13])
def test_top_outside_of_the_ranking(frame, k):
    with pytest.raises(UsageError, match="12 features"):
        featrank.rank(*frame).top(k)


def test_columns_of_an_array_are_numbered(data):
    assert featrank.rank(*data).top(1) == ["x4"]


def test_columns_of_a_pandas_frame_without_names(data):
    X, y = data
    assert featrank.rank(pd.DataFrame(X), y).top(1) == ["x4"]


def test_frame_out_like_frame_in(frame):
    X, y = frame
    polars = pl.DataFrame(X.to_numpy(), schema=list(X.columns))
    assert isinstance(featrank.rank(X, y).to_frame(), pd.DataFrame)
    for container in (polars, polars.to_arrow(), X.to_numpy()):
        assert isinstance(featrank.rank(container, y).to_frame(), pl.DataFrame)


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_to_frame(frame, kind):
    X, y = frame
    table = X if kind == "pandas" else pl.DataFrame(X.to_numpy(), schema=list(X.columns))
    ranking = featrank.rank(table, y)
    out = ranking.to_frame()
    assert list(out.columns) == ["rank", "feature", "score"]
    assert list(out["rank"]) == list(range(1, 13))
    assert list(out["feature"]) == ranking.top(12)
    assert list(out["score"]) == sorted(ranking.scores, reverse=True)


def test_repr(frame):
    lines = repr(featrank.rank(*frame, alpha=0.25)).splitlines()
    assert lines[0] == "Ranking of 12 features by ec-fs (alpha=0.25)"
    assert lines[1].split() == ["rank", "feature", "score"]
    assert lines[2].split()[:3] == ["1", "gene", "4"]
    assert len(lines) == 2 + 10 + 1
    assert lines[-1] == "… 2 more"


def test_repr_of_a_ranking_for_a_quantity(frame):
    X, _ = frame
    target = X.iloc[:, 0] + X.iloc[:, 1]
    ranking = featrank.rank(X, target, "lasso", task="regression", standardize=False)
    title = repr(ranking).splitlines()[0]
    assert title == "Ranking of 12 features by lasso for regression (standardize=False)"


def test_repr_of_a_short_ranking(data):
    X, y = data
    text = repr(featrank.rank(X[:, 3:5], y))
    assert text.splitlines()[0] == "Ranking of 2 features by ec-fs"
    assert "more" not in text


def test_html(frame):
    html = featrank.rank(*frame)._repr_html_()
    assert html.count("<tr>") == 1 + 10
    assert "<td>1</td><td>gene 4</td>" in html
    assert "… 2 more" in html


def test_html_escapes_names_and_parameters(data):
    X, y = data
    bad = "<script>alert('x')</script> & \"y\""
    table = pd.DataFrame(X).add_prefix("gene ").rename(columns={"gene 4": bad})
    ranking = featrank.rank(table, y)
    assert ranking.top(1) == [bad]
    assert "<script" not in ranking._repr_html_()
    assert "&lt;script&gt;" in ranking._repr_html_()
    titled = Ranking("<b>", {"edges": "<i>"}, [bad], np.ones(1))
    assert "<b>" not in titled._repr_html_()
    assert "<i>" not in titled._repr_html_()


def test_names_for_an_array(data, names):
    X, y = data
    assert featrank.rank(X, y, feature_names=names).top(1) == ["gene 4"]
    assert featrank.rank(X, y, feature_names=np.array(names)).feature_names == names
    frame = pd.DataFrame(X, columns=[f"other {j}" for j in range(12)])
    assert featrank.rank(frame, y, feature_names=names).top(1) == ["gene 4"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [(["a"] * 12, "'a'. Make them unique"), (list("abc"), "3 names, but X has 12 columns")],
)
def test_names_that_do_not_fit(data, wrong, message):
    for X in (data[0], data[0].tolist(), pd.DataFrame(data[0])):
        with pytest.raises(UsageError, match=message):
            featrank.rank(X, data[1], feature_names=wrong)


def n_selected(ranking):
    return np.count_nonzero(~np.isnan(ranking.ranker.criterion_))


def test_greedy_methods_stop_at_a_default_or_at_top():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 300)), np.arange(40) % 2
    chosen = featrank.rank(X, y, "mrmr")
    assert n_selected(chosen) == 100
    assert sorted(chosen.order) == list(range(300))
    rest = chosen.order[100:]
    assert np.array_equal(chosen.scores[rest], chosen.ranker.relevance_[rest])
    assert np.array_equal(chosen.order[:100], featrank.MRMR(100).fit(X, y).order_[:100])
    assert n_selected(featrank.rank(X, y, "mrmr", top=7)) == 7
    assert n_selected(featrank.rank(X, y, "mrmr", top=0.1)) == 30
    assert n_selected(featrank.rank(X[:, :20], y, "mrmr")) == 20
    assert n_selected(featrank.rank(X, y, "mrmr", n_features_to_select=5)) == 5


def test_top_is_what_alpha_is_chosen_for(data):
    for top in (2, 0.5):
        found = featrank.rank(*data, top=top).ranker
        assert np.array_equal(found.cv_scores_, ECFS(top).fit(*data).cv_scores_)


@pytest.mark.parametrize("top", [0, -1, 13, 1.5, 0.0, "many"])
def test_top_that_no_ranking_has(data, top):
    with pytest.raises(UsageError, match=r"top=.* from 1 to 12, or a share"):
        featrank.rank(*data, top=top)


def test_top_twice(data):
    with pytest.raises(UsageError, match="mean the same"):
        featrank.rank(*data, top=3, n_features_to_select=3)


@pytest.mark.parametrize(("name", "near"), [("ecfs", "'ec-fs'"), ("EC-FS", "'ec-fs'")])
def test_unknown_method(data, name, near):
    with pytest.raises(UsageError, match=f"Unknown method {name!r}.*{near}"):
        featrank.rank(*data, method=name)


def test_unknown_method_unlike_any_other_lists_the_methods(data):
    with pytest.raises(UsageError, match=r"Known: .*'ec-fs'"):
        featrank.rank(*data, method="zzzzzz")


def test_unknown_parameter(data):
    with pytest.raises(UsageError, match=r"Unknown parameter of ec-fs 'alfa'.*'alpha'"):
        featrank.rank(*data, alfa=0.5)


def test_methods():
    found = featrank.methods()
    assert found["ec-fs"] is ECFS
    assert list(found) == sorted(found)
    for name, cls in found.items():
        assert issubclass(cls, Ranker)
        assert cls.name == name
        assert cls().get_params()["n_features_to_select"] is None


def test_changing_the_dict_of_methods_changes_nothing():
    featrank.methods().clear()
    assert "ec-fs" in featrank.methods()


def test_every_public_name_exists():
    assert set(featrank.__all__) <= set(dir(featrank))
    for name in featrank.__all__:
        assert getattr(featrank, name) is not None
    with pytest.raises(AttributeError, match="ranks_of"):
        _ = featrank.ranks_of


def test_import_is_cheap():
    """The command line must answer at once: nothing heavy before it is needed."""
    code = "import sys, featrank; print(*sorted({'numpy', 'sklearn', 'polars'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_groups_reach_the_folds_and_are_refused_where_there_are_none(data):
    X, y = data
    groups = np.arange(60) // 3
    found = featrank.rank(X, y, groups=groups).ranker.cv_scores_
    assert np.array_equal(found, featrank.ECFS().fit(X, y, groups=groups).cv_scores_)
    for method in ("fisher", "relieff"):
        with pytest.raises(UsageError, match="does not support groups"):
            featrank.rank(X, y, method, groups=groups)


def test_names_that_are_no_texts_are_kept(data):
    X, y = data
    frame = pd.DataFrame(X, columns=range(100, 112))
    assert featrank.rank(frame, y).top(1) == ["104"]


def test_rows_without_weight_are_in_no_detail(data):
    X, y = data
    labels = np.where(np.arange(60) < 6, "out", np.where(y, "b", "a"))
    X[:6, 0] += 100
    ranking = featrank.rank(X, labels, "fisher", sample_weight=(labels != "out").astype(float))
    details = ranking.to_frame(12, details=True)
    assert set(details["high_in"]) == {"a", "b"}
    assert "mean_out" not in details.columns


def test_labels_of_several_kinds_in_a_frame(data):
    X, y = data
    labels = [1 if code else "1" for code in y]
    frame = featrank.rank(X, labels, top=3).to_frame(12, details=True)
    assert set(frame["high_in"]) == {"1"}  # as texts, since a column has one type
    assert len(featrank.rank(X, labels, per_class=True, top=3).to_frame(3)) == 6


def test_a_doubt_about_the_target_is_told_once(data):
    X, _ = data
    X = np.vstack([X] * 3)
    with pytest.warns(FeatrankWarning, match="different numbers") as told:
        featrank.rank(X, np.arange(180) % 25, "fisher")
    assert len(told) == 1
