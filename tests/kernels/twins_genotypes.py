"""The specification of the kernel for genotypes, in plain NumPy."""

import numpy as np


def unpacked(packed, n_samples):
    """Codes of shape (variants, samples)."""
    codes = packed[:, :, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
    return codes.reshape(len(packed), -1)[:, :n_samples]


def genotype_counts(packed, classes, n_classes):
    codes = unpacked(packed, len(classes))
    return np.stack(
        [
            np.stack([(codes[:, classes == c] == code).sum(axis=1) for code in range(4)], axis=1)
            for c in range(n_classes)
        ],
        axis=1,
    )
