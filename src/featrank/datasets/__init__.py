"""Data sets to try methods on: real ones by name, and simulated ones with known useful features.

``load`` returns a data set by name. ``fetch`` finds or downloads a data set of the EC-FS paper and
verifies it. ``make_madelon``, ``make_microarray`` and ``make_counts`` simulate data, and
``make_geo_study`` writes the files of a simulated GEO study. ``table`` lists all data sets, and
``describe`` returns the facts about one.
"""

from featrank.datasets.bundled import BUNDLED, load_bundled
from featrank.datasets.counts import make_counts
from featrank.datasets.dataset import Dataset
from featrank.datasets.fetching import fetch
from featrank.datasets.listing import describe, table
from featrank.datasets.registry import REGISTRY, Source
from featrank.datasets.study import make_geo_study
from featrank.datasets.synthetic import make_madelon, make_microarray
from featrank.exceptions import UsageError, unknown_name

__all__ = [
    "REGISTRY",
    "Dataset",
    "Source",
    "describe",
    "fetch",
    "list_datasets",
    "load",
    "make_counts",
    "make_geo_study",
    "make_madelon",
    "make_microarray",
    "table",
]


def list_datasets() -> list[str]:
    """Return the names of the data sets that `load` accepts.

    Examples
    --------
    >>> list_datasets()[:4]
    ['breast-cancer', 'iris', 'wine', 'digits']
    """
    return [*BUNDLED, *REGISTRY]


def load(name: str) -> Dataset:
    """Return a data set by name, either from scikit-learn or from the EC-FS paper.

    Data sets of the paper are found locally or downloaded, see `fetch`.

    Examples
    --------
    >>> load("iris")
    <Dataset iris: 150 samples × 4 features, 3 classes>
    """
    if name in BUNDLED:
        return load_bundled(name)
    if name in REGISTRY:
        return fetch(name)
    raise UsageError(unknown_name("data set", name, list_datasets()))
