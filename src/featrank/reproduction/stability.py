"""The stability plot of the paper: Kuncheva's index by number of features."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import MissingExtraError
from featrank.reproduction.methods import TOOLBOX
from featrank.reproduction.published import METHODS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from featrank.evaluation import Comparison
    from featrank.reproduction.experiments import Reproduction

__all__ = ["write_stability"]

#: The numbers of features of the plot, 10 to 200.
KS = tuple(range(10, 201, 10))

Curves = dict[str, NDArray[np.float64]]


def curves(comparison: Comparison) -> Curves:
    """Return Kuncheva's index at each of KS, for methods with two finished trials or more."""
    from featrank.statistics import stability_curve

    rankings = comparison.rankings
    return {
        label: stability_curve(rankings[label], KS)
        for label in comparison.methods
        if len(rankings[label]) > 1
    }


def as_rows(sets: Mapping[str, Curves]) -> list[dict[str, Any]]:
    """Return the curves of several data sets as one dict per point."""
    return [
        {"dataset": dataset, "method": method, "k": k, "kuncheva": float(value)}
        for dataset, by_method in sets.items()
        for method, values in by_method.items()
        for k, value in zip(KS, values, strict=True)
    ]


def draw_curves(sets: Mapping[str, Curves]) -> Figure:
    """Draw the curves of each data set: EC-FS on top, methods not in the paper dashed."""
    from featrank.plots import stability_panels_figure

    methods = {method for by_method in sets.values() for method in by_method}
    return stability_panels_figure(
        sets,
        KS,
        measure="Kuncheva's index",
        leading=("ec-fs", TOOLBOX),
        dashed=methods - METHODS.keys(),
    )


def write_stability(done: Reproduction, folder: str | os.PathLike[str]) -> list[str]:
    """Write ``stability.csv`` and, with the extra 'plot', ``stability.png`` to a folder.

    Nothing is written for a leaky run, whose rankings are the same in every trial.

    Returns
    -------
    notes : list of str
        Sentences about missing files.
    """
    from featrank.plots import save

    if done.leaky:
        return []
    sets = {name: curves(comparison) for name, comparison in done.comparisons.items()}
    write_csv(Path(folder) / "stability.csv", sets)
    if not any(sets.values()):
        return ["Stability needs two trials, so featrank does not plot it."]
    try:
        save(draw_curves(sets), Path(folder) / "stability.png")
    except MissingExtraError as error:
        return [f"stability.png is missing. {error}"]
    return []


def write_csv(path: Path, sets: Mapping[str, Curves]) -> None:
    """Write the curves as a table: dataset, method, k, kuncheva."""
    import csv

    from featrank._utils.atomic_files import replacing

    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["dataset", "method", "k", "kuncheva"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(as_rows(sets))
