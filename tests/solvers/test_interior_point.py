import numpy as np
import pytest
from scipy.optimize import linprog

from featrank.solvers.interior_point import hinge_vertex


def program(n_samples, n_features, seed, level=0.05):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    sign = np.where(X[:, 0] + rng.normal(size=n_samples) > 0, 1.0, -1.0)
    rows = sign[:, None] * np.column_stack([X, np.ones(n_samples)])
    price = rng.uniform(0.5, 1.5, size=n_samples) / n_samples
    return rows, price, np.append(rng.uniform(0.5, 1.5, size=n_features) * level, 0.0)


def by_linprog(rows, price, penalty):
    """Return the program's value, from its dual as scipy solves it."""
    result = linprog(
        -np.ones(len(rows)),
        A_ub=np.vstack([rows.T, -rows.T]),
        b_ub=np.concatenate([penalty, penalty]),
        bounds=[(0, most) for most in price],
    )
    return -result.fun


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [(300, 10), (60, 60), (30, 80)])
def test_value_is_that_of_linprog_and_the_point_is_a_vertex(shape, seed):
    rows, price, penalty = program(*shape, seed)
    weights, dual = hinge_vertex(rows, price, penalty)
    margins = rows @ weights
    value = price @ np.maximum(0, 1 - margins) + penalty @ np.abs(weights)
    assert value == pytest.approx(by_linprog(rows, price, penalty), abs=1e-9)
    tight = np.abs(margins - 1) < 1e-9
    assert tight.sum() == np.count_nonzero(weights)  # the bias among them
    # The dual proves it: within its bounds, and of the same value.
    assert dual.sum() == pytest.approx(value, abs=1e-9)
    assert dual.min() >= -1e-12
    assert (dual <= price + 1e-12).all()
    assert (np.abs(dual @ rows) <= penalty + 1e-9).all()


def test_several_solutions_are_none():
    rows, price, penalty = program(100, 5, 0)
    penalty[1] = penalty[0]
    rows[:, 1] = rows[:, 0]
    assert hinge_vertex(rows, price, penalty) is None


def test_more_rows_on_the_margin_than_a_vertex_needs_are_none():
    rows, price, penalty = program(100, 5, 0)
    rows, price = np.vstack([rows, rows]), np.concatenate([price, price]) / 2
    assert hinge_vertex(rows, price, penalty) is None


def test_no_weight_is_worth_its_penalty():
    rows, price, penalty = program(50, 5, 0, level=1e3)
    found = hinge_vertex(rows, price, penalty)
    assert found is None or not found[0][:-1].any()
