"""Data sets to try methods on: real ones by name, made ones whose useful features are known.

``load`` gives a data set by name; ``make_madelon``, ``make_microarray`` and ``make_counts`` make
one; ``fetch`` finds or downloads those of the EC-FS paper and verifies them.
"""

from featrank.exceptions import UsageError, unknown_name

from .bundled import BUNDLED, load_bundled
from .counts import make_counts
from .dataset import Dataset
from .fetching import fetch
from .places import find
from .registry import REGISTRY, Source
from .synthetic import make_madelon, make_microarray

__all__ = [
    "REGISTRY",
    "Dataset",
    "Source",
    "fetch",
    "load",
    "make_counts",
    "make_madelon",
    "make_microarray",
    "names",
    "table",
]


def names() -> list[str]:
    """Return the names that `load` knows.

    Examples
    --------
    >>> names()[:4]
    ['breast-cancer', 'iris', 'wine', 'digits']
    """
    return [*BUNDLED, *REGISTRY]


def load(name: str) -> Dataset:
    """Return a data set by name: one that comes with scikit-learn, or one of the paper's.

    The paper's sets are found or downloaded as `fetch` describes.

    Examples
    --------
    >>> load("iris")
    <Dataset iris: 150 samples × 4 features, 3 classes>
    """
    if name in BUNDLED:
        return load_bundled(name)
    if name in REGISTRY:
        return fetch(name)
    raise UsageError(unknown_name("data set", name, names()))


def table() -> list[dict[str, object]]:
    """Return what is known of the paper's data sets, one dict a set.

    ``found`` is the path of its file on this computer, not yet verified, or None. The sizes that
    the paper's Table 1 gives are in ``paper_samples`` and ``paper_features``; both are None for a
    set that is not in it.
    """
    rows: list[dict[str, object]] = []
    for source in REGISTRY.values():
        path = find(source.name)
        paper = source.paper_shape or (None, None)
        rows.append(
            {
                "name": source.name,
                "samples": source.shape[0],
                "classes": len(source.classes),
                "features": source.shape[1],
                "paper_samples": paper[0],
                "paper_features": paper[1],
                "found": None if path is None else str(path),
                "address": source.address,
            }
        )
    return rows
