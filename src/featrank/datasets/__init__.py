"""Data sets to try methods on: real ones by name, made ones whose useful features are known.

``load`` gives a data set by name; ``make_madelon``, ``make_microarray`` and ``make_counts`` make
one; ``write_study`` writes files of a made study as biologists hold them; ``fetch`` finds or
downloads those of the EC-FS paper and verifies them; ``table`` lists them all, and ``facts`` tells
what is known of one.
"""

from featrank.datasets.bundled import BUNDLED, load_bundled
from featrank.datasets.counts import make_counts
from featrank.datasets.dataset import Dataset
from featrank.datasets.fetching import fetch
from featrank.datasets.listing import facts, table
from featrank.datasets.registry import REGISTRY, Source
from featrank.datasets.study import write_study
from featrank.datasets.synthetic import make_madelon, make_microarray
from featrank.exceptions import UsageError, unknown_name

__all__ = [
    "REGISTRY",
    "Dataset",
    "Source",
    "facts",
    "fetch",
    "load",
    "make_counts",
    "make_madelon",
    "make_microarray",
    "names",
    "table",
    "write_study",
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
