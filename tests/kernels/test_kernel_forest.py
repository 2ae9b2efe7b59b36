"""Trees against the same trees grown in plain Python."""

import numpy as np
import pytest

from featrank.kernels.forest import grow_trees

MASK = 2**64 - 1


class Random:
    """SplitMix64, as published."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return ((z ^ (z >> 31)) >> 32) * bound >> 32


def deviations(target, weight, rows):
    mean = np.average(target[rows], axis=0, weights=weight[rows])
    return float(weight[rows] @ ((target[rows] - mean) ** 2).sum(axis=1))


def best_split(values, target, weight, rows, tried, order, random):
    """Return what the best split leaves of the deviations, and its two sides."""
    best, varied = None, False
    for seen in range(len(values)):
        if seen >= tried and varied:
            break
        other = seen + random.below(len(values) - seen)
        order[seen], order[other] = order[other], order[seen]
        own = values[order[seen], rows]
        for last in np.unique(own)[:-1]:
            varied = True
            sides = rows[own <= last], rows[own > last]
            left = sum(deviations(target, weight, side) for side in sides)
            if best is None or left < best[0] - 1e-9:
                best = left, order[seen], sides
    return best


def grown(values, target, seed, tried, depth):
    """Importances of one tree."""
    random = Random(int(seed))
    n_features, n_samples = values.shape
    weight = np.zeros(n_samples)
    for _ in range(n_samples):
        weight[random.below(n_samples)] += 1
    order = list(range(n_features))
    importance = np.zeros(n_features)
    nodes = [(np.flatnonzero(weight), 0)]
    while nodes:
        rows, level = nodes.pop()
        here = deviations(target, weight, rows)
        if len(rows) < 2 or here < 1e-9 or (depth and level >= depth):
            continue
        found = best_split(values, target, weight, rows, tried, order, random)
        if found is not None:
            left, feature, (low, high) = found
            importance[feature] += here - left
            nodes += [(high, level + 1), (low, level + 1)]
    return importance / importance.sum()


def table(n_samples, n_features, outputs, levels=None, seed=0):
    rng = np.random.default_rng(seed)
    values = np.array([rng.permutation(n_samples) for _ in range(n_features)], np.int32)
    if levels is not None:
        values %= levels
    # Irrational targets: no two splits are equally good but for equal reasons.
    return values, rng.normal(size=(n_samples, outputs)) + np.sin(values[:1].T)


@pytest.mark.parametrize("outputs", [1, 2, 3])
@pytest.mark.parametrize("levels", [None, 3])
@pytest.mark.parametrize("depth", [None, 2])
@pytest.mark.parametrize(("shape", "tried"), [((9, 5), 2), ((60, 4), 4), ((25, 30), 5)])
def test_trees(outputs, levels, depth, shape, tried):
    values, target = table(*shape, outputs, levels)
    seeds = np.array([0, 5, 2**63 + 11], np.uint64)
    importance, count = grow_trees(values, target, seeds, tried=tried, depth=depth)
    wanted = sum(grown(values, target, seed, tried, depth) for seed in seeds)
    assert count == 3
    np.testing.assert_allclose(importance, wanted, rtol=1e-9, atol=1e-12)


def test_trees_add_up():
    values, target = table(50, 6, 1)
    seeds = np.arange(7, dtype=np.uint64)
    whole, _ = grow_trees(values, target, seeds, tried=2)
    parts = [grow_trees(values, target, seeds[i : i + 1], tried=2)[0] for i in range(7)]
    np.testing.assert_allclose(whole, sum(parts), rtol=1e-12)
    assert whole.sum() == pytest.approx(7)


def test_values_far_apart_are_sorted_and_near_ones_counted_to_the_same_end():
    values, target = table(300, 5, 2, levels=40)
    seeds = np.arange(5, dtype=np.uint64)
    near, _ = grow_trees(values, target, seeds, tried=2)
    far, _ = grow_trees((values - 20) * np.int32(100_000_000), target, seeds, tried=2)
    np.testing.assert_array_equal(near, far)


def test_nothing_to_split():
    constant = np.zeros((3, 10), np.int32)
    target = np.arange(10.0)[:, None]
    seeds = np.arange(4, dtype=np.uint64)
    for values, wanted in ((constant, target), (table(10, 3, 1)[0], np.ones((10, 1)))):
        importance, count = grow_trees(values, wanted, seeds, tried=2)
        assert count == 0
        assert not importance.any()


def test_shapes_that_do_not_fit_are_rejected():
    values, target = table(10, 3, 1)
    seeds = np.zeros(1, np.uint64)
    with pytest.raises(ValueError, match="a target a sample"):
        grow_trees(values, target[:9], seeds, tried=1)
    with pytest.raises(ValueError, match="features"):
        grow_trees(values, target, seeds, tried=0)
    with pytest.raises(TypeError):
        grow_trees(values.astype(np.int64), target, seeds, tried=1)
