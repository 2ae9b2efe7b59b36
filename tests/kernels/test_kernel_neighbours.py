import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import GRAM_TERMS, MOST_SHORT, Links, Missing, Samples, Sketch
from featrank.neighbours.columns import Ranges
from featrank.neighbours.missing import Unknowns
from featrank.neighbours.nearest import by_class
from featrank.neighbours.sketch import byte_sketch, short_sketch

from . import neighbour_twins as twins

SHAPES = [(2, 1), (7, 3), (40, 5), (70, 67), (9, 1030)]
NO_TABLE = np.zeros((0, 0))


def matrix(shape, kind=np.float64, unknown=0.0, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(loc=3, size=shape).astype(kind)
    X[rng.random(shape) < unknown] = np.nan
    return X


def samples_of(X, *, n_classes=2, square=False):
    codes = np.arange(len(X)) % min(n_classes, len(X))
    ranges = Ranges.of(X, 1)
    widths = ranges.widths()
    scale = np.divide(1.0, widths, out=np.zeros_like(widths), where=widths > 0)
    columns = np.flatnonzero(ranges.unknown)
    unknowns = Unknowns.of(X, codes, columns, ranges.low, scale, 1)
    samples = by_class(X, codes, scale, square=square, missing=unknowns.missing)
    return samples, ranges, unknowns


def slots_of(samples, k):
    sizes = np.minimum(np.diff(samples.offsets), k)
    return np.concatenate([[0], np.cumsum(sizes)])


def links_of(n_samples, seed=0):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 11, n_samples)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    rows, neighbour = rng.permutation(n_samples), rng.integers(0, n_samples, offsets[-1])
    return Links(rows, offsets, neighbour, rng.normal(size=offsets[-1]))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_ranges(shape, kind):
    X = matrix(shape, kind, unknown=0.2)
    X[:, 0] = np.nan
    low, high = np.empty((2, shape[1]))
    unknown = np.empty(shape[1], int)
    kernels.ranges(X, low, high, unknown)
    assert_array_equal(low, np.nanmin(X, axis=0, initial=np.inf))
    assert_array_equal(high, np.nanmax(X, axis=0, initial=-np.inf))
    assert_array_equal(unknown, np.isnan(X).sum(axis=0))


@pytest.mark.parametrize("unknown", [0.0, 0.3])
@pytest.mark.parametrize("shape", SHAPES)
def test_bytes_are_within_their_error(shape, unknown):
    """The error holds for the distances of all pairs, in steps."""
    samples, ranges, unknowns = samples_of(matrix(shape, unknown=unknown))
    sketch = byte_sketch(samples, ranges, unknowns, 1)
    assert sketch.bytes_.shape[1] % 64 == 0
    assert not sketch.bytes_[:, shape[1] :].any()
    rows = sketch.bytes_.astype(float)
    by_sketch = np.abs(rows[:, None] - rows[None]).sum(axis=2)
    exact = 255 * twins.distances(samples)[np.ix_(samples.order, samples.order)]
    bound = sketch.error[:, None] + sketch.error[None]
    apart = ~np.eye(len(rows), dtype=bool)
    assert (np.abs(by_sketch - exact) <= bound)[apart].all()
    if unknown == 0:
        place = 255 * (samples.X[samples.order] - ranges.low) * samples.scale
        assert_array_equal(sketch.bytes_[:, : shape[1]], np.floor(place + 0.5))


@pytest.mark.parametrize("shape", SHAPES)
def test_shorts_are_within_their_error(shape):
    samples, ranges, _ = samples_of(matrix(shape), n_classes=1, square=True)
    samples = samples._replace(scale=np.ones(shape[1]))
    sketch = short_sketch(samples, ranges, 1.0, 1)
    rows = sketch.shorts.astype(float)
    assert np.abs(rows).max() <= MOST_SHORT
    assert_array_equal(sketch.norm, (rows**2).sum(axis=1))
    by_sketch = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    exact = sketch.steps * np.sqrt(twins.distances(samples))
    assert (np.abs(by_sketch - exact) <= sketch.error[:, None] + sketch.error[None]).all()
    # The error is what rounding misses, not a guess that holds anyway.
    assert (sketch.error <= 0.5 * np.sqrt(shape[1]) + 1e-6).all()


def sketch_of(samples, ranges, unknowns, with_sketch):
    if not with_sketch:
        return Sketch.none()
    if samples.square:
        return short_sketch(samples, ranges, 1.0, 1)
    return byte_sketch(samples, ranges, unknowns, 1)


@pytest.mark.parametrize("with_sketch", [False, True])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(
    ("square", "unknown", "n_classes"),
    [(False, 0.0, 2), (False, 0.1, 3), (True, 0.0, 1), (True, 0.0, 3)],
)
@pytest.mark.parametrize("shape", SHAPES)
def test_nearest(shape, square, unknown, n_classes, kind, with_sketch):
    X = matrix(shape, kind, unknown)
    samples, ranges, unknowns = samples_of(X, n_classes=n_classes, square=square)
    if square:
        samples = samples._replace(scale=np.ones(shape[1]))
    sketch, slots = sketch_of(samples, ranges, unknowns, with_sketch), slots_of(samples, 4)
    wanted, distance = twins.nearest(samples, slots)
    for positions in (slice(0, shape[0]), slice(1, max(shape[0] // 2, 1))):
        found, far = kernels.nearest(samples, slots, positions, sketch, NO_TABLE)
        assert_array_equal(found, wanted[positions])
        there = found >= 0
        assert_allclose(far[there], distance[positions][there], rtol=1e-12)
        assert np.isinf(far[~there]).all()


@pytest.mark.parametrize("with_sketch", [False, True])
@pytest.mark.parametrize("square", [False, True])
def test_equally_near_samples_go_by_row(square, with_sketch):
    X = np.random.default_rng(0).integers(0, 3, (90, 4)).astype(float)
    samples, ranges, unknowns = samples_of(X, square=square)
    samples = samples._replace(scale=np.full(4, 0.5))
    if square and with_sketch:
        sketch = short_sketch(samples, ranges, 2.0, 1)
    else:
        sketch = sketch_of(samples, ranges, unknowns, with_sketch)
    slots = slots_of(samples, 6)
    found, _ = kernels.nearest(samples, slots, slice(0, 90), sketch, NO_TABLE)
    assert_array_equal(found, twins.nearest(samples, slots)[0])


@pytest.mark.parametrize("unknown", [0.0, 0.1])
@pytest.mark.parametrize("shape", SHAPES)
def test_table_of_distances(shape, unknown):
    samples, *_ = samples_of(matrix(shape, unknown=unknown))
    table = np.zeros((shape[0], shape[0]))
    half = shape[0] // 2
    for positions in (slice(half, shape[0]), slice(0, half)):
        kernels.all_distances(samples, positions, table)
    wanted = twins.distances(samples)[np.ix_(samples.order, samples.order)]
    np.fill_diagonal(wanted, 0)
    assert_allclose(table, wanted, rtol=1e-12)
    slots, everything = slots_of(samples, 3), slice(0, shape[0])
    by_table = kernels.nearest(samples, slots, everything, Sketch.none(), table)
    direct = kernels.nearest(samples, slots, everything, Sketch.none(), NO_TABLE)
    assert_array_equal(by_table[0], direct[0])


def differences(X, links, scale, **options):
    out = np.zeros(X.shape[1])
    kernels.differences(X, links, scale, out, **options)
    return out


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(("square", "unknown"), [(False, 0.0), (False, 0.2), (True, 0.0)])
@pytest.mark.parametrize("shape", SHAPES)
def test_differences(shape, square, unknown, kind):
    X, links = matrix(shape, kind, unknown), links_of(shape[0])
    scale = np.random.default_rng(1).random(shape[1])
    found = differences(X, links, scale, square=square, unknown=unknown > 0)
    assert_allclose(found, twins.differences(X, links, scale, square), rtol=1e-10, atol=1e-12)


def test_blocks_of_columns_have_the_same_bits():
    X, links = matrix((30, 50)), links_of(30)
    whole = differences(X, links, np.ones(50))
    parts = np.zeros(50)
    for a in range(0, 50, 7):
        columns = slice(a, a + 7)
        kernels.differences(X[:, columns], links, np.ones(50)[columns], parts[columns])
    assert_array_equal(parts, whole)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("n_classes", [1, 2, 4])
def test_expect(n_classes, kind):
    X = matrix((30, 9), kind, unknown=0.3)
    codes = np.arange(30) % n_classes
    X[codes == 0, 2], X[:, 4], X[:, 5] = np.nan, np.nan, 2.0
    columns, scale = np.array([8, 2, 4, 5]), np.where(np.arange(9) == 5, 0.0, 0.25)
    expected = np.empty((4, n_classes, 30))
    tables = kernels.expect(X, columns, np.ones(9), scale, codes, n_classes, expected)
    for m, column in enumerate(columns):
        values = (X[:, column].astype(float) - 1) * scale[column]
        wanted = twins.expect(values, codes, n_classes)
        for found, right in zip((expected[m], tables[0][m], tables[1][m]), wanted, strict=True):
            assert_allclose(found, right, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("shape", SHAPES)
def test_expected_differences(shape):
    samples, *_ = samples_of(matrix(shape, unknown=0.3, seed=3))
    links = links_of(shape[0])
    found = kernels.expected_differences(samples, links)
    assert_allclose(found, twins.expected_differences(samples, links), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_smoothness(shape, kind):
    rng = np.random.default_rng(0)
    X, degree, links = matrix(shape, kind), rng.random(shape[0]), links_of(shape[0])
    low, scale = X.min(axis=0).astype(float), 2.0 ** rng.integers(-3, 4, shape[1])
    near, overall = np.empty((2, shape[1]))
    kernels.smoothness(X, *links, degree, low, scale, near, overall)
    wanted = twins.differences(X, links, scale, True)
    assert_allclose(near, wanted, rtol=1e-11, atol=1e-13)
    assert_allclose(overall, twins.spread(X, degree, low, scale), rtol=1e-11, atol=1e-14)
    assert_array_equal(near, sum_by_rows(X, links, scale, square=True))


def sum_by_rows(X, links, scale, **options):
    """Differences of so few links at a time that they are taken row by row, not by tiles."""
    out = np.zeros(X.shape[1])
    for i, row in enumerate(links.rows):
        entries = slice(links.offsets[i], links.offsets[i + 1])
        weight, neighbour = links.weight[entries], links.neighbour[entries]
        one = Links(np.array([row]), np.array([0, len(weight)]), neighbour, weight)
        padded = np.vstack([X, np.zeros((3, X.shape[1]), X.dtype)])  # links < 4 · rows
        kernels.differences(padded, one, scale, out, **options)
    return out


@pytest.mark.parametrize("unknown", [0.0, 0.2])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_tiles_give_the_bits_of_rows(shape, kind, unknown):
    X, scale = matrix(shape, kind, unknown), np.random.default_rng(1).random(shape[1])
    links = links_of(shape[0])
    found = differences(X, links, scale, unknown=unknown > 0)
    assert_array_equal(found, sum_by_rows(X, links, scale, unknown=unknown > 0))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_link_distances(shape, kind):
    X, links = matrix(shape, kind), links_of(shape[0])
    gaps = X[links.neighbour].astype(float) - np.repeat(X[links.rows], np.diff(links.offsets), 0)
    scale = np.full(shape[1], 0.5)
    found = kernels.link_distances(X, links, scale, square=True)
    assert_allclose(found, (gaps**2).sum(axis=1) / 4, rtol=1e-13)
    found = kernels.link_distances(X, links, scale, square=False)
    assert_allclose(found, np.abs(gaps).sum(axis=1) / 2, rtol=1e-13)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [*SHAPES, (131, 513)])
def test_products_are_within_their_error(shape, kind):
    X = matrix(shape, kind)
    middle = X.mean(axis=0, dtype=float)
    Z = (X - middle) * 0.5
    lengths = np.linalg.norm(Z, axis=1)
    found = kernels.gram(X, middle, np.full(shape[1], 0.5), square=True)
    off = np.abs(found - Z @ Z.T) / np.outer(lengths, lengths)
    assert np.triu(off).max() <= (GRAM_TERMS + 3) * 2.0**-24


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [*SHAPES, (131, 513)])
def test_rough_distances_are_within_their_error(shape, kind):
    X = matrix(shape, kind)
    width = np.ptp(X, axis=0).astype(float)
    scale = np.divide(1, width, out=np.zeros_like(width), where=width > 0)
    found = kernels.gram(X, X[0].astype(float), scale, square=False)
    exact = np.abs((X[:, np.newaxis].astype(float) - X) * scale).sum(axis=2)
    off = np.abs(found - exact) - (GRAM_TERMS + 1) * 2.0**-24 * exact
    assert np.triu(off).max() <= shape[1] * 2.0**-24


@pytest.mark.parametrize("k", [1, 4, 29, 40])
@pytest.mark.parametrize("slack", [(0.0, 0.0), (0.05, 1.0)])
def test_possible_pairs(k, slack):
    X = matrix((30, 12))
    found = kernels.possible_pairs(np.triu(X @ X.T), k, *slack)
    assert_array_equal(found, twins.possible_pairs(X @ X.T, k, *slack))


@pytest.mark.parametrize("k", [1, 3, 40])
@pytest.mark.parametrize("n_values", [3, 1000])
def test_count_near(k, n_values):
    """Few values give many equal distances."""
    rng = np.random.default_rng(0)
    lower, higher = np.nonzero(np.triu(rng.random((25, 25)) < 0.4, 1))
    offsets = np.searchsorted(lower, np.arange(26))
    pairs = Links(np.arange(25), offsets, higher.copy(), np.ones(len(lower)))
    distance = rng.integers(0, n_values, len(lower)).astype(float)
    found = kernels.count_near(pairs, distance, 25, k)
    assert_array_equal(found, twins.count_near(lower, higher, distance, k))


def test_pairs_out_of_bounds_are_rejected():
    links, nothing = links_of(10), np.zeros(0)
    for pairs, distance, rows in ((links, nothing, 10), (links, links.weight, 9)):
        with pytest.raises(ValueError, match="featrank kernel"):
            kernels.count_near(pairs, distance, rows, 2)
    for shape, k in (((3, 4), 2), ((3, 3), 0)):
        with pytest.raises(ValueError, match="featrank kernel"):
            kernels.possible_pairs(np.zeros(shape), k, 0.0, 0.0)


def bad_links(**changes):
    return links_of(10)._replace(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": np.arange(1, 11)},
        {"neighbour": np.full(links_of(10).offsets[-1], 10)},
        {"neighbour": np.full(links_of(10).offsets[-1], -1)},
        {"offsets": np.arange(11)[::-1].copy()},
        {"offsets": np.arange(12)},
        {"weight": np.ones(3)},
    ],
)
def test_links_out_of_bounds_are_rejected(changes):
    with pytest.raises(ValueError, match="featrank kernel"):
        kernels.differences(matrix((10, 4)), bad_links(**changes), np.ones(4), np.zeros(4))


def test_searches_out_of_bounds_are_rejected():
    samples, ranges, unknowns = samples_of(matrix((10, 4), unknown=0.3))
    slots, sketch = slots_of(samples, 3), byte_sketch(samples, ranges, unknowns, 1)
    short = sketch._replace(error=np.ones(3))
    lacking = samples.missing._replace(slot=samples.missing.slot + 9)
    for changed, positions, chosen in (
        (samples, slice(4, 11), sketch),
        (samples._replace(scale=np.ones(3)), slice(0, 10), sketch),
        (samples._replace(order=np.arange(1, 11)), slice(0, 10), sketch),
        (samples._replace(codes=np.full(10, 2)), slice(0, 10), sketch),
        (samples._replace(square=True), slice(0, 10), sketch),
        (samples._replace(missing=lacking), slice(0, 10), sketch),
        (samples._replace(X=np.asfortranarray(samples.X)), slice(0, 10), sketch),
        (samples, slice(0, 10), short),
        (samples, slice(0, 10), sketch._replace(bytes_=sketch.bytes_[:5])),
    ):
        with pytest.raises(ValueError, match="featrank kernel"):
            kernels.nearest(changed, slots, positions, chosen, NO_TABLE)
    with pytest.raises(ValueError, match="featrank kernel"):
        kernels.nearest(samples, slots, slice(0, 10), sketch, np.zeros((9, 10)))
    with pytest.raises(ValueError, match="featrank kernel"):
        kernels.all_distances(samples, slice(0, 10), np.zeros((10, 9)))


def test_no_missing_values_is_an_empty_table():
    samples = Samples(matrix((6, 2)), *np.zeros((3, 0), int), np.ones(2), False, Missing.none())
    assert len(kernels.expected_differences(samples, links_of(6))) == 0
