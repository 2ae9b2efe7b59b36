"""Features next to their decoys: the same features with their rows in another order.

Decoys have the values of the features, and the correlations among them, but no information on the
target. The columns are shuffled, so that methods that break ties by column treat features and
decoys in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.data.matrix import Matrix
from featrank.data.protocol import Data, Fold, Rectangle, Relabelled, Vectors, View

Rows = NDArray[np.intp]


def permuted_rows(rng: np.random.Generator, n_rows: int, groups: Any = None) -> Rows:
    """Return a random order of the rows that keeps groups together.

    Groups of equal size change places as a whole. If sizes differ, the groups are put in random
    order, so that a few are split in two. The rows of each group are shuffled as well:
    without that, decoys would keep what the features know of a target that varies within groups,
    such as tumour and normal tissue of each patient.

    Examples
    --------
    >>> permuted_rows(np.random.default_rng(3), 6, ["a", "a", "b", "b", "c", "c"])
    array([5, 4, 2, 3, 1, 0])
    """
    if groups is None:
        return rng.permutation(n_rows)
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    within = rng.permutation(n_rows)
    places = within[np.argsort(codes[within], kind="stable")]
    shuffled = np.argsort(rng.permutation(codes.max() + 1)[codes], kind="stable")
    rows = np.empty(n_rows, dtype=np.intp)
    rows[places] = shuffled
    return rows


def copy_with_decoys(data: Matrix, rows: Rows, columns: Rows) -> Matrix:
    """Return the values of the features and of their decoys, for methods that need values."""
    X, decoys = data.X, data.X[rows]
    if isinstance(X, np.ndarray):
        both: Any = np.empty((len(X), 2 * X.shape[1]), dtype=X.dtype)
        both[:, columns[: X.shape[1]]] = X
        both[:, columns[X.shape[1] :]] = decoys
    else:
        from scipy.sparse import hstack

        both = hstack([X, decoys], format="csc")[:, np.argsort(columns)]
    return Matrix(both, data.y, data.n_classes, groups=data.groups)


def take_rows(data: Matrix, rows: Rows) -> Matrix:
    """Return some rows of a matrix, with their targets and groups."""
    groups = None if data.groups is None else np.asarray(data.groups)[rows]
    return Matrix(data.X[rows], data.y[rows], data.n_classes, groups=groups)


class WithDecoys(Data):
    """Every feature next to its decoy, for single-pass methods: nothing is copied.

    The vectors that describe the decoys are those of the features for a permuted target.

    Parameters
    ----------
    base : Data
        The features.
    rows : ndarray of shape (n_samples,)
        The row of the features from which each row of the decoys is taken.
    columns : ndarray of shape (2 * n_features,)
        The column of each feature, then of each decoy.
    """

    def __init__(self, base: Data, rows: Rows, columns: Rows):
        self.base, self.rows, self.columns_of = base, rows, columns
        self.y, self.strata = base.y, base.strata
        self._relabelled: dict[int | None, Relabelled] = {}

    @property
    def n_features(self) -> int:
        """Number of columns: features and decoys."""
        return 2 * self.base.n_features

    @property
    def once(self) -> str | None:
        """Why no folds can be read, or None."""
        return self.base.once

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values that ``columns`` returns."""
        return self.base.dtype

    def relabelled(self, view: View | None) -> Relabelled:
        """Return the view of the features' rows whose vectors are those of the decoys."""
        assert not isinstance(view, Relabelled)
        key = None if view is None else id(view)
        if key not in self._relabelled:
            self._relabelled[key] = Relabelled(self.rows, view)
        return self._relabelled[key]

    def prefetch(self, method: Any, views: Sequence[View]) -> None:
        """Prepare the vectors of features and decoys in one pass."""
        prefetch_draws([self], method, views)

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes, of features and decoys."""
        own = self.base.vectors(method, view)
        decoys = self.base.vectors(method, self.relabelled(view))
        return {name: self._mixed(own[name], decoys[name]) for name in own}

    def _mixed(self, own: Any, decoys: Any) -> Any:
        both = np.empty(self.n_features, dtype=own.dtype)
        both[self.columns_of] = np.concatenate([own, decoys])
        return both

    def folds(self, random_state: Any) -> list[Fold]:
        """Return the folds of the features."""
        return self.base.folds(random_state)

    def cells(self, rectangles: Sequence[Rectangle]) -> list[NDArray[Any]]:
        """Return the values of some rows and columns."""
        places = [self._places(columns) for _, columns in rectangles]
        asked = []
        for (rows, _), (is_decoy, features) in zip(rectangles, places, strict=True):
            asked += [(rows, features[~is_decoy]), (self.rows[rows], features[is_decoy])]
        found = iter(self.base.cells(asked))
        return [
            _side_by_side(is_decoy, next(found), next(found), self.dtype) for is_decoy, _ in places
        ]

    def columns(self, features: NDArray[np.integer]) -> NDArray[Any]:
        """Return all values of some columns."""
        is_decoy, own = self._places(features)
        values = self.base.columns(own[~is_decoy]), self.base.columns(own[is_decoy])
        return _side_by_side(is_decoy, values[0], values[1][self.rows], self.dtype)

    def _places(self, columns: NDArray[np.integer]) -> tuple[NDArray[np.bool_], Rows]:
        """Return which columns are decoys, and the feature of each column."""
        sources = np.argsort(self.columns_of)[columns]
        return sources >= self.base.n_features, sources % self.base.n_features


def prefetch_draws(draws: Sequence[WithDecoys], method: Any, views: Sequence[View] = ()) -> None:
    """Prepare the vectors of the features, and of several draws of decoys, in one pass."""
    decoys = [draw.relabelled(view) for draw in draws for view in (None, *views)]
    draws[0].base.prefetch(method, [*views, *decoys])


class SharedMatrix(Matrix):
    """A matrix for many fits of one method: folds, and what they describe, are computed once."""

    def __init__(self, whole: Matrix):
        super().__init__(whole.X, whole.y, whole.n_classes, whole.weights, whole.groups)
        self._folds: dict[int, list[Fold]] = {}
        # Views are kept with their vectors, so that their identities are not used again.
        self._vectors: dict[tuple[str, int], tuple[View | None, Vectors]] = {}

    def folds(self, random_state: Any) -> list[Fold]:
        """Return the folds, the same ones for the same seed."""
        if not isinstance(random_state, int):
            return super().folds(random_state)
        if random_state not in self._folds:
            self._folds[random_state] = super().folds(random_state)
        return self._folds[random_state]

    def vectors(self, method: Any, view: View | None = None) -> Vectors:
        """Return what a single-pass method describes."""
        if isinstance(view, Relabelled):
            return super().vectors(method, view)
        key = method._checkpoint_key(), id(view)
        if key not in self._vectors:
            self._vectors[key] = view, super().vectors(method, view)
        return self._vectors[key][1]


def _side_by_side(
    is_decoy: NDArray[np.bool_], own: NDArray[Any], decoys: NDArray[Any], dtype: Any
) -> NDArray[Any]:
    both = np.empty((len(own), len(is_decoy)), dtype=dtype)
    both[:, ~is_decoy], both[:, is_decoy] = own, decoys
    return both
