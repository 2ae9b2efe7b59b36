"""GenePattern class files (``.cls``): one class per sample, in the order of the samples."""

from __future__ import annotations

from pathlib import Path

from featrank.exceptions import DataError


def read_class_file(path: Path, n_samples: int) -> list[str]:
    """Return the class name of each sample.

    The first line holds the number of samples and of classes, the second line the class names, and
    the third line one code or name per sample. By GenePattern's rule, the first code in the third
    line belongs to the first class name, whatever the code is.
    """
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    lines = [line.strip() for line in lines if line.strip()]
    if len(lines) != 3 or not lines[1].startswith("#"):
        raise DataError(
            f"{str(path)!r} is not a GenePattern class file. It needs three lines: sizes, class "
            "names after '#', and one class per sample."
        )
    names, codes = lines[1].removeprefix("#").split(), lines[2].split()
    _check_sizes(path, lines[0].split(), n_samples, names, codes)
    if {*codes} <= {*names}:
        return codes
    named = dict(zip(dict.fromkeys(codes), names, strict=False))
    return [named[code] for code in codes]


def _check_sizes(
    path: Path, sizes: list[str], n_samples: int, names: list[str], codes: list[str]
) -> None:
    if len(codes) != n_samples:
        raise DataError(
            f"{str(path)!r} has classes of {len(codes)} samples, but the table has {n_samples} "
            "samples. Give the class file of this table."
        )
    expected = [str(len(codes)), str(len(names))]
    if sizes[:2] != expected or not len({*codes}) <= len(names):
        raise DataError(
            f"{str(path)!r} is inconsistent: line 1 is {' '.join(sizes)!r}, line 2 has "
            f"{len(names)} class names, and line 3 has {len(codes)} samples of {len({*codes})} "
            "classes. Correct the file."
        )
