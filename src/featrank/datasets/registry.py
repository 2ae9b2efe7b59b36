"""The data sets of the EC-FS paper: descriptions, addresses and checksums."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Source:
    """A public data set.

    Attributes
    ----------
    name, description, citation, licence : str
        The data set, its authors, and its terms of use.
    shape : tuple of int
        Samples and features.
    classes : mapping from label to int
        The size of each class. If `values_sha256` is known, the classes are in the order of their
        first rows.
    paper_shape : tuple of int, optional
        Samples and features in Table 1 of the paper. None for data sets that it does not use.
    openml : int, optional
        Its ID at OpenML.
    matrix_url : str, optional
        The address of a CSV matrix of features × samples, with the samples sorted by class.
    file_sha256 : str, optional
        The checksum of a correct NPZ file.
    values_sha256 : str, optional
        The result of `featrank.datasets.checks.values_checksum`.
    total : int, optional
        The sum of all values, if no better checksum is known.
    """

    name: str
    description: str
    citation: str
    licence: str
    shape: tuple[int, int]
    classes: Mapping[str | int, int]
    paper_shape: tuple[int, int] | None = None
    openml: int | None = None
    matrix_url: str | None = None
    file_sha256: str | None = None
    values_sha256: str | None = None
    total: int | None = None

    @property
    def address(self) -> str | None:
        """The public address, or None if there is none."""
        if self.openml is not None:
            return f"https://www.openml.org/d/{self.openml}"
        return self.matrix_url


def _source(name: str, entry: dict[str, Any]) -> Source:
    shapes: dict[str, Any] = {
        key: tuple(entry[key]) for key in ("shape", "paper_shape") if key in entry
    }
    return Source(name=name, **entry | shapes | {"classes": dict(entry["classes"])})


_CONTENT = files(__package__).joinpath("registry.toml").read_text(encoding="utf-8")
REGISTRY = {name: _source(name, entry) for name, entry in tomllib.loads(_CONTENT).items()}
