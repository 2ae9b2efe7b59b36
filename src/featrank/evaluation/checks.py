"""Checks against misleading results: small classes, duplicate rows, constant features, groups."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank._utils.warn import warn_user
from featrank.exceptions import DataError
from featrank.ranking.warnings import batch_is_class, batch_is_target
from featrank.values.classes import count_labels

# Two training rows, for two inner folds, and one test row.
LEAST_PER_CLASS = 3
# Two training rows in each of two inner folds, and a test row.
LEAST_FOR_REGRESSION = 5


def warn_small_classes(y: Any, n_folds: int, *, lowered: bool = False) -> None:
    """Warn if a class has fewer samples than there are folds.

    Set ``lowered`` for cross-validation that uses fewer folds in that case, but at least two.
    """
    classes, counts = count_labels(y)
    small = [f"{c!s} ({n})" for c, n in zip(classes, counts, strict=True) if n < n_folds]
    if not small:
        return
    fewest = int(counts.min())
    outcome, fix = "Some folds do not contain them.", "Merge or drop small classes."
    if lowered and fewest > 1:
        outcome = f"Tuning uses {fewest} folds instead of {n_folds}."
    elif fewest > 1:
        fix = f"Use `cv={fewest}`."
    warn_user(
        f"Classes with fewer than {n_folds} samples ({len(small)} of {len(classes)}): "
        f"{_some(small)}. {outcome} {fix}"
    )


def warn_unsupported(k: int, X: Any) -> None:
    """Warn if k is larger than the number of features that vary in the training rows X."""
    varying = count_varying(X)
    if k > varying:
        warn_user(
            f"`n_features={k}` is more than the {varying} features that vary in the {X.shape[0]} "
            "training rows. Constant features carry no information. "
            f"Use `n_features={max(1, varying)}` or fewer."
        )


def warn_duplicate_rows(rows: NDArray[np.int64], train: Any, test: Any) -> None:
    """Warn if test rows are duplicates of training rows.

    ``rows`` is the result of :func:`row_numbers` for all rows.
    """
    duplicate = np.isin(rows[test], rows[train])
    if duplicate.any():
        warn_user(
            f"Duplicates of training rows among the test rows ({duplicate.sum()} of "
            f"{len(duplicate)}) make the scores too optimistic. Drop the duplicates, or keep them "
            "together with `groups=...`.",
            "serious",
        )


def require_varying(X: NDArray[Any]) -> None:
    """Raise an error if all features are constant; warn if there is only one feature."""
    if count_varying(X) == 0:
        raise DataError(
            f"All {X.shape[1]} features are constant, so no method can rank them. Check that the "
            "table contains the measured values."
        )
    if X.shape[1] == 1:
        warn_user("There is only one feature, so all methods have the same scores. Add features.")


def require_testable_classes(codes: NDArray[np.intp], names: Sequence[str]) -> None:
    """Raise an error unless two classes have enough samples to train, tune and test."""
    sizes = np.bincount(codes)
    small = [
        f"{name!r} ({size})"
        for name, size in zip(names, sizes, strict=True)
        if size < LEAST_PER_CLASS
    ]
    if len(sizes) - len(small) < 2:
        raise DataError(
            f"Too few samples per class: {_some(small)}. At least two classes need "
            f"{LEAST_PER_CLASS} samples each, two for training and one for testing. Add samples, "
            "or merge classes."
        )


def require_testable_target(y: NDArray[Any]) -> None:
    """Raise an error if a numeric target has too few values to train, tune and test."""
    if len(y) < LEAST_FOR_REGRESSION:
        raise DataError(
            f"Too few samples: {len(y)}. A comparison for regression needs at least "
            f"{LEAST_FOR_REGRESSION}. Add samples."
        )


def require_classes_in_groups(
    codes: NDArray[np.intp], groups: NDArray[Any], names: Sequence[str]
) -> None:
    """Reject classes that occur in a single group; warn if other classes can be scored.

    Splits keep groups together, so such a class is never on both sides. ``names`` are the names
    of the classes.
    """
    single = [c for c in range(len(names)) if len(np.unique(groups[codes == c])) == 1]
    if not single:
        return
    outcome = "No method can be scored" if len(names) == 2 else "These classes are not scored"
    message = (
        f"Of {len(names)} classes, {len(single)} occur in a single group: "
        f"{_some([repr(names[c]) for c in single])}. {outcome}, because a group is never in both "
        "training and test rows. Add samples from other groups."
    )
    if len(names) == 2 or len(single) == len(names):
        raise DataError(message)
    warn_user(message)


def warn_confounded_groups(y: NDArray[Any], groups: Any, *, is_regression: bool) -> None:
    """Warn if a few groups, such as batches, nearly determine the target."""
    message = (batch_is_target if is_regression else batch_is_class)(y, groups)
    if message is not None:
        warn_user(message, "serious")


def warn_repeated_splits(different: int, trials: int) -> None:
    """Warn if few groups allow only a few different splits, which the trials repeat."""
    if 2 * different <= trials:
        warn_user(
            f"There are few groups: only {different} of the {trials} trials are different splits. "
            "Repeated splits add no evidence, so p-values of differences between methods are too "
            f"small. Use `n_repeats={different}`."
        )


def count_varying(X: Any) -> int:
    """Return how many features of X are not constant, ignoring missing values.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.evaluation import count_varying
    >>> count_varying(np.array([[1.0, 2.0, np.nan], [1.0, 3.0, 5.0]]))
    1
    """
    if hasattr(X, "tocsc"):
        table = X.tocsc()
        lowest, highest = table.nanmin(axis=0).toarray(), table.nanmax(axis=0).toarray()
    else:
        table = np.asarray(X)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
            lowest, highest = np.nanmin(table, axis=0), np.nanmax(table, axis=0)
    return int(np.count_nonzero(lowest < highest))


def row_numbers(X: Any) -> NDArray[np.int64]:
    """Return a number for each row of X, the same for rows of equal values.

    Used as groups, they keep duplicate rows on one side of a split.

    Examples
    --------
    >>> import numpy as np
    >>> from featrank.evaluation import row_numbers
    >>> row_numbers(np.array([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])).tolist()
    [0, 1, 0]
    """
    seen: dict[bytes, int] = {}
    # Digests, because the rows themselves would be a second copy of X.
    digests = (blake2b(row, digest_size=16).digest() for row in _row_bytes(X))
    numbers = [seen.setdefault(digest, len(seen)) for digest in digests]
    return np.array(numbers, dtype=np.int64)


def _row_bytes(X: Any) -> Iterator[bytes]:
    if hasattr(X, "tocsr"):
        table = X.tocsr(copy=True)
        table.sum_duplicates()
        table.eliminate_zeros()
        for start, end in zip(table.indptr[:-1], table.indptr[1:], strict=True):
            yield table.indices[start:end].tobytes() + b"|" + table.data[start:end].tobytes()
        return
    for row in np.asarray(X):
        yield (row + 0).tobytes()  # -0.0 becomes 0.0


def _some(names: list[str], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
