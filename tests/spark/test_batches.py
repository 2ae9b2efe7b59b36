"""Blocks of Arrow's batches, without Spark: bounded in bytes, and right where batches are cut."""

import numpy as np
import pyarrow as pa
import pytest

from featrank.engines.spark_batches import Layout, blocks, partition_state
from featrank.exceptions import DataError

N_ROWS, N_FEATURES = 40, 6


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_FEATURES)) * (rng.random((N_ROWS, N_FEATURES)) < 0.5)
    return X, np.arange(N_ROWS) % 3


def vector(values, number):
    """Return a cell as Spark holds vectors of ML."""
    if number % 2:
        return {"type": 1, "size": None, "indices": None, "values": values.tolist()}
    places = np.flatnonzero(values)
    cell = {"type": 0, "size": len(values), "indices": places.tolist()}
    return cell | {"values": values[places].tolist()}


VECTOR = pa.struct(
    [
        ("type", pa.int8()),
        ("size", pa.int32()),
        ("indices", pa.list_(pa.int32())),
        ("values", pa.list_(pa.float64())),
    ]
)


def batch_of(kind, X, y):
    labels = pa.array(y)
    if kind == "columns":
        return pa.record_batch([*map(pa.array, X.T), labels], [*map(str, range(len(X.T))), "y"])
    if kind == "array":
        return pa.record_batch([pa.array(X.tolist()), labels], ["x", "y"])
    cells = [vector(row, 1 if "dense" in kind else number) for number, row in enumerate(X)]
    return pa.record_batch([pa.array(cells, VECTOR), labels], ["x", "y"])


@pytest.mark.parametrize("kind", ["columns", "array", "vector", "dense vector"])
@pytest.mark.parametrize("most_bytes", [1, 500, 10**6])
def test_blocks_hold_the_rows_in_bounded_bytes(rows, kind, most_bytes):
    X, y = rows
    batch = batch_of(kind, X, y).slice(3)  # batches may begin anywhere in their memory
    layout = Layout(kind.split()[-1], N_FEATURES, "float64", "x", "y")
    found = list(blocks(batch, layout, most_bytes))
    dense = [block if isinstance(block, np.ndarray) else block.toarray() for block, _ in found]
    np.testing.assert_array_equal(np.vstack(dense), X[3:])
    np.testing.assert_array_equal(np.concatenate([labels for _, labels in found]), y[3:])
    assert max(len(block) for block in dense) <= max(1, most_bytes // (8 * N_FEATURES) * 3)
    assert len(found) == 1 or most_bytes < 10**6


@pytest.mark.parametrize(
    ("cells", "labels", "message"),
    [
        ([[1.0, 2.0], [3.0, 4.0]], ["a", None], "label 'y' is missing in some rows"),
        ([[1.0, 2.0], None], ["a", "b"], "column 'x' is missing in some rows"),
        ([[1.0, 2.0], [3.0]], ["a", "b"], "2 features in the first row and 1 in another"),
    ],
)
def test_rows_that_lack_something_are_reported(cells, labels, message):
    batch = pa.record_batch([pa.array(cells), pa.array(labels)], ["x", "y"])
    layout = Layout("array", 2, "float64", "x", "y")
    with pytest.raises(DataError, match=message):
        list(blocks(batch, layout))
    [cell] = partition_state([batch], layout, lambda X, y: None)  # and it comes as a cell
    assert message in cell.to_pylist()[0]["error"]
