import numpy as np
import pytest

from featrank.kernels import _featrank
from featrank.kernels.genotypes import genotype_counts

from . import twins_genotypes


def made(n_variants, n_samples, n_classes, seed=0):
    """Bytes of any kind, those that fill up the last byte of a row among them."""
    rng = np.random.default_rng(seed)
    packed = rng.integers(0, 256, (n_variants, (n_samples + 3) // 4), dtype=np.uint8)
    return packed, rng.integers(-1, n_classes, n_samples)


# About the borders of bytes, of stretches of 128 samples, of three of these and of 63.
SAMPLES = [1, 3, 4, 5, 127, 128, 129, 256, 383, 384, 385, 2_501, 8_063, 8_064, 8_065, 20_000]


@pytest.mark.parametrize("n_samples", SAMPLES)
@pytest.mark.parametrize("n_classes", [1, 2, 5])
def test_counts_are_those_of_every_sample_looked_at(n_samples, n_classes):
    packed, classes = made(7, n_samples, n_classes)
    expected = twins_genotypes.genotype_counts(packed, classes, n_classes)
    np.testing.assert_array_equal(genotype_counts(packed, classes, n_classes), expected)


@pytest.mark.parametrize("byte", [0x00, 0x55, 0xAA, 0xFF])
def test_fields_hold_the_largest_counts(byte):
    """Every sample of one code and one class: what most easily overflows."""
    packed = np.full((2, 5_000), byte, np.uint8)
    counts = genotype_counts(packed, np.zeros(20_000, int), 1)
    expected = np.zeros((2, 1, 4))
    expected[:, :, byte & 3] = 20_000
    np.testing.assert_array_equal(counts, expected)


def test_samples_of_no_class_take_no_part():
    packed, classes = made(5, 300, 2)
    np.testing.assert_array_equal(genotype_counts(packed, np.full(300, -1), 2), 0)
    sizes = np.bincount(classes[classes >= 0])
    np.testing.assert_array_equal(genotype_counts(packed, classes, 2).sum(axis=2), [sizes] * 5)


def test_nothing_to_count():
    assert genotype_counts(np.empty((0, 3), np.uint8), np.zeros(12, int), 2).shape == (0, 2, 4)
    np.testing.assert_array_equal(
        genotype_counts(np.empty((2, 0), np.uint8), np.zeros(0, int), 1), np.zeros((2, 1, 4))
    )


def test_wrong_arguments_are_rejected():
    packed, classes = made(3, 10, 2)
    wrong = [
        lambda: genotype_counts(packed, classes[:8], 2),
        lambda: genotype_counts(packed, np.zeros(13, int), 2),
        lambda: genotype_counts(packed, np.full(10, 2), 2),
        lambda: _featrank.genotype_counts(
            packed, classes.astype(np.int32), np.empty((3, 2, 3), np.int32)
        ),
        lambda: _featrank.genotype_counts(
            packed, classes.astype(np.int32), np.empty((2, 2, 4), np.int32)
        ),
    ]
    for wrong_call in wrong:
        with pytest.raises(ValueError, match="featrank kernel"):
            wrong_call()
