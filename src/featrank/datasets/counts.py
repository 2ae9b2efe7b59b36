"""Simulated read counts: wide data with mostly zeros and many rare genes."""

import numpy as np

from featrank.datasets.dataset import Dataset, numbered
from featrank.datasets.synthetic import Seed, class_names, require_counts, require_range

# Squared coefficient of variation of a gene's true level between samples.
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
    r"""Simulate read counts: most genes are rare, and few are informative.

    The count of gene j in sample i of class c(i) is negative binomial with mean and variance

    .. math:: m_{ij} = d_i\, e^{\mu_j}\, g_{ij}, \qquad m_{ij} + 0.3\, m_{ij}^2

    where :math:`d_i` is the sequencing depth of the sample, log-normal around 1,
    :math:`\mu_j \sim N(-2, 2^2)`, and g is 1. About 70 % of the values are zero, and many genes
    occur in only a handful of samples. An informative gene is more abundant,
    :math:`\mu_j \sim U(1, 4)`. It is assigned to one class (the classes take turns), in which
    :math:`g_{ij}` is `fold` or 1/`fold`.

    Parameters
    ----------
    n_samples : int
        Number of rows, divided evenly between the classes.
    n_features : int
        Number of genes. Genes that are not informative are noise.
    n_informative : int
        Number of genes that differ between the classes.
    n_classes : int
        At least 2. Two classes are called "control" and "case", more are "class1", "class2", ...
    fold : float
        Fold change of an informative gene in its class, up or down. At least 1.
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
    logs = level + rng.normal(0, 0.3, n_samples)[:, np.newaxis]
    moved = classes[:, np.newaxis] == np.arange(n_informative) % n_classes
    logs[:, informative] += moved * rng.choice([-1, 1], n_informative) * np.log(fold)
    return Dataset(
        X=rng.poisson(rng.gamma(1 / DISPERSION, DISPERSION * np.exp(logs))).astype(np.int32),
        y=class_names(n_classes)[classes],
        feature_names=numbered("gene", n_features),
        target_name="class",
        name="counts",
        description="Negative binomial read counts, mostly zeros.",
        truth={"informative": informative, "noise": noise},
    )
