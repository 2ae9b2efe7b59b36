"""The second part of the demo: five methods compared on made data, by honest trials."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .comparison_table import paper_table
from .messages import Messages

if TYPE_CHECKING:
    from featrank.datasets import Dataset
    from featrank.evaluation import Comparison

METHODS = ("ec-fs", "fisher", "mi", "laplacian", "relieff")
FEATURES = (10, 50, 100, 200)
TRIALS = 10


def compared(folder: Path) -> list[Any]:
    """Compare the methods, keep the results in a folder, and return what rich writes of it."""
    from rich.text import Text

    data = _made()
    start = perf_counter()
    comparison = _comparison(data, folder)
    seconds = perf_counter() - start
    shown = [Text(line) for line in _about(data, seconds)]
    return [*shown, *paper_table(comparison), Text(_next(folder))]


def _made() -> "Dataset":
    from featrank.datasets import make_microarray

    # Weak effects and few samples: what makes methods differ.
    return make_microarray(
        60, 2000, n_informative=10, n_correlated=20, effect=1.0, correlation=0.5, random_state=0
    )


def _comparison(data: "Dataset", folder: Path) -> "Comparison":
    from featrank.evaluation import Protocol, compare

    protocol = Protocol(trials=TRIALS, ks=FEATURES, C=(0.001, 0.01, 0.1, 1.0))
    with Messages(quiet=False).progress(f"Comparing {len(METHODS)} methods, {TRIALS} trials"):
        return compare(
            data.X, data.y, METHODS, protocol, dataset="demo", jobs=-1, out=folder, resume=True
        )


def _about(data: "Dataset", seconds: float) -> list[str]:
    samples, features = data.X.shape
    return [
        f"Which method ranks best? {samples} made samples, {features:,} genes, weak effects: "
        f"{len(METHODS)} methods, each",
        "ranked and tuned on two thirds of the samples and judged on the rest, "
        f"{TRIALS} times ({seconds:.0f} s).",
        "",
    ]


def _next(folder: Path) -> str:
    return (
        f"\nThe results are in {str(folder)!r}. Read them again:\n"
        f"  featrank stability {folder}\n"
        f"  featrank significance {folder}\n"
    )
