"""The paper's own files, where this computer has them."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from featrank import datasets
from featrank.datasets import REGISTRY
from featrank.exceptions import DataError

FOLDER = os.environ.get("FEATRANK_DATA")
AT_HAND = [name for name in REGISTRY if FOLDER and Path(FOLDER, f"{name}.npz").is_file()]
needs_data = pytest.mark.skipif(not AT_HAND, reason="FEATRANK_DATA names no folder with the data")


def fetch(name, folder=FOLDER):
    return datasets.fetch(name, folder=folder, download=False)


@needs_data
@pytest.mark.parametrize("name", AT_HAND)
class TestEverySetAtHand:
    def test_it_is_verified_and_has_its_shape_and_classes(self, name):
        data = fetch(name)
        assert data.X.shape == REGISTRY[name].shape
        labels, sizes = np.unique(data.y, return_counts=True)
        assert dict(zip(labels.tolist(), sizes.tolist(), strict=True)) == REGISTRY[name].classes
        assert len(data.feature_names) == data.X.shape[1]

    def test_labels_are_those_of_the_file(self, name):
        with np.load(Path(FOLDER, f"{name}.npz")) as file:
            assert np.array_equal(fetch(name).y, file["y"])

    def test_same_values_in_another_file_are_taken(self, name, tmp_path):
        data = fetch(name)
        np.savez(tmp_path / f"{name}.npz", X=np.asfortranarray(data.X), y=data.y.astype(str))
        assert np.array_equal(fetch(name, tmp_path).X, data.X, equal_nan=True)

    def test_one_changed_value_is_refused(self, name, tmp_path):
        data = fetch(name)
        X = data.X.copy()
        X[-1, -1] = np.nextafter(X[-1, -1], np.inf)
        np.savez(tmp_path / f"{name}.npz", X=X, y=data.y)
        with pytest.raises(DataError, match="checksum of the values"):
            fetch(name, tmp_path)

    def test_one_changed_byte_is_refused(self, name, tmp_path):
        path = tmp_path / f"{name}.npz"
        shutil.copyfile(Path(FOLDER, f"{name}.npz"), path)
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        with pytest.raises(DataError):
            fetch(name, tmp_path)


@needs_data
def test_missing_values_of_lymphoma_stay_missing():
    if "lymphoma" not in AT_HAND:
        pytest.skip("lymphoma is not at hand")
    assert np.isnan(fetch("lymphoma").X).mean() == pytest.approx(0.033, abs=0.001)


def test_registry_is_complete():
    for name, source in REGISTRY.items():
        assert source.name == name
        assert sum(source.classes.values()) == source.shape[0]
        assert source.citation
        assert source.licence
        assert source.values_sha256 or source.total
        assert source.address or source.file_sha256


def test_the_set_built_from_mnist_is_not_called_gina():
    source = REGISTRY["gina_like_mnist"]
    assert source.description.startswith("Not GINA")
    assert source.paper_shape is None
    assert source.address is None
