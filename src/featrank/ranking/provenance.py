"""Details of the file that was ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from featrank.statistics.feature_tests import Values


@dataclass(frozen=True, eq=False)
class Provenance:
    """Details of the file that was ranked.

    Attributes
    ----------
    symbols : sequence of str or None
        A second name of each feature.
    samples : mapping of str to sequence
        Ids of the samples and columns to copy to the output, one value per sample.
    preprocessing : mapping
        What was done to the values before the ranking: ``transform``, ``imputation``,
        ``duplicates`` and ``max_missing``, with the counts of ``Table.preprocessing``.
    notes : tuple of str
        Sentences on how the file was read.
    values : str
        The scale of the values for fold changes, or "auto" if it is unknown.
    file_format : str
        The format of the file, such as "CSV".
    target_name : str
        The name of the target in the file.
    """

    symbols: Sequence[str] | None = None
    samples: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    preprocessing: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    values: Values = "auto"
    file_format: str = ""
    target_name: str = ""
