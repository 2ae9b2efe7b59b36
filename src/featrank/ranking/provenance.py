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
    prepared : mapping
        How the values were prepared for the ranking, such as a transform.
    notes : tuple of str
        Sentences on how the file was read.
    values : str
        The scale of the values for fold changes, or "auto" if it is unknown.
    """

    symbols: Sequence[str] | None = None
    samples: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    prepared: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    values: Values = "auto"
