"""PLINK 1's genotypes: ``.bed``, with the variants in ``.bim`` and the samples in ``.fam``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from featrank.tables.format import Format

if TYPE_CHECKING:
    from featrank.sources.source import Source
    from featrank.tables.options import ReadOptions

FORMAT = Format(
    names=("PLINK 1 bed",),
    suffixes=(".bed",),
    target="a column of .fam (phenotype, sex, family) or a label file",
    labels="the phenotype of .fam",
)


def open(path: Path, options: ReadOptions) -> Source:
    """Open the three files. Genotypes are read in chunks."""
    from featrank.sources.bed_files import BedSource

    return BedSource(path, options)
