"""The published figures: complete, as printed, and consistent but for what the notes list."""

import numpy as np
import pytest

from featrank.base.registry import methods
from featrank.datasets import REGISTRY
from featrank.reproduction import published
from featrank.reproduction.experiments import CHALLENGE, MICROARRAY

TABLES = {"table3": MICROARRAY.datasets, "table4": CHALLENGE.datasets}
ROWS = [
    (table, dataset, method)
    for table, datasets in TABLES.items()
    for dataset in datasets
    for method in published.METHODS
]


def listed(*kinds):
    return {(n.table, n.dataset, n.method): n for n in published.notes() if n.kind in kinds}


def test_every_table_has_every_method_and_no_other():
    assert set(published.METHODS) < set(methods())
    for datasets in TABLES.values():
        for dataset in datasets:
            assert list(published.areas(dataset)) == list(published.METHODS)
    assert published.areas("gina_like_mnist") == {}


@pytest.mark.parametrize(("table", "dataset", "method"), ROWS)
def test_averages_are_means_of_the_cells_but_for_the_notes(table, dataset, method):
    row = published.areas(dataset)[method]
    mean = np.mean([row[str(k)] for k in published.FEATURES])
    unit = {"table3": 0.01, "table4": 0.1}[table]
    off = abs(row["average"] - mean)
    note = listed("rounding", "misprint").get((table, dataset, method))
    assert (note is None) == (off <= unit / 2 + 1e-9)
    if note is not None:
        # One unit if the average is cut off, half a unit more since the cells are rounded.
        assert (note.kind == "misprint") == (off > 1.5 * unit + 1e-9)
        assert float(note.printed) == row["average"]
        assert float(note.recomputed) == pytest.approx(mean, abs=1e-9)


def test_rows_that_repeat_another_are_noted():
    scores = {row: tuple(list(published.areas(row[1])[row[2]].values())[:-1]) for row in ROWS}
    twice = {
        row
        for number, row in enumerate(ROWS)
        for other in ROWS[:number]
        if scores[row] == scores[other]
    }
    assert twice == set(listed("repeated"))


@pytest.mark.parametrize("features", published.VOC_FEATURES)
def test_voc_has_twenty_classes_and_their_mean(features):
    table = published.precisions(features)
    *classes, last = table
    assert (len(classes), last) == (20, "mean")
    assert classes == sorted(classes)
    for method in published.METHODS:
        mean = np.mean([table[name][method] for name in classes])
        assert table["mean"][method] == pytest.approx(mean, abs=0.005 + 1e-9)


def test_some_figures_as_printed():
    assert published.areas("colon")["ec-fs"] == {
        "50": 91.40, "100": 91.10, "150": 91.11, "200": 90.63, "average": 91.06, "seconds": 0.45
    }  # fmt: skip
    assert published.areas("madelon")["svm-rfe"]["seconds"] == 50163
    assert published.areas("lymphoma")["fisher"]["200"] == 100
    assert published.precisions(256)["aeroplane"]["inf-fs"] == 91.16
    assert published.precisions(128)["tvmonitor"]["relieff"] == 24.96


def test_table_1_has_the_sizes_of_the_registry():
    thousands = {"2K": 2000, "4.4K": 4400}
    for row in published.read("table1"):
        if row["name"] != "voc2007":
            sizes = tuple(
                thousands.get(row[key]) or int(row[key]) for key in ("samples", "features")
            )
            assert REGISTRY[row["name"]].paper_shape == sizes
