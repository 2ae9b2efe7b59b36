"""What tests of sources share: parts put together, and read in another process."""

import pickle
import subprocess
import sys

import numpy as np
import scipy.sparse as sp


def dense(X):
    return X.toarray() if sp.issparse(X) else X


def together(source, most_bytes, columns=slice(None)):
    """Return X and y of the parts put together, each part being where it says it is."""
    start, stop, _ = columns.indices(source.shape[1])
    blocks, labels, done = [], [], 0
    for part in source.chunks(most_bytes, columns):
        block = part.read()
        assert block.X.shape[1] == part.columns.stop - part.columns.start
        place = part.rows if source.axis == "rows" else part.columns
        assert place.start == (done if source.axis == "rows" else start + done)
        done += place.stop - place.start
        assert (part.columns == slice(start, stop)) or source.axis == "columns"
        assert block.nbytes <= most_bytes or place.stop - place.start == 1
        assert block.y is None or len(block.y) == block.X.shape[0]
        blocks.append(dense(block.X))
        labels.append(block.y)
    X = np.concatenate(blocks, axis=0 if source.axis == "rows" else 1)
    if not source.labelled:
        assert all(one is None for one in labels)
        return X, None
    if source.axis == "columns":
        assert all(one.tolist() == labels[0].tolist() for one in labels)
        return X, labels[0]
    return X, np.array([label for one in labels for label in one.tolist()])


def assert_same(source, X, y=None):
    """Hold that parts of several sizes, of all columns and of some, are the table bit for bit."""
    X = dense(X)
    line = X.shape[1 if source.axis == "rows" else 0] * 8
    assert source.shape == X.shape
    assert len(source.names) == X.shape[1]
    for most_bytes, columns in (
        (1, slice(None)),
        (3 * line, slice(1, 3)),
        (3 * line, slice(-1, None)),
        (7 * line + 5, slice(None)),
        (10**9, slice(None)),
        (10**9, slice(1, 3)),
    ):
        if not X[:, columns].size:
            assert not list(source.chunks(most_bytes, columns))
            continue
        found, labels = together(source, most_bytes, columns)
        assert found.dtype == source.dtype
        # Bits, so that a NaN is one and -0.0 is not 0.0.
        assert found.astype(float).tobytes() == X[:, columns].astype(float).tobytes()
        assert y is None or labels.tolist() == list(y)


def elsewhere(parts):
    """Return the blocks that another process reads, as (X, y)."""
    code = (
        "import pickle, sys\n"
        "parts = pickle.load(sys.stdin.buffer)\n"
        "blocks = [part.read() for part in parts]\n"
        "pickle.dump([(block.X, block.y) for block in blocks], sys.stdout.buffer)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(parts), capture_output=True, check=True
    )
    return pickle.loads(run.stdout)
