"""Genotypes as PLINK stores them: two bits each, four samples per byte."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Number of first alleles for the codes 0, 1, 2 and 3. Code 1 is missing.
ALLELES = (2.0, np.nan, 1.0, 0.0)

# Bytes of genotypes that are unpacked at a time, so that memory holds little besides the result.
_SOME = 1 << 20
# What a code counts in a byte, by its place among the four.
_PLACES = np.array([1, 4, 16, 64], np.uint8)


@dataclass(frozen=True, eq=False)
class Genotypes:
    """Samples × variants of genotypes, packed.

    Attributes
    ----------
    packed : ndarray of shape (n_variants, ceil(n_samples / 4))
        Bytes, the first sample in the lowest two bits: 0 is two first alleles, 2 is
        one, 3 none, and 1 is missing. Bits beyond the last sample mean nothing.
    n_samples : int
        Number of samples.

    Examples
    --------
    >>> genotypes = Genotypes(np.array([[0b11_10_01_00], [0b00_00_00_11]], np.uint8), 3)
    >>> genotypes.toarray()
    array([[ 2.,  0.],
           [nan,  2.],
           [ 1.,  2.]], dtype=float32)
    >>> genotypes.counts(np.array([0, 0, 1]), 2)[0].tolist()
    [[1, 1, 0, 0], [0, 0, 1, 0]]
    """

    packed: NDArray[np.uint8]
    n_samples: int

    @property
    def shape(self) -> tuple[int, int]:
        """Samples and variants."""
        return self.n_samples, len(self.packed)

    @property
    def dtype(self) -> np.dtype:
        """Type of the numbers."""
        return np.dtype(np.float32)

    @property
    def nbytes(self) -> int:
        """Bytes of the packed genotypes."""
        return self.packed.nbytes

    def columns(self, some: slice) -> Genotypes:
        """Return some of the variants, without a copy."""
        return Genotypes(self.packed[some], self.n_samples)

    def __getitem__(self, samples: NDArray[np.integer]) -> Genotypes:
        """Return some of the samples, packed."""
        width = -(-len(samples) // 4)
        packed = np.empty((len(self.packed), width), np.uint8)
        step = max(1, _SOME // max(1, self.packed.shape[1]))
        for start in range(0, len(self.packed), step):
            part = self.packed[start : start + step]
            codes = part[:, samples // 4] >> (2 * (samples % 4)).astype(np.uint8) & 3
            four = np.zeros((len(part), 4 * width), np.uint8)
            four[:, : len(samples)] = codes
            packed[start : start + step] = four.reshape(len(part), width, 4) @ _PLACES
        return Genotypes(packed, len(samples))

    def toarray(self) -> NDArray[np.float32]:
        """Return the number of first alleles, of shape (n_samples, n_variants); missing is NaN."""
        codes = np.arange(256)[:, np.newaxis] >> np.array([0, 2, 4, 6]) & 3
        of_byte = np.array(ALLELES, np.float32)[codes]
        # The numbers of a variant are contiguous, like its bytes.
        result = np.empty((len(self.packed), self.n_samples), np.float32)
        step = max(1, _SOME // max(1, self.packed.shape[1]))
        for start in range(0, len(self.packed), step):
            part = of_byte[self.packed[start : start + step]]
            result[start : start + step] = part.reshape(len(part), -1)[:, : self.n_samples]
        return result.T

    def counts(self, classes: NDArray[np.integer], n_classes: int) -> NDArray[np.int32]:
        """Return how often each code occurs in each class, of shape (n_variants, n_classes, 4).

        Samples of a negative class take no part.
        """
        from featrank.kernels.genotypes import genotype_counts

        return genotype_counts(self.packed, classes, n_classes)
