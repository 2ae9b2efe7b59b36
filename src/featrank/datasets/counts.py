"""Counts of sequencing reads by a known model: wide, mostly zeros, many genes hardly ever seen."""

import numpy as np

from featrank.datasets.dataset import Dataset, numbered
from featrank.datasets.synthetic import Seed, class_names, require_counts, require_range

# Share of a gene's mean that its true level varies by from sample to sample, squared.
DISPERSION = 0.3


def make_counts(
    n_samples: int = 120,
    n_features: int = 5000,
    *,
    n_informative: int = 50,
    n_classes: int = 2,
    fold: float = 3.0,
    random_state: Seed = None,
) -> Dataset:
    r"""Make counts of reads: most genes are rare, few matter.

    The count of gene j in sample i of class c(i) is negative binomial with mean and variance

    .. math:: m_{ij} = d_i\, e^{\mu_j}\, g_{ij}, \qquad m_{ij} + 0.3\, m_{ij}^2

    where :math:`d_i`, log-normal about 1, is the sample's depth, :math:`\mu_j \sim N(-2, 2^2)`, so
    that some 70 % of the values are zero and many genes are seen in a handful of samples only, and
    g is 1. An informative gene is seen more often, :math:`\mu_j \sim U(1, 4)`, belongs to one
    class (the classes take turns), and has there :math:`g_{ij}` = `fold` or 1/`fold`.

    Parameters
    ----------
    n_samples : int
        Rows, shared as evenly as can be between the classes.
    n_features : int
        All genes; those that are not informative are noise.
    n_informative : int
        How many genes differ between the classes.
    n_classes : int
        At least 2. Two are called "control" and "case"; more are "class1", "class2" and so on.
    fold : float
        How many times more, or less, an informative gene is seen in its class; at least 1.
    random_state : int or numpy Generator, optional
        The same number gives the same data.

    Returns
    -------
    Dataset
        Its ``truth`` has the columns of each kind: "informative" and "noise".

    Examples
    --------
    >>> data = make_counts(40, 500, n_informative=10, random_state=0)
    >>> data
    <Dataset counts: 40 samples × 500 features, 2 classes>
    >>> bool((data.X == 0).mean() > 0.6)
    True
    """
    require_counts(n_classes=(n_classes, 2), n_samples=(n_samples, n_classes))
    require_counts(n_informative=(n_informative, 0), n_features=(n_features, max(1, n_informative)))
    require_range(fold=(fold, 1, np.inf))
    rng = np.random.default_rng(random_state)
    classes = rng.permutation(np.arange(n_samples) % n_classes)
    columns = rng.permutation(n_features)
    informative, noise = np.sort(columns[:n_informative]), np.sort(columns[n_informative:])
    level = rng.normal(-2, 2, n_features)
    level[informative] = rng.uniform(1, 4, n_informative)
    depth = rng.normal(0, 0.3, n_samples)
    logs = level + depth[:, np.newaxis]
    moved = classes[:, np.newaxis] == np.arange(n_informative) % n_classes
    logs[:, informative] += moved * rng.choice([-1, 1], n_informative) * np.log(fold)
    return Dataset(
        X=rng.poisson(rng.gamma(1 / DISPERSION, DISPERSION * np.exp(logs))).astype(np.int32),
        y=class_names(n_classes)[classes],
        feature_names=numbered("gene", n_features),
        target_name="class",
        name="counts",
        description="Negative binomial counts of reads, most of them zero.",
        truth={"informative": informative, "noise": noise},
    )
