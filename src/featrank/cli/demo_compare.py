"""The second part of the demo: five methods compared on made data, by honest trials."""

from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from featrank.cli.messages import Messages

if TYPE_CHECKING:
    from featrank.datasets import Dataset
    from featrank.evaluation import Comparison
    from featrank.report import Report

METHODS = ("ec-fs", "fisher", "mi", "laplacian", "relieff")
FEATURES = (10, 50, 100, 200)
TRIALS = 10
PAGE = "report.html"


def compared(folder: Path, messages: Messages) -> "Report":
    """Compare the methods, keep the results in a folder, and return what to show of it."""
    from featrank.report import Paragraph, comparison_html_report, comparison_report, write

    data = _made()
    start = perf_counter()
    with messages.progress(f"Comparing {len(METHODS)} methods, {TRIALS} trials"):
        comparison = _comparison(data, folder)
    about = Paragraph(_about(data, perf_counter() - start))
    report = comparison_report(comparison)
    write(comparison_html_report(comparison), "html", folder / PAGE)
    return replace(report, shown=[about, *report.shown, Paragraph(_next(folder))])


def _made() -> "Dataset":
    from featrank.datasets import make_microarray

    # Weak effects and few samples: what makes methods differ.
    return make_microarray(
        60, 2000, n_informative=10, n_correlated=20, effect=1.0, correlation=0.5, random_state=0
    )


def _comparison(data: "Dataset", folder: Path) -> "Comparison":
    from featrank.evaluation import Protocol, compare

    protocol = Protocol(n_repeats=TRIALS, n_features=FEATURES, C=(0.001, 0.01, 0.1, 1.0))
    return compare(
        data.X,
        data.y,
        METHODS,
        protocol,
        dataset="demo",
        feature_names=data.feature_names,
        n_jobs=-1,
        out_dir=folder,
        resume=True,
    )


def _about(data: "Dataset", seconds: float) -> str:
    samples, features = data.X.shape
    return (
        f"Which method ranks best? {samples} made samples, {features:,} genes, weak effects: "
        f"{len(METHODS)} methods, each\n"
        "ranked and tuned on two thirds of the samples and judged on the rest, "
        f"{TRIALS} times ({seconds:.0f} s).\n"
    )


def _next(folder: Path) -> str:
    return (
        f"\nThe results are in {str(folder)!r}. Read them again:\n"
        f"  featrank stability {folder}\n"
        f"  featrank significance {folder}\n"
        f"\nLook at them in a browser:\n  {folder / PAGE}\n"
    )
