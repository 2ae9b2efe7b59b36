import hashlib
import struct

import numpy as np
import pytest

from featrank.datasets.checks import class_codes, values_checksum

X = np.array([[1.5, -2.0, 0.0], [np.nan, 4.0, 0.25]])
Y = np.array(["b", "a"])


def test_checksum_follows_its_definition():
    nan = bytes.fromhex("000000000000f87f")
    content = struct.pack("<2q", 2, 3) + struct.pack("<3d", 1.5, -2.0, 0.0)
    content += nan + struct.pack("<2d", 4.0, 0.25) + struct.pack("<2q", 0, 1)
    assert values_checksum(X, Y) == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    "same",
    [
        X.astype(np.float32),
        X.astype(">f8"),
        np.asfortranarray(X),
        np.where(X == 0, -0.0, X),
        np.where(np.isnan(X), -np.nan, X),
    ],
    ids=["float32", "big-endian", "fortran", "negative-zero", "other-nan"],
)
def test_storage_does_not_change_the_checksum(same):
    assert values_checksum(same, Y) == values_checksum(X, Y)


def test_integers_are_numbers_like_any_other():
    counts = np.array([[1, 2], [3, 255]], dtype=np.uint8)
    assert values_checksum(counts, Y) == values_checksum(counts.astype(float), Y)


def test_label_names_do_not_change_the_checksum():
    assert values_checksum(X, np.array([1, -1])) == values_checksum(X, Y)


@pytest.mark.parametrize(
    "other",
    [
        (np.nextafter(X, 9), Y),
        (X[::-1], Y),
        (X[:, ::-1], Y),
        (X.reshape(3, 2), np.array(["b", "a", "a"])),
        (X, np.array(["a", "a"])),
    ],
    ids=["last-bit", "rows", "columns", "shape", "labels"],
)
def test_any_change_of_the_values_changes_the_checksum(other):
    assert values_checksum(*other) != values_checksum(X, Y)


def test_checksum_leaves_its_input_alone():
    values = np.array([[-0.0, 1.0]])
    values_checksum(values, np.array(["a"]))
    assert np.signbit(values[0, 0])


def test_codes_follow_the_first_appearance():
    assert class_codes(np.array(["z", "a", "m", "a", "z"])).tolist() == [0, 1, 2, 1, 0]
