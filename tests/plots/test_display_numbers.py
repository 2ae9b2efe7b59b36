"""What is drawn is what the results say, counted another way."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from matplotlib.colors import to_hex
from scipy.stats import rankdata

import featrank
from featrank import plots
from featrank.exceptions import DataError, UsageError
from featrank.plots.style import COLOURS
from featrank.statistics import nogueira_interval, ranking_stability

from .results import compared

BEST = "fisher"


@pytest.fixture(scope="module")
def results():
    return compared()


def drawn(display):
    """Return the points of each line that the legend names."""
    legend = display.ax_.get_legend()
    names = [text.get_text() for text in legend.get_texts()]
    looks = [(h.get_color(), h.get_linestyle()) for h in legend.get_lines()]
    points = {}
    for line in display.ax_.get_lines():
        look = line.get_color(), line.get_linestyle()
        if look in looks and line.get_markersize() != 10:
            points.setdefault(names[looks.index(look)], line.get_xydata())
    return points


def test_scores_of_a_ranking_a_ranker_and_results(results, frame):
    X, y = frame
    ranking = featrank.rank(X, y, "fisher")
    ranker = featrank.FisherScore().fit(X, y)
    order = np.argsort(-ranker.scores_, kind="stable")[:5]
    expected = [(r, X.columns[j], ranker.scores_[j]) for r, j in enumerate(order, 1)]
    for display in (
        plots.ScoresDisplay.from_ranking(ranking, top=5),
        plots.ScoresDisplay.from_estimator(ranker, top=5),
    ):
        assert display.frame().rows() == expected
        assert [bar.get_width() for bar in display.ax_.patches] == [row[2] for row in expected]
        assert [label.get_text() for label in display.ax_.get_yticklabels()] == [
            row[1] for row in expected
        ]
    unnamed = featrank.FisherScore().fit(X.to_numpy(), y)
    names = plots.ScoresDisplay.from_estimator(unnamed, top=2).frame()["feature"].to_list()
    assert names == [f"x{j}" for j in order[:2]]
    of_results = plots.ScoresDisplay.from_results(results, method=BEST, top=4).frame()
    own = results.features().filter(method=BEST).sort("score", descending=True)
    assert of_results["feature"].to_list() == own["feature"].to_list()[:4]
    assert of_results["score"].to_list() == own["score"].to_list()[:4]


def test_scores_refuse_what_is_not_fitted_and_names_of_another_number(frame):
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError):
        plots.ScoresDisplay.from_estimator(featrank.FisherScore())
    with pytest.raises(UsageError, match="one name per feature"):
        plots.ScoresDisplay.from_estimator(featrank.FisherScore().fit(*frame), feature_names=["a"])


def test_the_score_curve_marks_the_recommended_k(results):
    display = plots.ScoreCurveDisplay.from_results(results, method=BEST)
    for row in display.frame().to_dicts():
        scores = results.scores(row["method"], row["k"])
        assert row["mean"] == pytest.approx(scores.mean())
        share = results.test_fraction
        widened = np.sqrt(1 / len(scores) + share / (1 - share))
        assert row["error"] == pytest.approx(scores.std(ddof=1) * widened)
    means = {k: results.scores(BEST, k).mean() for k in results.n_features}
    best = max(means, key=means.get)
    enough = min(k for k in means if means[k] >= means[best] - 0.01)
    assert display.enough == enough
    (ring,) = [line for line in display.ax_.get_lines() if line.get_markersize() == 10]
    assert ring.get_xydata().tolist() == [[enough, pytest.approx(means[enough])]]
    assert drawn(display)[BEST][:, 1].tolist() == pytest.approx(list(means.values()))
    chance = [results.scores("random", k).mean() for k in results.n_features]
    assert drawn(display)["random"][:, 1].tolist() == pytest.approx(chance)
    assert len(display.ax_.collections) == 1  # one band


def test_stability_curves_have_intervals_and_the_level_of_chance(results):
    display = plots.StabilityCurveDisplay.from_results(results)
    for row in display.frame().to_dicts():
        orders = results.rankings[row["method"]]
        expected = nogueira_interval(orders, row["k"])
        assert row["stability"] == pytest.approx(ranking_stability(orders, row["k"], "kuncheva"))
        assert (row["low"], row["high"]) == pytest.approx((expected.low, expected.high))
    assert len(display.ax_.collections) == 3
    assert drawn(display)["chance"][:, 1].tolist() == [0, 0]
    other = plots.StabilityCurveDisplay.from_results(results, n_features=[5, 2], measure="jaccard")
    assert other.frame()["k"].to_list() == [2, 5] * 3
    assert not other.ax_.collections
    assert "chance" not in drawn(other)
    assert other.ax_.get_ylabel() == "stability (jaccard)"


def test_dots_are_how_often_a_feature_was_chosen(results):
    display = plots.SelectionFrequencyDisplay.from_results(results, method=BEST, k=5, top=8)
    counts = np.zeros(70, int)
    for order in results.rankings[BEST]:
        counts[order[:5]] += 1
    names = results.feature_names
    rows = display.frame()
    assert rows.height == 8
    assert rows["chosen"].to_list() == sorted(counts, reverse=True)[:8]
    for row in rows.to_dicts():
        assert row["chosen"] == counts[names.index(row["feature"])]
        assert row["low"] <= row["share"] == row["chosen"] / 6 <= row["high"]
    dots = display.ax_.collections[-1].get_offsets()[:, 0]
    assert dots.tolist() == pytest.approx([100 * row for row in rows["share"]])
    assert display.chance == 5 / 70


def test_agreement_is_the_overlap_of_the_best(results):
    display = plots.AgreementDisplay.from_results(results, k=9)
    frame = results.features()
    best = {
        name: set(frame.filter((pl.col("method") == name) & (pl.col("rank") <= 9))["feature"])
        for name in results.methods
    }
    for row in display.frame().to_dicts():
        assert row["overlap"] == len(best[row["method"]] & best[row["other"]]) / 9
    texts = [text.get_text() for text in display.ax_.texts]
    assert texts == [f"{100 * share:.0f}" for share in display.frame()["overlap"]]


def test_redundancy_has_the_correlations_of_the_data(results):
    display = plots.RedundancyDisplay.from_results(results, method=BEST)
    assert len(display.features) == 50
    table = {(row["feature"], row["other"]): row["r"] for row in results.correlations().to_dicts()}
    for row in display.frame().to_dicts():
        pair = row["feature"], row["other"]
        assert row["r"] == table.get(pair, table.get(pair[::-1]))
    copies = {results.feature_names[0], results.feature_names[6]}
    assert copies in [set(group) for group in display.groups]
    assert len(display.ax_.patches) == len(display.groups)
    few = plots.RedundancyDisplay.from_results(results, method=BEST, top=5)
    ranks = results.features().filter((pl.col("method") == BEST) & (pl.col("rank") <= 5))
    assert set(few.features) == set(ranks["feature"])


def test_rank_scatter_has_the_ranks_of_two_methods(results):
    first, second = "fisher", "a $broken{ name"
    display = plots.RankScatterDisplay.from_results(results, method=first, other=second, top=20)
    frame = results.features()
    ranks = {
        name: dict(frame.filter(method=name).select("feature", "rank").rows())
        for name in (first, second)
    }
    rows = display.frame().to_dicts()
    assert len(rows) == 20
    for row in rows:
        assert row["rank"] == ranks[first][row["feature"]]
        assert row["other_rank"] == ranks[second][row["feature"]]
    left_out = set(ranks[first]) - {row["feature"] for row in rows}
    worst = max(min(row["rank"], row["other_rank"]) for row in rows)
    assert min(min(ranks[first][name], ranks[second][name]) for name in left_out) >= worst
    assert display.ax_.collections[0].get_offsets().tolist() == [
        [row["rank"], row["other_rank"]] for row in rows
    ]


def test_the_graph_has_the_heaviest_edges(results):
    display = plots.FeatureGraphDisplay.from_results(results, top=15)
    weights = {}
    for row in results.edges().to_dicts():
        pair = frozenset((row["feature"], row["other"]))
        weights[pair] = max(row["weight"], weights.get(pair, 0))
    heaviest = sorted((w for pair, w in weights.items() if len(pair) == 2), reverse=True)[:15]
    assert display.frame()["weight"].to_list() == heaviest
    (lines, dots) = display.ax_.collections
    assert len(lines.get_segments()) == 15
    features = {name for a, b, _ in display.edges for name in (a, b)}
    assert len(dots.get_offsets()) == len(display.ax_.texts) == len(features)


def test_average_ranks_over_data_sets():
    sets = [compared(3, seed) for seed in range(3)]
    display = plots.CriticalDifferenceDisplay.from_results(sets)
    means = np.array(
        [[np.mean([r.scores(m, k) for k in r.n_features]) for m in r.methods] for r in sets]
    )
    ranks = rankdata(-means, axis=1).mean(axis=0)
    expected = dict(zip(sets[0].methods, ranks, strict=True))
    found = dict(display.frame().select("method", "average_rank").rows())
    assert found == pytest.approx(expected)
    # Demšar's table: 2.343 for three methods at 0.05.
    assert display.critical_difference == pytest.approx(2.343 * np.sqrt(12 / 18), abs=1e-3)


@pytest.mark.parametrize("groups", [[], [["a", "b"], ["b", "c"]]])
def test_a_bar_a_group(groups):
    ranks = {"c": 2.9, "a": 1.1, "b": 2.0}
    axes = plots.CriticalDifferenceDisplay(ranks, 1.3, groups).plot().ax_
    thick = [each for each in axes.collections if each.get_linewidth()[0] == 3]
    ends = [sorted(bar[:, 0]) for each in thick for bar in each.get_segments()]
    expected = [[1.1, 2.0], [2.0, 2.9]][: len(groups)]
    np.testing.assert_allclose(np.reshape(ends, (-1, 2)), np.reshape(expected, (-1, 2)), atol=0.05)


def test_timing_has_the_mean_seconds(results):
    display = plots.TimingDisplay.from_results(results)
    for name, seconds in display.frame().rows():
        frame = results.frame.filter(method=name)
        assert seconds == pytest.approx(frame["ranking_seconds"].mean())
    never = plots.TimingDisplay({"a": float("nan"), "b": 0.0, "c": 2.0}).plot()
    assert [text.get_text() for text in never.ax_.texts] == ["not finished", "0 s", "2 s"]


def test_roc_curves_are_of_one_number_of_features(results):
    display = plots.RocDisplay.from_results(results, k=6)
    rows = results.roc().filter(k=6)
    assert display.frame().equals(rows)
    for name in (BEST, "random"):
        own = rows.filter(method=name).select("fpr", "tpr").rows()
        assert drawn(display)[name].tolist() == [list(point) for point in own]
    assert (
        plots.RocDisplay.from_results(results).k
        == plots.ScoreCurveDisplay.from_results(results).enough
    )


@pytest.mark.parametrize(
    ("draw", "error", "words"),
    [
        (lambda r: plots.ScoresDisplay.from_results(r, method="fishr"), UsageError, "fisher"),
        (lambda r: plots.RankScatterDisplay.from_results(r, other="no"), UsageError, "Unknown"),
        (lambda r: plots.FeatureGraphDisplay.from_results(r, method=BEST), UsageError, "graph"),
        (lambda r: plots.RocDisplay.from_results(r, k=7), UsageError, "3, 6, 12"),
        (lambda r: plots.AgreementDisplay.from_results(r, k=71), UsageError, "from 1 to 70"),
        (lambda r: plots.CriticalDifferenceDisplay.from_results([r]), UsageError, "two data sets"),
        (
            lambda r: plots.StabilityCurveDisplay.from_results(r, measure="no"),
            UsageError,
            "Unknown",
        ),
    ],
)
def test_what_is_not_there_is_refused(draw, error, words, results):
    with pytest.raises(error, match=words):
        draw(results)


def test_agreement_of_one_method_is_refused():
    with pytest.raises(DataError, match="agreement needs two"):
        plots.AgreementDisplay.from_results(compared(1))


def test_many_methods_are_told_apart():
    axes = plots.ScoreCurveDisplay.from_results(compared(11)).ax_
    looks = {(to_hex(h.get_color()), h.get_linestyle()) for h in axes.get_legend().get_lines()}
    assert len(looks) == 12
    assert {look[0] for look in looks} > set(COLOURS)


def test_pairs_of_the_heat_map_come_once(results):
    display = plots.RedundancyDisplay.from_results(results, top=6)
    pairs = {frozenset(row[:2]) for row in display.frame().rows()}
    assert pairs == {frozenset(pair) for pair in combinations(display.features, 2)}
