import numpy as np
import pytest
from scipy import sparse

from featrank.exceptions import DataError, UsageError
from featrank.graph import Given, LargestOfTwo, RankOne, WeightedSum, pairwise

RNG = np.random.default_rng(0)
N = 40
VALUES = RNG.normal(size=N)
SQUARE = RNG.normal(size=(N, N))
HOLES = SQUARE * (RNG.random((N, N)) < 0.1)

GRAPHS = {
    "rank one": (RankOne(VALUES, SQUARE[0]), np.outer(VALUES, SQUARE[0])),
    "rank one of one vector": (RankOne(VALUES), np.outer(VALUES, VALUES)),
    "largest, unsorted": (LargestOfTwo(VALUES), np.maximum.outer(VALUES, VALUES)),
    "largest, ascending": (
        LargestOfTwo(np.sort(VALUES)),
        np.maximum.outer(np.sort(VALUES), np.sort(VALUES)),
    ),
    "largest, descending": (
        LargestOfTwo(np.sort(VALUES)[::-1]),
        np.maximum.outer(np.sort(VALUES)[::-1], np.sort(VALUES)[::-1]),
    ),
    "largest, tied": (
        LargestOfTwo(VALUES.round()),
        np.maximum.outer(VALUES.round(), VALUES.round()),
    ),
    "largest, all equal": (LargestOfTwo(np.full(N, 0.3)), np.full((N, N), 0.3)),
    "given array": (Given(SQUARE), SQUARE),
    "given integers": (Given(SQUARE.round().astype(int)), SQUARE.round()),
    "given list": (Given(SQUARE.tolist()), SQUARE),
    **{
        f"given {kind.__name__}": (Given(kind(HOLES)), HOLES)
        for kind in (
            sparse.csr_matrix,
            sparse.csc_array,
            sparse.coo_array,
            sparse.lil_matrix,
            sparse.dok_array,
        )
    },
    "sum": (
        0.3 * RankOne(VALUES) + LargestOfTwo(VALUES) * 2 + Given(sparse.csr_array(HOLES)),
        0.3 * np.outer(VALUES, VALUES) + 2 * np.maximum.outer(VALUES, VALUES) + HOLES,
    ),
    "sum of sums": (
        WeightedSum([(0.5, RankOne(VALUES) + Given(SQUARE)), (0.0, Given(HOLES))]),
        0.5 * (np.outer(VALUES, VALUES) + SQUARE),
    ),
}


@pytest.fixture(params=GRAPHS)
def case(request):
    return GRAPHS[request.param]


def test_graphs_written_out(case):
    graph, expected = case
    assert graph.size == N
    np.testing.assert_allclose(graph.to_dense(), expected, rtol=1e-14)
    np.testing.assert_allclose(graph.rows(slice(7, 19)), expected[7:19], rtol=1e-14)


def test_products(case):
    graph, expected = case
    for vector in (np.ones(N), SQUARE[3], SQUARE[:, 5], np.arange(N)):
        got = graph.product(vector)
        np.testing.assert_allclose(got, expected @ vector, rtol=1e-12, atol=1e-12)


def test_products_leave_the_vector_alone(case):
    graph, _ = case
    vector = SQUARE[3].copy()
    vector.flags.writeable = False
    graph.product(vector)
    np.testing.assert_array_equal(vector, SQUARE[3])


@pytest.mark.parametrize("order", ["sorted", "shuffled"])
def test_equal_levels_get_equal_bits(order):
    rng = np.random.default_rng(1)
    level = rng.integers(0, 9, 500) / 7
    level = np.sort(level) if order == "sorted" else level
    product = LargestOfTwo(level).product(rng.random(500))
    for value in np.unique(level):
        assert len(np.unique(product[level == value])) == 1


def test_one_feature():
    for graph in (RankOne([2.0], [3.0]), LargestOfTwo([6.0]), Given([[6.0]])):
        assert graph.product(np.array([0.5])).tolist() == [3.0]


def test_a_numpy_factor_makes_a_graph():
    graph = np.float64(0.5) * RankOne(VALUES)
    np.testing.assert_array_equal(graph.to_dense(), 0.5 * np.outer(VALUES, VALUES))


def test_weights_by_a_function_of_two_columns():
    X = RNG.normal(size=(15, 6))
    graph = pairwise(X, lambda a, b: a.sum() - 2 * b.sum())
    expected = X.sum(axis=0)[:, None] - 2 * X.sum(axis=0)
    np.testing.assert_allclose(graph.to_dense(), expected, rtol=1e-12)


@pytest.mark.parametrize("weights", [np.ones((2, 3)), np.ones(4), sparse.csr_matrix((2, 3))])
def test_edges_that_are_not_square_are_rejected(weights):
    with pytest.raises(UsageError, match=r"must be square.*Got shape"):
        Given(weights)


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_edges_that_are_not_finite_are_rejected(container, bad):
    with pytest.raises(DataError, match="NaN or infinity"):
        Given(container([[0.0, bad], [1.0, 0.0]]))


def test_a_function_that_gives_no_number_is_rejected():
    with pytest.raises(DataError, match="NaN or infinity"):
        pairwise(np.ones((3, 2)), lambda a, b: np.nan)


@pytest.mark.parametrize("term", [RankOne, LargestOfTwo])
@pytest.mark.parametrize("bad", [[1.0, np.nan], [np.inf, 0.0], [[1.0, 2.0]]])
def test_terms_take_finite_vectors(term, bad):
    with pytest.raises(UsageError, match="one finite number per feature"):
        term(np.array(bad))


def test_terms_of_different_sizes_do_not_add_up():
    with pytest.raises(UsageError, match=r"got \[2, 3\]"):
        RankOne(np.ones(2)) + RankOne(np.ones(3))
    with pytest.raises(UsageError, match="got 2 and 3"):
        RankOne(np.ones(2), np.ones(3))
