"""Genotypes of PLINK 1 in a ``.bed`` file, by ranges of variants."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from featrank.exceptions import DataError, UsageError, counted, unknown_name
from featrank.sources import plink
from featrank.sources.labels import Labels
from featrank.sources.names import StoredNames
from featrank.sources.source import Block, Chunk, Source, place_of, reading, span_of
from featrank.tables.columns import columns_named
from featrank.tables.labels import find_label_file
from featrank.tables.options import ReadOptions
from featrank.values.genotypes import Genotypes

# Two bytes that say what the file is, and one that says in which order: 1 is variant by variant.
MAGIC = b"\x6c\x1b"
HEADER = 3


class BedSource(Source):
    """Genotypes of a ``.bed`` file: counts of the first allele of ``.bim``, samples × variants."""

    axis = "columns"
    dtype = np.dtype(np.float32)

    def __init__(self, path: Path, options: ReadOptions):
        self.name, self._path = path.name, path.absolute()
        _check_kind(path)
        bim, fam = plink.companion(path, ".bim"), plink.companion(path, ".fam")
        names, n_samples = plink.variant_names(bim), plink.n_samples(fam)
        _check_size(path, len(names), n_samples)
        dropped = _dropped(names, options)
        self._dropped = np.flatnonzero(dropped)
        self.names = StoredNames(names.column.filter(~dropped)) if dropped.any() else names
        self.shape = n_samples, len(self.names)
        self.id_name = "individual"
        self.ids = Labels(self.id_name, partial(plink.individuals, fam))
        self._labels = _labels(path, fam, options)
        if self._labels is not None:  # unusable labels are an error here, not in some chunk
            plink.sample_labels(fam, self._labels)
            self.target = getattr(self._labels, "name", None) or str(self._labels)

    @property
    def n_bytes(self) -> int:
        """Bytes of the packed genotypes."""
        return self.shape[1] * _bytes_of(self.shape[0] or 0)

    def chunks(self, most_bytes: int, columns: slice = slice(None)) -> Iterator[Chunk]:
        """Cut the variants into ranges whose packed genotypes take at most ``most_bytes``."""
        n_samples = self.shape[0]
        assert n_samples is not None
        most = max(1, most_bytes // max(1, _bytes_of(n_samples)))
        wanted = span_of(columns, self.shape[1])
        for run, shift in self._runs():
            start, stop = max(run.start, wanted.start), min(run.stop, wanted.stop)
            for first in range(start, stop, most):
                yield self._part(slice(first, min(first + most, stop)), first + shift)

    def _part(self, columns: slice, first: int) -> Chunk:
        """Return the part of some features, the first at this place in the file."""
        assert self.shape[0] is not None
        count = columns.stop - columns.start
        place = place_of("variants", slice(first, first + count), self.name)
        read = partial(_read, self._path, first, count, self.shape[0], self._labels, place)
        return Chunk(slice(0, self.shape[0]), columns, place, read)

    def _runs(self) -> Iterator[tuple[slice, int]]:
        """Return features that follow each other in the file, and how many were dropped before."""
        before = 0
        for shift, place in enumerate(self._dropped.tolist()):
            yield slice(before, place - shift), shift
            before = place - shift
        yield slice(before, self.shape[1]), len(self._dropped)


def _read(
    path: Path, first: int, count: int, n_samples: int, labels: Path | str | None, place: str
) -> Block:
    """Read the packed genotypes of some variants, and the labels of all samples."""
    width = _bytes_of(n_samples)
    with reading(place):
        packed = np.fromfile(path, np.uint8, count * width, offset=HEADER + first * width)
        if len(packed) < count * width:
            raise EOFError(f"{len(packed):,} bytes instead of {count * width:,}")
        y = None if labels is None else plink.sample_labels(path.with_suffix(".fam"), labels)
    return Block(Genotypes(packed.reshape(count, width), n_samples), y)


def _bytes_of(n_samples: int) -> int:
    return (n_samples + 3) // 4


def _check_kind(path: Path) -> None:
    """Raise an error unless it is such a file, stored variant by variant."""
    with open(path, "rb") as file:
        header = file.read(HEADER)
    if header[:2] != MAGIC or header[2:] not in (b"\x00", b"\x01"):
        raise DataError(
            f"{str(path)!r} is not a .bed file of PLINK 1: it begins with "
            f"{header.hex(' ') or 'nothing'} instead of 6c 1b 01. Files of genomic intervals have "
            "the same extension but no genotypes. Convert a VCF file with plink2 --make-bed."
        )
    if header[2:] == b"\x00":
        raise DataError(
            f"{str(path)!r} is stored sample by sample, as by old versions of PLINK. Convert it "
            "with plink --bfile OLD --make-bed --out NEW."
        )


def _check_size(path: Path, n_variants: int, n_samples: int) -> None:
    """Raise an error if the size does not match ``.bim`` and ``.fam``."""
    if not n_variants or not n_samples:
        raise DataError(
            f"{str(path)!r} has {counted(n_variants, 'variant')} in .bim and "
            f"{counted(n_samples, 'sample')} in .fam. At least one of each was expected."
        )
    size, expected = path.stat().st_size, HEADER + n_variants * _bytes_of(n_samples)
    if size != expected:
        raise DataError(
            f"{str(path)!r} has {size:,} bytes, but {expected:,} were expected for "
            f"{counted(n_variants, 'variant')} in .bim and {counted(n_samples, 'sample')} in .fam. "
            "The file is truncated, or the three files do not belong together."
        )


def _dropped(names: StoredNames, options: ReadOptions) -> np.ndarray:
    """Return which variants ``drop`` leaves out."""
    dropped = np.zeros(len(names), bool)
    for name in columns_named(options.drop, names):
        if name not in names:
            near = names[: min(len(names), 1000)]
            raise UsageError(f"{unknown_name('variant', name, near)} It is listed in `drop`.")
        dropped[names.index(name)] = True
    if dropped.all():
        raise DataError("No variants are left: `drop` lists them all.")
    return dropped


def _labels(path: Path, fam: Path, options: ReadOptions) -> Path | str | None:
    """Return where the labels are: a file, a column of .fam, or nowhere."""
    if options.labels is not None:
        return options.labels.absolute()
    if options.target is None:
        return "phenotype" if plink.has_phenotype(fam) else None
    if options.target in plink.SAMPLES:
        return options.target
    file = find_label_file(options.target, path)
    return plink.known_column(options.target) if file is None else file.absolute()
