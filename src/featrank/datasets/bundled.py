"""The real data sets that are included in scikit-learn, by name."""

import numpy as np

from featrank.datasets.dataset import Dataset

# name -> (scikit-learn's loader, name of the target, description)
BUNDLED = {
    "breast-cancer": (
        "load_breast_cancer",
        "diagnosis",
        "Measurements of cell nuclei in breast masses, malignant or benign.",
    ),
    "iris": ("load_iris", "species", "Sepal and petal sizes of three species of iris."),
    "wine": ("load_wine", "cultivar", "Chemical analysis of wines from three cultivars."),
    "digits": ("load_digits", "digit", "Handwritten digits as 8 × 8 grey-level images."),
}


def load_bundled(name: str) -> Dataset:
    """Return one of scikit-learn's data sets, with class names as labels."""
    from sklearn import datasets

    loader, target_name, description = BUNDLED[name]
    bunch = getattr(datasets, loader)()
    return Dataset(
        X=bunch.data,
        y=np.asarray(bunch.target_names)[bunch.target],
        feature_names=[str(feature) for feature in bunch.feature_names],
        target_name=target_name,
        name=name,
        description=description,
    )
