"""What a ranking knows of the file that it is of, besides the data itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from featrank.statistics.feature_tests import Values


@dataclass(frozen=True, eq=False)
class Provenance:
    """What a ranking knows of the file that it is of.

    Attributes
    ----------
    symbols : sequence of str or None
        A second name of each feature.
    samples : mapping of str to sequence
        Ids of the samples and columns that were asked to be kept, one value a sample.
    prepared : mapping
        What was done to the values before they were ranked, such as a transform.
    notes : tuple of str
        Sentences on what was made of the file.
    values : {"auto", "log2", "log1p", "ln", "linear", "none"}
        What the values are, as far as that tells; for fold changes.
    """

    symbols: Sequence[str] | None = None
    samples: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    prepared: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    values: Values = "auto"
