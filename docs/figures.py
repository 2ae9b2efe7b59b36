"""Draw the README's picture. Run by: make docs."""

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

import featrank

matplotlib.use("Agg")
IMAGE = Path(__file__).parent / "images" / "ecfs.png"
COLOURS = {"noise": "#b8bcc4", "correlated": "#4c8bb5", "informative": "#d1495b"}
LABELS = {"noise": "noise genes", "correlated": "genes in their modules", "informative": "planted"}


def main() -> None:
    """Plot relevance and spread of simulated genes, and the scores that EC-FS makes of them."""
    data = featrank.datasets.make_microarray(n_features=2000, random_state=0)
    ranker = featrank.ECFS().fit(data.X, data.y)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained")
    for kind, colour in COLOURS.items():
        genes = np.asarray(data.truth[kind])
        style = {"s": 9 if kind == "noise" else 16, "color": colour, "linewidths": 0}
        left.scatter(ranker.spread_[genes], ranker.fisher_[genes], label=LABELS[kind], **style)
        right.scatter(ranker.ranking_[genes], ranker.scores_[genes], **style)
    left.set(xlabel="spread σ", ylabel="Fisher score f", title="2,000 simulated genes, 100 samples")
    right.set(xlabel="rank", ylabel="centrality", title="EC-FS ranks them")
    right.set_xscale("log")
    left.legend(frameon=False)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGE, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
