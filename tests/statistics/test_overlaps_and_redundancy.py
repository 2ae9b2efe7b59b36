"""What methods and features have in common, against brute force."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from featrank.exceptions import UsageError
from featrank.plots.placing import strongest
from featrank.statistics import correlation_clusters, ranking_overlap

METHODS = ["a", "b", "c"]


def ranked(n=30, seed=0, unknown=()):
    rng = np.random.default_rng(seed)
    names = [f"x{j}" for j in range(n)]
    frames = [
        pl.DataFrame(
            {
                "method": [method] * n,
                "feature": names,
                "rank": pl.Series(
                    [None] * n if method in unknown else rng.permutation(n) + 1, dtype=pl.Int64
                ),
            }
        )
        for method in METHODS
    ]
    frame = pl.concat(frames)
    return SimpleNamespace(methods=METHODS, n_features=(5, 10), features=lambda: frame)


@pytest.mark.parametrize("k", [1, 4, 30])
def test_overlaps_are_those_of_the_best_sets(k):
    results = ranked()
    found = ranking_overlap(results, k)
    assert found.methods == METHODS
    frame = results.features()
    best = {
        m: set(frame.filter((pl.col("method") == m) & (pl.col("rank") <= k))["feature"])
        for m in METHODS
    }
    for (i, one), (j, other) in combinations(enumerate(METHODS), 2):
        share = len(best[one].intersection(best[other])) / k
        assert found.overlaps[i][j] == found.overlaps[j][i] == share
    assert found.chance == k / 30
    shares = {m: found.overlaps[0][METHODS.index(m)] for m in METHODS[1:]}
    assert shares[found.closest("a")] == max(shares.values())


def test_unless_asked_at_most_half_of_the_features_count():
    assert ranking_overlap(ranked(30)).k == 10
    assert ranking_overlap(ranked(12)).k == 6


def test_methods_without_ranks_are_left_out():
    assert ranking_overlap(ranked(unknown="b")).methods == ["a", "c"]
    assert ranking_overlap(ranked(unknown="abc")).methods == []


@pytest.mark.parametrize("k", [0, 31])
def test_more_than_all_features_are_refused(k):
    with pytest.raises(UsageError, match="from 1 to 30"):
        ranking_overlap(ranked(), k)


def test_points_come_by_the_better_of_two_ranks():
    found = ranking_overlap(ranked())
    points = found.points("a", "c", 7)
    everything = [(f, found.ranks["a"][f], found.ranks["c"][f]) for f in found.ranks["a"]]
    better = sorted(min(own, other) for _, own, other in everything)[:7]
    assert [min(own, other) for _, own, other in points] == better
    assert set(points) <= set(everything)


def test_clusters_are_those_that_were_planted():
    rng = np.random.default_rng(0)
    base = rng.normal(size=(200, 3))
    columns = np.repeat(base, [4, 1, 3], axis=1) + 0.05 * rng.normal(size=(200, 8))
    columns[:, 1] *= -1
    shuffled = rng.permutation(8)
    r = np.corrcoef(columns[:, shuffled], rowvar=False)
    names = [f"g{j}" for j in shuffled]
    pairs = [
        {"feature": names[i], "other": names[j], "r": float(r[i, j])}
        for i, j in combinations(range(8), 2)
    ]
    found = correlation_clusters(pairs)
    planted = [{"g0", "g1", "g2", "g3"}, {"g5", "g6", "g7"}]
    assert sorted(map(sorted, found.groups)) == sorted(map(sorted, planted))
    for group in found.groups:
        places = [found.features.index(name) for name in group]
        assert places == list(range(places[0], places[0] + len(group)))
    where = [names.index(name) for name in found.features]
    np.testing.assert_allclose(found.correlations, r[np.ix_(where, where)])


def test_clusters_of_constants_and_of_nothing():
    found = correlation_clusters([{"feature": "a", "other": "b", "r": float("nan")}])
    assert found.correlations.tolist() == [[1, 0], [0, 1]]
    assert found.groups == []
    assert correlation_clusters([]).features == []


def test_each_pair_of_features_is_one_edge():
    rng = np.random.default_rng(0)
    edges = [
        {"feature": f"x{a}", "other": f"x{b}", "weight": float(w)}
        for (a, b), w in zip(rng.integers(0, 6, (80, 2)), rng.random(80), strict=True)
    ]
    found = strongest(edges)
    assert len(found) == 15
    for first, second, weight in found:
        assert weight == max(
            e["weight"] for e in edges if {e["feature"], e["other"]} == {first, second}
        )
    assert [w for *_, w in found] == sorted((w for *_, w in found), reverse=True)
