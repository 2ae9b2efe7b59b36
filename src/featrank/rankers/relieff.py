"""ReliefF: features that differ between near samples of different classes, not of the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from featrank._utils.probe import Probe
from featrank._utils.sklearn import Interval
from featrank.base.parameters import AT_LEAST_1
from featrank.base.ranker import TASKS, Floats, Ranker
from featrank.base.tuning import Tunable
from featrank.kernels import neighbours as kernels
from featrank.kernels.neighbours import Links, Samples
from featrank.neighbours.columns import Ranges, as_rows, map_columns
from featrank.neighbours.missing import Unknowns
from featrank.neighbours.nearest import (
    NearestSamples,
    by_class,
    is_wide,
    joined,
    links_of,
    probe_shape,
    search_bytes,
)
from featrank.values.numbers import by_power_of_two

Integers = NDArray[np.int64]

# Computing one in FEW of the distances individually costs as much as computing all as a matrix.
FEW = 8


class ReliefF(Ranker):
    r"""Rank features by their differences between nearest neighbours of the same and other classes.

    .. math::
        W_j = \frac{1}{m} \sum_i \Big[
            - \frac{1}{|H_i|} \sum_{h \in H_i} d_j(i, h)
            + \sum_{c \ne y_i} \frac{P(c)}{1 - P(y_i)}
              \frac{1}{|M_{ic}|} \sum_{m \in M_{ic}} d_j(i, m) \Big],
        \qquad d_j(i, h) = \frac{|x_{ij} - x_{hj}|}{\max_t x_{tj} - \min_t x_{tj}}

    H are the k nearest samples of the same class (hits), M those of class c (misses), and P the
    proportion of a class among the samples. The distance of two samples is the sum of d over all
    features. The outer sum runs over all samples, so the result is deterministic, or over m =
    ``n_samples`` drawn at random. Neighbours are always searched among all samples. A class with
    fewer than k other samples contributes all it has, and the mean is taken over those. A class
    with a single sample has no hits. Ties go to the first row. Distances are rounded sums, so
    rounding may decide between equally distant samples. If features have few distinct values,
    rescaling them may therefore change scores slightly.

    Missing values (NaN) use expected differences, which extends the published treatment of discrete
    values to numbers. If :math:`x_{ij}` is missing, d(i, h) is the mean of d over the known values
    of the class of i. If both values are missing, it is the mean over all pairs of known values of
    the two classes. For a feature with the values 0 and 1 these are the published :math:`1 -
    P(x_{hj} \mid y_i)` and :math:`1 - \sum_v P(v \mid y_i) P(v \mid y_h)`. A class without known
    values uses the known values of all classes.

    With ``task="regression"`` the target is numeric, and the method is RReliefF [3]_ [2]_. It
    compares how much near samples differ in the feature and in the target.

    .. math::
        W_j = \frac{N_{yj}}{N_y} - \frac{N_j - N_{yj}}{m - N_y}, \quad
        N_y = \sum_{i, h} w_{ih} d_y(i, h), \quad
        N_j = \sum_{i, h} w_{ih} d_j(i, h), \quad
        N_{yj} = \sum_{i, h} w_{ih} d_y(i, h) d_j(i, h)

    Here h are the k nearest of all other samples, and :math:`d_y` is the difference of the target
    divided by its range. The weights :math:`w_{ih} \propto e^{-(r/\sigma)^2}` sum to 1 for each i,
    where r is the rank of h among the neighbours of i, 1 for the nearest. A quotient with
    denominator 0 counts as 0. This happens if no neighbour differs in the target, or all differ by
    the full range. For a missing value, the expectation is over the known values of all samples.

    Scores are in [-1, 1]. A feature with at most one distinct known value scores -1 and comes last.

    Read more in docs/methods/relieff.md.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        How many features to select: a number, a fraction, or None for all.
    n_neighbors : int or "cv", default=10
        Number k of nearest hits, and of nearest misses per other class. For regression, the number
        of nearest samples. "cv" chooses among 5, 10, 20, 50 and 100 by cross-validation and keeps
        10 unless another value is clearly better.
    task : {"classification", "regression"}, default="classification"
        Whether the target holds class labels or numbers.
    sigma : float, default=20.0
        For regression, the decay of a neighbour's weight with its rank. ``inf`` gives equal
        weights. Ignored for classification, where weights are equal.
    n_samples : int or None, default=None
        Number m of samples whose neighbours are searched, drawn without replacement. None, or a
        number above the number of samples, uses all. Time is proportional to m.
    random_state : int, RandomState instance or None, default=0
        Seed for drawing samples. It has no effect without ``n_samples``.
    n_jobs : int or None, default=None
        Threads, as in scikit-learn. The result does not depend on it.

    Attributes
    ----------
    drawn_ : ndarray of shape (m,)
        The rows whose neighbours were searched, ascending.

    See Also
    --------
    MutualInformation : Scores single features, in a single pass over the data.
    LaplacianScore : Unsupervised, also based on nearest samples.

    Notes
    -----
    Memory in addition to X: one byte per value, or a few matrices of all pairwise distances if that
    is less. Each column with missing values adds one float64 per sample and class. X is copied only
    if its rows are not contiguous or not floats.

    References
    ----------
    .. [1] I. Kononenko, "Estimating attributes: analysis and extensions of RELIEF", European
       Conference on Machine Learning (1994).
    .. [2] M. Robnik-Šikonja and I. Kononenko, "Theoretical and empirical analysis of ReliefF
       and RReliefF", Machine Learning 53 (2003).
    .. [3] M. Robnik-Šikonja and I. Kononenko, "An adaptation of Relief for attribute estimation
       in regression", International Conference on Machine Learning (1997).

    Examples
    --------
    Two features that determine the class only together:

    >>> import numpy as np
    >>> from featrank import ReliefF
    >>> X = np.random.default_rng(0).random((200, 6))
    >>> y = (X[:, 1] > 0.5) ^ (X[:, 4] > 0.5)
    >>> ReliefF(n_features_to_select=2).fit(X, y).get_support(indices=True)
    array([1, 4])

    Two features whose product is the target:

    >>> y = (X[:, 1] - 0.5) * (X[:, 4] - 0.5)
    >>> ReliefF(2, task="regression").fit(X, y).get_support(indices=True)
    array([1, 4])
    """

    name = "relieff"
    purpose = "Contrast of neighbours"
    family = "neighbours"
    tasks = TASKS
    tunable = Tunable("n_neighbors", (5, 20, 50, 100, 10), fallback=10)
    accepts_nan = True
    stochastic = True
    invariances = frozenset({"shift", "scale"})
    complexity = "O(mTn), by default m = T"
    published_complexity = "O(iTnC)"
    reference = "Kononenko 1994"

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [AT_LEAST_1],
        "sigma": [Interval(Real, 0, None, closed="right")],
    }

    n_neighbors: int | str = 10
    task: str = "classification"
    sigma: float = 20.0
    n_samples: int | None = None
    random_state: Any = 0
    n_jobs: int | None = None

    def _probe(self, n_samples: int, n_features: int) -> Probe:
        rows, columns = probe_shape(n_samples, n_features)
        sought = min(self.n_samples or n_samples, n_samples)
        ratio = sought / rows * n_samples / rows * n_features / columns
        return Probe(self._untuned(n_samples=None)._score, (rows, columns), ratio)

    def _memory(self, n_samples: int, n_features: int) -> int:
        return search_bytes(n_samples, n_features, 1, self.n_jobs)

    def _score(self, X: Any, y: Any) -> Floats:
        X = as_rows(X)
        codes = np.zeros(len(X), np.int64) if self._regresses else y.astype(np.int64)
        ranges = Ranges.of(X, self.n_jobs)
        widths = ranges.widths()
        scale = np.divide(1.0, widths, out=np.zeros_like(widths), where=widths > 0)
        self.drawn_ = self._draw(len(X))
        nearest = self._nearest(X, codes, ranges, scale)
        scores = self._for_regression(nearest, y) if self._regresses else self._for_classes(nearest)
        return np.where(widths > 0, scores, -1.0)

    def _for_classes(self, nearest: NearestSamples) -> Floats:
        codes = nearest.samples.codes
        weight = _class_weights(np.bincount(codes), self.n_neighbors_) / len(self.drawn_)
        scores = np.zeros(nearest.samples.X.shape[1])
        for links in _links(nearest, lambda rows: weight[codes[rows]]):
            self._add_differences(nearest.samples, links, scores)
        return scores

    def _for_regression(self, nearest: NearestSamples, y: NDArray[Any]) -> Floats:
        """Return the mean feature difference of pairs with different targets, minus that of others.

        This is the published formula, with sums of the weights 1 - d instead of differences of
        sums, which would lose digits.
        """
        target, weight = _scaled(y), _rank_weights(nearest, self.sigma)
        sums, totals = np.zeros((2, nearest.samples.X.shape[1])), np.zeros(2)
        for links in _links(nearest, lambda rows: np.tile(weight, (len(rows), 1))):
            differences = _differences(target, links)
            for k, share in enumerate((differences, 1 - differences)):
                part = links._replace(weight=links.weight * share)
                self._add_differences(nearest.samples, part, sums[k])
                totals[k] += part.weight.sum()
        differing, agreeing = sums / np.where(totals > 0, totals, 1.0)[:, np.newaxis]
        return differing - agreeing

    def _nearest(self, X: Any, codes: Integers, ranges: Ranges, scale: Floats) -> NearestSamples:
        columns = np.flatnonzero(ranges.unknown)
        unknowns = Unknowns.of(X, codes, columns, ranges.low, scale, self.n_jobs)
        samples = by_class(X, codes, scale, missing=unknowns.missing)
        given: dict[str, Any] = {"n_jobs": self.n_jobs, "only": self.drawn_}
        given["ordered"] = self._regresses
        # A distance matrix is worthwhile only if many distances are needed.
        if is_wide(*X.shape) and FEW * len(self.drawn_) > len(X):
            return NearestSamples(samples, self.n_neighbors_, table=True, **given)
        from featrank.neighbours.sketch import byte_sketch

        sketch = byte_sketch(samples, ranges, unknowns, self.n_jobs)
        return NearestSamples(samples, self.n_neighbors_, sketch, **given)

    def _draw(self, total: int) -> Integers:
        """Return the rows whose neighbours are searched."""
        if self.n_samples is None or self.n_samples >= total:
            return np.arange(total)
        random = check_random_state(self.random_state)
        return np.sort(random.choice(total, self.n_samples, replace=False)).astype(np.int64)

    def _add_differences(self, samples: Samples, links: Links, scores: Floats) -> None:
        """Add Σ weight·d over the links to the score of each feature."""
        unknown = samples.missing.column

        def work(block: slice) -> None:
            part, scale = samples.X[:, block], samples.scale[block]
            kernels.differences(part, links, scale, scores[block], unknown=len(unknown) > 0)

        map_columns(work, samples.X.shape, self.n_jobs)
        scores[unknown] += kernels.expected_differences(samples, links)


def _links(nearest: NearestSamples, weight: Callable[[Integers], Floats]) -> Iterator[Links]:
    """Yield the links to the nearest samples, chunk by chunk, with the weights of their rows."""
    for rows, neighbour, _ in nearest.chunks():
        links = links_of(rows, neighbour, weight(rows))
        yield joined(links, len(nearest.samples.X)) if nearest.table else links


def _class_weights(sizes: Integers, k: int) -> Floats:
    """Return the weight of each neighbour of a sample, of shape (n_classes, slots)."""
    prior = sizes / sizes.sum()
    misses, hits = np.minimum(sizes, k), np.minimum(sizes - 1, k)
    table = prior / (1 - prior[:, np.newaxis]) / misses
    np.fill_diagonal(table, -1.0 / np.maximum(hits, 1))
    return np.repeat(table, misses, axis=1)


def _rank_weights(nearest: NearestSamples, sigma: float) -> Floats:
    """Return weights of a sample's neighbours, nearest first, that sum to 1.

    They are divided by the weight of the nearest, which keeps it above 0 for a small sigma.
    """
    rank = np.arange(1.0, int(nearest.slots[-1]) + 1)
    with np.errstate(over="ignore"):  # a weight of exp(-inf) is 0
        weight = np.exp((1 - rank) * (1 + rank) / sigma / sigma)
    weight[len(nearest.samples.X) - 1 :] = 0  # a sample is not its own neighbour
    return weight / weight.sum()


def _scaled(y: NDArray[Any]) -> Floats:
    """Return the target scaled to [0, 1]. Powers of two keep its range from overflowing."""
    values = by_power_of_two(y)[0]
    return (values - values.min()) / np.ptp(values)


def _differences(target: Floats, links: Links) -> Floats:
    """Return the difference of the target between the ends of each link."""
    own = np.repeat(links.rows, np.diff(links.offsets))
    return np.abs(target[own] - target[links.neighbour])
