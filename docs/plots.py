"""Draw the plots of the README and of the pages for biologists and on single cells.

Run by: make docs.
"""

import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import featrank
from featrank.evaluation import Protocol, compare
from featrank.plots import save
from featrank.plots.style import ACCENT, COLOURS, INK, PALE, blank, legend, title, without_frame

IMAGES = Path(__file__).parent / "images"
LOOKS = {
    "noise": ("noise", PALE),
    "correlated": ("correlated with a planted gene", COLOURS[1]),
    "informative": ("planted: differs between the classes", ACCENT),
}
SHOWN = 50
COUNTS = (2, 5, 10, 20, 50, 100, 200)


def main() -> None:
    """Draw every picture."""
    trust()
    best_genes()
    single_cells()


def trust() -> None:
    """Plot the best genes of a simulated study, and how well they predict held-out samples."""
    data = featrank.datasets.make_microarray(
        80, 2000, n_informative=20, n_correlated=30, effect=1.0, correlation=0.5, random_state=0
    )
    ranking = featrank.rank(data.X, data.y)
    protocol = Protocol(n_repeats=20, n_features=COUNTS, C=(0.001, 0.01, 0.1, 1))
    comparison = compare(data.X, data.y, ["ec-fs"], protocol)
    fig = blank(9.6, 3.7)
    left, right = fig.subplots(1, 2)
    for axes in (left, right):
        without_frame(axes)
    dots = _scores_by_truth(left, ranking, data.truth)
    _held_out_scores(right, comparison)
    labels = [label for label, _ in LOOKS.values()]
    legend(fig, dots, labels, loc="outside lower center", ncols=len(labels))
    save(fig, IMAGES / "trust.png")


def _scores_by_truth(axes: Any, ranking: Any, truth: Any) -> list[Any]:
    """Draw the scores of the best genes, coloured by what they are."""
    planted = {*truth["informative"], *truth["correlated"]}
    hits = len(planted & {*ranking.order[:20]})
    dots = []
    for kind, (_, colour) in LOOKS.items():
        ranks = np.flatnonzero(np.isin(ranking.order[:SHOWN], truth[kind]))
        scores = ranking.scores[ranking.order[ranks]]
        dots.append(axes.scatter(ranks + 1, scores, s=26, color=colour, linewidths=0))
    axes.axvline(20.5, color=PALE, linewidth=1, zorder=0)
    axes.set(xlabel="rank", ylabel="EC-FS score", ylim=(0, None))
    title(axes, f"{hits} of the top 20 genes are planted or correlated")
    return dots


def _held_out_scores(axes: Any, comparison: Any) -> None:
    """Draw the AUC on held-out samples for the best genes and for random ones."""
    rows = {"top genes of EC-FS": comparison.table()[0], "random genes": comparison.baseline_row()}
    for (label, row), colour in zip(rows.items(), (ACCENT, INK), strict=True):
        values = [row[count] for count in COUNTS]
        axes.plot(COUNTS, values, marker="o", markersize=4, color=colour)
        axes.annotate(
            label, (COUNTS[3], values[3]), (0, -18), textcoords="offset points", color=colour
        )
    axes.set(xscale="log", ylim=(0.45, 1.0), xlabel="number of genes", ylabel="mean AUC")
    axes.set_xticks(COUNTS, COUNTS)
    axes.minorticks_off()
    title(axes, "AUC on held-out samples, 20 random splits")


def best_genes() -> None:
    """Plot the best genes of the study that the page for biologists goes through."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # The page shows the warning about samples that do not match.
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
        warnings.simplefilter("ignore")  # scanpy warns about old files
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
        width=1.7, colorbar_title="Mean expression,\n0 to 1 per gene"
    )
    dots.make_figure()
    for label in dots.fig.axes[1].texts:
        label.set(ha="left", rotation_mode="anchor")
    # save() would truncate the names at the edges: scanpy leaves no room for them.
    unstamped = {"Software": None}
    dots.fig.savefig(IMAGES / "single-cell.png", dpi=110, bbox_inches="tight", metadata=unstamped)


if __name__ == "__main__":
    main()
