"""Draw the pictures of the README and of the page for biologists. Run by: make docs."""

import tempfile
import warnings
from pathlib import Path

import numpy as np

import featrank
from featrank.plots import save
from featrank.plots.style import ACCENT, COLOURS, PALE, blank, legend, title, without_frame

IMAGES = Path(__file__).parent / "images"
LOOKS = {
    "noise": ("noise genes", PALE),
    "correlated": ("genes in their modules", COLOURS[1]),
    "informative": ("planted", ACCENT),
}


def main() -> None:
    """Draw every picture."""
    relevance_and_spread()
    best_genes()


def relevance_and_spread() -> None:
    """Plot relevance and spread of simulated genes, and the scores that EC-FS makes of them."""
    data = featrank.datasets.make_microarray(n_features=2000, random_state=0)
    ranker = featrank.ECFS().fit(data.X, data.y)
    figure = blank(8.4, 3.4)
    left, right = figure.subplots(1, 2)
    for axes in (left, right):
        without_frame(axes)
    dots = []
    for kind, (_, colour) in LOOKS.items():
        genes = np.asarray(data.truth[kind])
        style = {"s": 8 if kind == "noise" else 14, "color": colour, "linewidths": 0}
        dots.append(left.scatter(ranker.spread_[genes], ranker.fisher_[genes], **style))
        right.scatter(ranker.ranking_[genes], ranker.scores_[genes], **style)
    left.set(xlabel="spread σ", ylabel="Fisher score f")
    right.set(xlabel="rank", ylabel="centrality", xscale="log")
    title(left, "2,000 simulated genes, 100 samples")
    title(right, "EC-FS ranks them")
    labels = [label for label, _ in LOOKS.values()]
    legend(figure, dots, labels, loc="outside lower center", ncols=len(labels))
    save(figure, IMAGES / "ecfs.png")


def best_genes() -> None:
    """Plot the best genes of the study that the page for biologists goes through."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # The page tells that some samples do not match.
        warnings.simplefilter("ignore", featrank.exceptions.FeatrankWarning)
        files = featrank.datasets.write_study(folder)
        ranking = featrank.rank_file(
            files["expression"],
            "diagnosis",
            top=20,
            transpose=True,
            names="Gene Symbol",
            duplicates="mean",
            labels=files["clinical"],
            labels_key="sample_id",
            alpha=1,
        )
        save(ranking.plot(12), IMAGES / "biologists.png")


if __name__ == "__main__":
    main()
