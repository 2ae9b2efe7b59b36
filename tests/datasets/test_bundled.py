import numpy as np
import pytest

from featrank import datasets
from featrank.exceptions import UsageError

SHAPES = {
    "breast-cancer": (569, 30, ["benign", "malignant"]),
    "iris": (150, 4, ["setosa", "versicolor", "virginica"]),
    "wine": (178, 13, ["class_0", "class_1", "class_2"]),
    "digits": (1797, 64, list(range(10))),
}


@pytest.mark.parametrize("name", SHAPES)
def test_bundled_set_has_its_shape_names_and_class_names(name):
    data = datasets.load(name)
    rows, columns, classes = SHAPES[name]
    assert data.X.shape == (rows, columns)
    assert data.y.shape == (rows,)
    assert np.unique(data.y).tolist() == classes
    assert len(set(data.feature_names)) == columns
    assert data.name == name
    assert data.truth is None


def test_labels_belong_to_their_rows():
    data = datasets.load("iris")
    petal_length = data.X[:, data.feature_names.index("petal length (cm)")]
    assert petal_length[data.y == "setosa"].max() < petal_length[data.y != "setosa"].min()


def test_unknown_name_lists_near_ones():
    with pytest.raises(UsageError, match=r"Unknown data set 'breast_cancer'.*'breast-cancer'"):
        datasets.load("breast_cancer")


def test_names_are_those_that_load_knows():
    assert set(datasets.list_datasets()) == set(SHAPES) | set(datasets.REGISTRY)


def test_repr_is_one_short_line():
    assert repr(datasets.load("wine")) == "<Dataset wine: 178 samples × 13 features, 3 classes>"
