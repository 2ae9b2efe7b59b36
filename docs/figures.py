"""Draw the pictures of the README, and of the pages for biologists and on single cells.

Run by: make docs.
"""

import tempfile
import warnings
from pathlib import Path
from typing import Any

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
    single_cells()


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
        files = featrank.datasets.make_geo_study(folder)
        ranking = featrank.rank_file(
            files["expression"],
            "diagnosis",
            top=20,
            transpose=True,
            names="Gene Symbol",
            duplicates="mean",
            labels=files["clinical"],
            id_column="sample_id",
            alpha=1,
        )
        save(ranking.plot(12), IMAGES / "biologists.png")


def single_cells() -> None:
    """Plot the markers that ``rank_genes`` finds in scanpy's blood cells, by scanpy's own plot."""
    import scanpy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of old files, which scanpy reads
        adata = scanpy.datasets.pbmc68k_reduced()
    featrank.anndata.rank_genes(adata, "bulk_labels")
    dots: Any = scanpy.pl.rank_genes_groups_dotplot(
        adata,
        key="featrank",
        n_genes=3,
        dendrogram=False,
        standard_scale="var",
        var_group_rotation=35,
        show=False,
        return_fig=True,
    )
    dots.style(cmap="Blues", dot_edge_lw=0).legend(
        width=1.7, colorbar_title="Mean expression,\n0 to 1 a gene"
    )
    dots.make_figure()
    for label in dots.fig.axes[1].texts:
        label.set(ha="left", rotation_mode="anchor")
    # save() would cut the names at the edges off: scanpy leaves no room for them.
    unstamped = {"Software": None}
    dots.fig.savefig(IMAGES / "single-cell.png", dpi=110, bbox_inches="tight", metadata=unstamped)


if __name__ == "__main__":
    main()
