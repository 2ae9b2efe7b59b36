"""Draw the README's picture. Run by: make docs."""

from pathlib import Path

import numpy as np

import featrank
from featrank.plots import save
from featrank.plots.style import ACCENT, COLOURS, PALE, blank, legend, title, without_frame

IMAGE = Path(__file__).parent / "images" / "ecfs.png"
LOOKS = {
    "noise": ("noise genes", PALE),
    "correlated": ("genes in their modules", COLOURS[1]),
    "informative": ("planted", ACCENT),
}


def main() -> None:
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
    save(figure, IMAGE)


if __name__ == "__main__":
    main()
