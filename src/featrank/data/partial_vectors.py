"""What methods want to know of all features, as it becomes known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from featrank._utils import serialise
from featrank.kernels import Floats

Vectors = dict[str, Floats]

KIND = "Vectors"


@dataclass
class PartialVectors:
    """The vectors of all features for each view of the rows, known up to ``stop``.

    Attributes
    ----------
    n_features : int
        Length of the vectors.
    views : list of dict of str to ndarray
        The vectors.
    stop : int
        Number of features whose values are known.
    """

    n_features: int
    views: list[Vectors] = field(default_factory=list)
    stop: int = 0

    def put(self, found: Sequence[Vectors], columns: slice) -> None:
        """Take what is known of some features, for each view."""
        self.views = self.views or [{} for _ in found]
        for whole, some in zip(self.views, found, strict=True):
            for name, values in some.items():
                whole.setdefault(name, np.empty(self.n_features))[columns] = values
        self.stop = max(self.stop, columns.stop)

    def to_bytes(self) -> bytes:
        """Return what is known."""
        arrays = {
            f"{view}/{name}": values[: self.stop]
            for view, vectors in enumerate(self.views)
            for name, values in vectors.items()
        }
        return serialise.pack(KIND, {"stop": self.stop, "views": len(self.views)}, arrays)

    def load(self, blob: bytes) -> None:
        """Take what ``to_bytes`` gave."""
        facts, arrays = serialise.unpack(blob, KIND)
        found: list[Vectors] = [{} for _ in range(facts["views"])]
        for key, values in arrays.items():
            view, name = key.split("/", 1)
            found[int(view)][name] = values
        self.put(found, slice(0, facts["stop"]))
