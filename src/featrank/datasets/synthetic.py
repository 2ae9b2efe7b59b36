"""Simulated data sets with known informative features."""

from collections.abc import Mapping

import numpy as np

from featrank.datasets.dataset import Dataset, numbered
from featrank.exceptions import UsageError

Seed = int | np.random.Generator | None

# Enough for distinct vertices for any sensible number of clusters, and 2**30 is a safe integer.
_VERTEX_BITS = 30


def make_madelon(
    n_samples: int = 2000,
    n_informative: int = 5,
    n_redundant: int = 15,
    n_noise: int = 480,
    *,
    clusters_per_class: int | None = None,
    separation: float = 2.0,
    flip: float = 0.01,
    random_state: Seed = None,
) -> Dataset:
    r"""Simulate data like MADELON, where no single feature separates the classes.

    Gaussian clusters sit on distinct, randomly chosen vertices of a hypercube with sides of length
    2·`separation`. A random half of the clusters belongs to class 1 and the other half to class −1,
    which gives a parity problem. A sample of cluster k has the informative values

    .. math:: x = z A_k + \mathrm{separation} \cdot v_k, \quad z \sim N(0, I), \quad
        A_k \sim U(-1, 1)^{d \times d}, \quad v_k \in \{-1, 1\}^d,

    the redundant values :math:`x B` with :math:`B \sim U(-1, 1)`, and noise values from N(0, 1).
    Each feature is then shifted by U(−`separation`, `separation`) and scaled by U(1, 100), and the
    features are shuffled.

    Parameters
    ----------
    n_samples : int
        Number of rows, divided evenly between the clusters and shuffled.
    n_informative, n_redundant, n_noise : int
        Number of features of each kind. ``n_informative`` must be at least 1.
    clusters_per_class : int, optional
        By default 16, or fewer if the hypercube has too few vertices.
    separation : float
        Half the side of the hypercube.
    flip : float
        Fraction of samples whose label is flipped, in [0, 1].
    random_state : int or numpy Generator, optional
        The same number gives the same data.

    Returns
    -------
    Dataset
        Its ``truth`` has the columns of each kind: "informative", "redundant" and "noise".

    References
    ----------
    .. [1] I. Guyon, "Design of experiments for the NIPS 2003 variable selection benchmark", 2003.

    Examples
    --------
    >>> data = make_madelon(100, 3, 2, 5, random_state=0)
    >>> data
    <Dataset madelon-like: 100 samples × 10 features, 2 classes>
    >>> len(data.truth["informative"])
    3
    """
    require_counts(n_informative=(n_informative, 1), n_redundant=(n_redundant, 0))
    if clusters_per_class is None:
        clusters_per_class = 2 ** min(4, n_informative - 1)
    require_counts(n_noise=(n_noise, 0), clusters_per_class=(clusters_per_class, 1))
    require_counts(n_samples=(n_samples, 2 * clusters_per_class))
    require_range(flip=(flip, 0, 1), separation=(separation, 0, np.inf))
    _require_vertices(n_informative, clusters_per_class)

    rng = np.random.default_rng(random_state)
    informative, y = _hypercube_clusters(
        rng, n_samples, n_informative, clusters_per_class, separation
    )
    mixing = rng.uniform(-1, 1, (n_informative, n_redundant))
    noise = rng.standard_normal((n_samples, n_noise))
    X, truth = _shuffled_columns(
        rng, {"informative": informative, "redundant": informative @ mixing, "noise": noise}
    )
    shift = rng.uniform(-separation, separation, X.shape[1])
    y[rng.choice(n_samples, round(flip * n_samples), replace=False)] *= -1
    return Dataset(
        X=(X + shift) * rng.uniform(1, 100, X.shape[1]),
        y=y,
        feature_names=numbered("feature", X.shape[1]),
        target_name="class",
        name="madelon-like",
        description=f"Clusters on the vertices of a {n_informative}-dimensional hypercube.",
        truth=truth,
    )


def make_microarray(
    n_samples: int = 100,
    n_features: int = 5000,
    *,
    n_informative: int = 20,
    n_correlated: int = 80,
    n_classes: int = 2,
    effect: float = 1.5,
    correlation: float = 0.8,
    random_state: Seed = None,
) -> Dataset:
    r"""Simulate gene expression: few samples, many genes, few informative genes.

    The expression of gene j in sample i of class c(i) is log-normal,

    .. math:: \log_2 x_{ij} = \mu_j + \tau_j u_{ij}, \quad
        \mu_j \sim N(8, 1.5^2), \quad \tau_j \sim U(0.3, 1),

    and u has unit variance within a class:

    - A noise gene has :math:`u_{ij} \sim N(0, 1)`.
    - An informative gene is assigned to one class c (the classes take turns) and is up- or
      down-regulated in it: :math:`u_{ij} = s_j \, \mathrm{effect} \, [c(i) = c] + e_{ij}`, with
      :math:`s_j = \pm 1` and :math:`e_{ij} \sim N(0, 1)`.
    - A correlated gene k is in the module of an informative gene j (the modules take turns) and
      has correlation ±r with it: :math:`u_{ik} = s_k r u_{ij} + \sqrt{1 - r^2} \, e_{ik}`. Its own
      difference between the classes is therefore r · `effect`.

    The data has no batch effects. Genes and samples are shuffled.

    Parameters
    ----------
    n_samples : int
        Number of rows, divided evenly between the classes.
    n_features : int
        Number of genes. Genes that are neither informative nor correlated are noise.
    n_informative, n_correlated : int
        Number of genes of each kind. Correlated genes need an informative one.
    n_classes : int
        At least 2. Two classes are called "control" and "case", more are "class1", "class2", ...
    effect : float
        Shift of an informative gene, in standard deviations within a class.
    correlation : float
        The r above, in [0, 1].
    random_state : int or numpy Generator, optional
        The same number gives the same data.

    Returns
    -------
    Dataset
        Its ``truth`` has the columns of each kind: "informative", "correlated" and "noise".

    Examples
    --------
    >>> data = make_microarray(20, 50, n_informative=2, n_correlated=4, random_state=0)
    >>> data
    <Dataset microarray-like: 20 samples × 50 features, 2 classes>
    >>> {kind: len(columns) for kind, columns in data.truth.items()}
    {'informative': 2, 'correlated': 4, 'noise': 44}
    """
    require_counts(n_classes=(n_classes, 2), n_samples=(n_samples, n_classes))
    require_counts(n_informative=(n_informative, 1 if n_correlated else 0))
    require_counts(n_correlated=(n_correlated, 0))
    require_counts(n_features=(n_features, max(1, n_informative + n_correlated)))
    require_range(effect=(effect, 0, np.inf), correlation=(correlation, 0, 1))

    rng = np.random.default_rng(random_state)
    classes = rng.permutation(np.arange(n_samples) % n_classes)
    informative = _class_genes(rng, classes, n_informative, effect)
    n_noise = n_features - n_informative - n_correlated
    units, truth = _shuffled_columns(
        rng,
        {
            "informative": informative,
            "correlated": _module_genes(rng, informative, n_correlated, correlation),
            "noise": rng.standard_normal((n_samples, n_noise)),
        },
    )
    level = rng.normal(8, 1.5, n_features)
    return Dataset(
        X=2 ** (level + rng.uniform(0.3, 1, n_features) * units),
        y=class_names(n_classes)[classes],
        feature_names=numbered("gene", n_features),
        target_name="class",
        name="microarray-like",
        description="Log-normal expression values with modules of genes that follow the classes.",
        truth=truth,
    )


def _hypercube_clusters(
    rng: np.random.Generator, n_samples: int, n_dimensions: int, per_class: int, separation: float
) -> tuple[np.ndarray, np.ndarray]:
    n_clusters = 2 * per_class
    vertices = _distinct_vertices(rng, n_clusters, n_dimensions)
    skews = rng.uniform(-1, 1, (n_clusters, n_dimensions, n_dimensions))
    cluster = rng.permutation(np.arange(n_samples) % n_clusters)
    points = rng.standard_normal((n_samples, n_dimensions))
    for k in range(n_clusters):
        members = cluster == k
        points[members] = points[members] @ skews[k] + separation * vertices[k]
    # The vertices are in random order, so the first half is a random half.
    return points, np.where(cluster < per_class, 1, -1)


def _distinct_vertices(rng: np.random.Generator, count: int, n_dimensions: int) -> np.ndarray:
    n_bits = min(n_dimensions, _VERTEX_BITS)
    bits = (rng.choice(2**n_bits, count, replace=False)[:, None] >> np.arange(n_bits)) & 1
    return 2 * np.hstack([bits, rng.integers(0, 2, (count, n_dimensions - n_bits))]) - 1


def _class_genes(
    rng: np.random.Generator, classes: np.ndarray, count: int, effect: float
) -> np.ndarray:
    home = np.arange(count) % (classes.max() + 1)
    sign = rng.choice([-1, 1], count)
    return sign * effect * (classes[:, None] == home) + rng.standard_normal((len(classes), count))


def _module_genes(
    rng: np.random.Generator, informative: np.ndarray, count: int, correlation: float
) -> np.ndarray:
    if count == 0:
        return np.empty((len(informative), 0))
    leader = informative[:, np.arange(count) % informative.shape[1]]
    sign = rng.choice([-1, 1], count)
    own = rng.standard_normal(leader.shape)
    return sign * correlation * leader + np.sqrt(1 - correlation**2) * own


def class_names(n_classes: int) -> np.ndarray:
    """Return the names of simulated classes."""
    if n_classes == 2:
        return np.array(["control", "case"])
    return np.array([f"class{number}" for number in range(1, n_classes + 1)])


def _shuffled_columns(
    rng: np.random.Generator, kinds: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    X = np.hstack(list(kinds.values()))
    order = rng.permutation(X.shape[1])
    place = np.argsort(order)
    ends = np.cumsum([block.shape[1] for block in kinds.values()])
    return X[:, order], dict(zip(kinds, map(np.sort, np.split(place, ends[:-1])), strict=True))


def require_counts(**counts: tuple[int, int]) -> None:
    """Reject numbers below their minimum, given as (value, minimum)."""
    for name, (value, least) in counts.items():
        if value < least:
            raise UsageError(f"{name} must be at least {least}; got {value}.")


def require_range(**ranges: tuple[float, float, float]) -> None:
    """Reject values outside their range, given as (value, low, high)."""
    for name, (value, low, high) in ranges.items():
        if not low <= value <= high:
            raise UsageError(f"{name} must be between {low} and {high}; got {value}.")


def _require_vertices(n_informative: int, clusters_per_class: int) -> None:
    most = 2 ** (n_informative - 1)
    if clusters_per_class > most:
        raise UsageError(
            f"clusters_per_class must be at most {most}, half the vertices of a hypercube in "
            f"{n_informative} dimensions; got {clusters_per_class}. Use fewer clusters or more "
            "informative features."
        )
