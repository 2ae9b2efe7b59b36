"""Multi-label data: labels, excluded pairs of sample and label, and splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.data import Data, dense_values, digest
from featrank.evaluation.multilabel.split import held_out
from featrank.evaluation.protocol import Protocol, RowNumbers
from featrank.exceptions import DataError

Flags = NDArray[np.bool_]

#: Values of an array ``split``, as strings or codes, and whether they mean training rows.
SIDES = {"train": True, "val": True, "trainval": True, "test": False}
CODES = ("train", "val", "test")

KEYS = ("X", "Y", "difficult", "class_names", "feature_names", "split", "groups")


@dataclass(frozen=True, eq=False)
class LabelData:
    """Samples with labels; each label is a two-class problem.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The samples.
    Y : ndarray of bool of shape (n_samples, n_classes)
        Which sample has which label.
    counted : ndarray of bool of shape (n_samples, n_classes)
        False where a sample is excluded from a class ("difficult").
    classes : tuple of str
        Names of the labels.
    training : ndarray of bool or None
        The split, if the data includes one.
    groups : ndarray or None
        Samples of one group stay together.
    feature_names : tuple of str or None
        Names of the features.
    name : str
        Name in the results.
    """

    X: NDArray[Any]
    Y: Flags
    counted: Flags
    classes: tuple[str, ...]
    training: Flags | None = None
    groups: NDArray[np.intp] | None = None
    feature_names: tuple[str, ...] | None = None
    name: str = "data"

    @classmethod
    def of(
        cls,
        X: Any,
        Y: Any,
        *,
        difficult: Any = None,
        class_names: Sequence[str] | None = None,
        feature_names: Sequence[str] | None = None,
        split: Any = None,
        groups: Any = None,
        name: str = "data",
    ) -> LabelData:
        """Return validated data; see :func:`compare_labels` for the parameters."""
        feature_names = getattr(X, "columns", None) if feature_names is None else feature_names
        X = dense_values(X)
        labels, names = _columns(Y)
        _require_rows("Y", labels.shape[:1], len(X))
        positive, counted = _indicator(labels, difficult)
        classes = _names(
            "class_names", names if class_names is None else class_names, labels.shape[1], "class"
        )
        training = None if split is None else _training(split, len(X))
        if groups is not None:
            _require_rows("groups", np.shape(groups), len(X))
            groups = np.unique(np.asarray(groups), return_inverse=True)[1]
        if feature_names is not None:
            feature_names = _names("feature_names", feature_names, X.shape[1], "feature")
        return cls(X, positive, counted, classes, training, groups, feature_names, name)

    def describe(self) -> dict[str, Any]:
        """Return the size of the data, its classes and a hash, for JSON."""
        return {
            "name": self.name,
            "samples": self.X.shape[0],
            "features": self.X.shape[1],
            "class_names": list(self.classes),
            "sha256": digest(self.X, self.Y, self.counted, self.training, self.groups),
        }

    def problem(self, label: int) -> Data:
        """Return one label against the rest."""
        return Data(self.X, self.Y[:, label].astype(np.intp), self.groups, self.name)

    def sides(self, protocol: Protocol, trial: int) -> tuple[RowNumbers, RowNumbers]:
        """Return the training and test rows of a trial, the same for every label."""
        if self.training is not None:
            return np.flatnonzero(self.training), np.flatnonzero(~self.training)
        if protocol.cv is not None:
            whole = Data(self.X, self.Y.astype(np.intp), self.groups, self.name)
            return protocol.split(whole, trial)
        labels, seed = self.Y & self.counted, protocol.trial_seed(trial)
        test = held_out(labels, protocol.test_size, seed, self.groups)
        return np.flatnonzero(~test), np.flatnonzero(test)

    def obstacle(self, label: int, train: RowNumbers, test: RowNumbers) -> str:
        """Return why a label cannot be evaluated on this split; empty if it can."""
        for side, rows, least in (("training", train, 2), ("test", test, 1)):
            positives = int(self.Y[rows, label].sum())
            for what, count in (("with", positives), ("without", len(rows) - positives)):
                if count < least:
                    return (
                        f"{count} {side} rows {what} the label {self.classes[label]!r}; "
                        f"at least {least} are needed"
                    )
        return ""


def read_labels(path: str | Path) -> LabelData:
    """Read an npz file of multi-label data; pickled objects are not loaded.

    The arrays are ``X`` (samples × features) and ``Y`` (samples × classes). Optional arrays are
    ``difficult``, ``class_names``, ``feature_names``, ``split`` and ``groups``, all as in
    :func:`compare_labels`. The data is named after the file.
    """
    from featrank.tables.numpy_files import read_archive

    path = Path(path)
    arrays = read_archive(path)
    _reject_misspelt(arrays)
    for key in ("X", "Y"):
        if key not in arrays:
            raise DataError(
                f"{str(path)!r} has no array {key!r}, but {sorted(arrays)}. Store X (samples × "
                "features) and Y (samples × classes): `numpy.savez(path, X=X, Y=Y)`."
            )
    if arrays["Y"].ndim != 2:
        raise DataError(
            f"Y has shape {arrays['Y'].shape}, but must be samples × classes. For one label per "
            "sample, store `labels[:, None] == numpy.unique(labels)`."
        )
    known = {key: arrays[key] for key in KEYS if key in arrays}
    return LabelData.of(**known, name=path.stem)


def _columns(Y: Any) -> tuple[NDArray[Any], Sequence[str] | None]:
    """Return a matrix with one column per class, and the names of the classes if Y has them."""
    named = getattr(Y, "columns", None)
    labels = np.asarray(Y.toarray() if hasattr(Y, "toarray") else Y)
    if labels.ndim == 1 and len(labels):
        classes = np.unique(labels)
        return labels[:, None] == classes, [str(label) for label in classes]
    if labels.ndim != 2 or 0 in labels.shape:
        raise DataError(
            f"Y has shape {labels.shape}, but must be samples × classes, with 1 where a sample has "
            "the label, or one label per sample."
        )
    return labels, None if named is None else [str(name) for name in named]


def _indicator(labels: NDArray[Any], difficult: Any) -> tuple[Flags, Flags]:
    """Return the labels of the samples, and which pairs are not excluded."""
    values = np.unique(labels) if labels.dtype.kind in "biuf" else labels.ravel()[:3]
    marked = difficult is not None and np.ndim(difficult) == 0 and bool(difficult)
    known = (-1, 0, 1)
    if labels.dtype.kind not in "biuf" or not np.isin(values, known).all():
        wrong = [value for value in values.tolist() if value not in known]
        raise DataError(
            f"Y contains {', '.join(map(repr, wrong[:5]))}. Use 1 where a sample has the label, "
            "and 0 or -1 where it does not."
        )
    if marked and -1 not in values:
        raise DataError(
            "With `difficult=True`, 0 in Y excludes a sample from a class, and -1 means that it "
            "does not have the label. Y contains no -1. Write -1 for these samples."
        )
    if marked:
        return labels == 1, labels != 0
    if len(values) == 3:
        raise DataError(
            "Y contains -1, 0 and 1. If 0 excludes a sample from a class (VOC's difficult images), "
            "use `difficult=True`, or store an array `difficult` in the npz file."
        )
    return labels == 1, _counted(labels.shape, difficult)


def _counted(shape: tuple[int, ...], difficult: Any) -> Flags:
    if difficult is None or np.ndim(difficult) == 0:
        return np.ones(shape, dtype=bool)
    mask = np.asarray(difficult)
    if mask.shape != shape or not np.isin(mask, (0, 1)).all():
        raise DataError(
            f"difficult has shape {mask.shape}, but must be True or a matrix of 0 and 1 with the "
            f"shape of Y, {shape}."
        )
    return mask == 0


def _training(split: Any, n_samples: int) -> Flags:
    """Return which rows are training rows."""
    entries = np.asarray(split)
    _require_rows("split", entries.shape, n_samples)
    if entries.dtype.kind in "iu" and np.isin(entries, range(len(CODES))).all():
        entries = np.array(CODES)[entries]
    elif entries.dtype.kind == "S":
        entries = np.char.decode(entries, "utf-8", "replace")
    sides = np.array([SIDES.get(str(entry).strip().lower(), -1) for entry in entries.tolist()])
    if (sides == -1).any():
        wrong = entries.tolist()[int(np.argmax(sides == -1))]
        raise DataError(
            f"split contains {wrong!r}. Use {', '.join(map(repr, SIDES))}, or the codes 0 (train), "
            "1 (val) and 2 (test)."
        )
    for side, name in ((1, "training"), (0, "test")):
        if side not in sides:
            raise DataError(
                f"split contains no {name} rows. Use {', '.join(map(repr, SIDES))}, or the codes 0 "
                "(train), 1 (val) and 2 (test)."
            )
    return np.asarray(sides == 1)


def _names(key: str, given: Any, count: int, what: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{what} {number}" for number in range(count))
    entries = np.asarray(given)
    if entries.dtype.kind == "S":
        entries = np.char.decode(entries, "utf-8", "replace")
    if entries.ndim != 1 or len(entries) != count:
        raise DataError(f"{key} has shape {entries.shape}; expected {count} names, one a {what}.")
    names = tuple(str(name) for name in entries.tolist())
    if what == "class" and len(set(names)) < count:
        twice = Counter(names).most_common(1)[0][0]
        raise DataError(f"{key} holds {twice!r} twice. Give each class a name of its own.")
    return names


def _require_rows(key: str, shape: tuple[int, ...], n_samples: int) -> None:
    if shape != (n_samples,):
        got = f"{shape[0]} rows" if len(shape) == 1 else f"shape {shape}"
        raise DataError(
            f"{key} has {got}; X has {n_samples}. Give {key} one entry for each row of X."
        )


def _reject_misspelt(present: Iterable[str]) -> None:
    """Raise an error if the name of an array is similar to a missing one; ignore others."""
    missing = {key.lower(): key for key in KEYS if key not in present}
    for name in set(present) - set(KEYS):
        near = get_close_matches(name.lower(), missing, n=1, cutoff=0.8)
        if near:
            raise DataError(
                f"There is an array {name!r} and no {missing[near[0]]!r}. If this is it, store it "
                "under that name; if not, under one that cannot be taken for it."
            )
