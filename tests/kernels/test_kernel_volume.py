import numpy as np
import pytest

from featrank.kernels import volume
from featrank.kernels.volume import Batch, Chosen

from . import twins_volume

LEAST = 1e-10


def random_values(n_features, n_rows, dtype=np.float64, seed=0):
    values = np.random.default_rng(seed).normal(size=(n_features, n_rows))
    return (values / np.sqrt(n_rows)).astype(dtype)


def no_choice(values, n_steps):
    """Room for the chosen features."""
    n_rows = values.shape[1]
    return Chosen(
        np.empty((n_steps, n_rows), values.dtype), np.empty(n_steps), np.empty((n_steps, n_steps))
    )


def take(batch, chosen, step, feature):
    chosen.values[step] = batch.values[feature]
    chosen.reciprocal[step] = batch.reciprocal[feature]
    chosen.factor[step, :step] = batch.factor[feature, :step]
    chosen.factor[step, step] = np.sqrt(batch.rest[feature])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [1, 15, 16, 17, 400])
def test_reciprocal_lengths(dtype, n_rows):
    values = random_values(9, n_rows, dtype)
    values[4] = 0
    expected = twins_volume.reciprocal_lengths(values)
    np.testing.assert_allclose(volume.reciprocal_lengths(values), expected, rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rows", [7, 16, 100])
@pytest.mark.parametrize("diversity", [0.5, 1.0, 2.0])
def test_the_best_at_each_step(dtype, n_rows, diversity):
    """The best candidate is up to date, and no other one is better than the twin says."""
    n_features, n_steps = 50, 20
    values = random_values(n_features, n_rows, dtype)
    relevance = np.random.default_rng(1).uniform(0.1, 1, n_features)
    batch, chosen = Batch.of(values, relevance, n_steps), no_choice(values, n_steps)
    candidates = np.arange(n_features)
    for step in range(n_steps):
        place, gain = volume.best_gain(*batch, *chosen.first(step), candidates, diversity, LEAST)
        taken = np.setdiff1d(np.arange(n_features), candidates)
        expected = twins_volume.gains(values, relevance, taken, diversity, LEAST)
        best = candidates[place]
        assert best == candidates[np.argmax(expected[candidates])]
        np.testing.assert_allclose(gain, expected[best], rtol=1e-8)
        assert batch.n_known[best] == step
        assert np.all(batch.gain >= expected * (1 - 1e-8))
        take(batch, chosen, step, best)
        candidates = np.delete(candidates, place)


def test_what_rounding_leaves_of_a_copy_is_nothing():
    values = random_values(4, 100)
    values[2], values[3] = values[0], -3 * values[0]
    batch, chosen = Batch.of(values, np.ones(4), 2), no_choice(values, 2)
    take(batch, chosen, 0, 0)
    for copy in (2, 3):
        assert volume.best_gain(*batch, *chosen.first(1), np.array([copy]), 1.0, LEAST) == (0, 0.0)
        assert batch.rest[copy] == 0


def test_candidates_that_cannot_be_the_best_are_given_up():
    values = np.eye(4)
    values[1], values[3] = values[0], values[0]
    batch, chosen = Batch.of(values, np.array([1.0, 0.9, 0.5, 0.4]), 2), no_choice(values, 2)
    take(batch, chosen, 0, 0)
    found = volume.best_gain(*batch, *chosen.first(1), np.array([1, 2, 3]), 1.0, LEAST)
    assert found == (1, 0.5)
    assert batch.n_known.tolist() == [0, 1, 1, 0]
    assert batch.gain.tolist() == [1.0, 0.0, 0.5, 0.4]


def test_equal_gains_go_to_the_more_relevant_then_to_the_first():
    values = np.eye(5)
    values[1, 0] = 1.0  # ρ² = 1/2 with the chosen one: a rest of 3/4
    batch, chosen = Batch.of(values, np.array([1.0, 0.8, 0.6, 0.6, 0.6]), 1), no_choice(values, 1)
    take(batch, chosen, 0, 0)
    batch.gain[1] = 0.8
    assert volume.best_gain(*batch, *chosen, np.array([4, 3, 2]), 1.0, LEAST) == (0, 0.6)
    place, gain = volume.best_gain(*batch, *chosen, np.array([4, 1]), 1.0, LEAST)
    assert gain == pytest.approx(0.6)
    assert batch.rest[1] == pytest.approx(0.75)
    batch.gain[1] = 0.6
    place, _ = volume.best_gain(*batch, *chosen, np.array([4, 1]), 1.0, LEAST)
    assert place == 1


def test_wrong_arguments_are_rejected():
    values = random_values(3, 8)
    batch, chosen = Batch.of(values, np.ones(3), 2), no_choice(values, 2)
    one, all_of_them = chosen.first(1), np.arange(3)

    def call(batch=batch, chosen=one, candidates=all_of_them):
        volume.best_gain(*batch, *chosen, candidates, 1.0, LEAST)

    wrong = [
        lambda: call(candidates=np.array([3])),
        lambda: call(candidates=np.array([-1])),
        lambda: call(candidates=all_of_them[:0]),
        lambda: call(batch=batch._replace(rest=np.ones(2))),
        lambda: call(batch=batch._replace(factor=np.empty((3, 0)))),
        lambda: call(batch=batch._replace(n_known=np.array([0, -1, 0]))),
        lambda: call(chosen=one._replace(values=np.ones((1, 7)))),
        lambda: call(chosen=one._replace(reciprocal=np.ones(2))),
        lambda: call(chosen=chosen._replace(factor=np.ones((2, 1)))),
    ]
    for wrong_call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            wrong_call()
