"""The score of the data and of permuted labels: split, rank, train and score in the same way."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from featrank._utils.progress import progress_to
from featrank.base.ranker import Floats, Ranker
from featrank.evaluation.data import Data
from featrank.evaluation.estimators import evaluation_model
from featrank.evaluation.folder.numbered_files import NumberedFiles, arrays_in, writable
from featrank.evaluation.method_entries import Entry
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.signal.permuted_labels import permute_labels
from featrank.evaluation.signal.plan import SignalPlan
from featrank.evaluation.trials import class_names, prepared
from featrank.exceptions import DataError
from featrank.solvers.linear_svm import part_of

# Labelings per task. Labeling 0 is the true one.
BATCH = 20
# Keeps the random numbers of permutations apart from those of trials.
STREAM = 26
FIX = "Delete it, and use `resume=True` to compute it again."


@dataclass(frozen=True, eq=False)
class SignalBatch:
    """The scores of labelings ``BATCH * number``, and on."""

    number: int
    scores: Floats

    @property
    def title(self) -> str:
        """The name of the batch in messages."""
        return "the permutation test"


def n_batches(plan: SignalPlan) -> int:
    """Return the number of batches for the true labels and all permutations."""
    return -(-(plan.permutations + 1) // BATCH)


def run_batch(
    data: Data, methods: Sequence[Entry], protocol: Protocol, plan: SignalPlan, number: int
) -> SignalBatch:
    """Return the scores of a batch of labelings, on one thread."""
    ranker = _untuned(methods[plan.method].ranker)
    rankers = [_prepared(ranker, protocol, split) for split in range(plan.splits)]
    labelings = range(BATCH * number, min(BATCH * (number + 1), plan.permutations + 1))
    with threadpool_limits(1), progress_to(lambda done, total: None), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the trials report them
        scores = [
            _score_if_any(_labeled(data, protocol, plan, labeling), rankers, protocol)
            for labeling in labelings
        ]
    return SignalBatch(number, np.array(scores))


def _untuned(ranker: Ranker) -> Ranker:
    """Return the ranker with the fallback value of a parameter that it would tune."""
    if ranker.tunable is None or not ranker._tunes_itself:
        return ranker
    return clone(ranker).set_params(**{ranker.tunable.name: ranker.tunable.fallback})


def _labeled(data: Data, protocol: Protocol, plan: SignalPlan, labeling: int) -> Data:
    if labeling == 0:
        return data
    random = np.random.default_rng([protocol.random_state, STREAM, labeling])
    return replace(data, y=permute_labels(data.y, data.groups, plan.kind, random))


def _prepared(ranker: Ranker, protocol: Protocol, split: int) -> Ranker:
    return prepared(ranker, protocol.feature_counts[-1], protocol.trial_seed(split))


def _score_if_any(data: Data, rankers: Sequence[Ranker], protocol: Protocol) -> float:
    """Return the score of a labeling, or NaN if its splits cannot be ranked or scored."""
    try:
        return score_labeling(data, rankers, protocol)
    except Exception:  # of a method or a split, e.g. with a class that is not in the training rows
        return float("nan")


def score_labeling(data: Data, rankers: Sequence[Ranker], protocol: Protocol) -> float:
    """Return the mean score over splits, each with its ranker, and over numbers of features.

    The evaluation model has the middle one of its settings. Tuning it for each labeling takes
    much longer and adds little power.
    """
    scores = []
    for split, ranker in enumerate(rankers):
        train, test = protocol.split(data, split)
        part = part_of(data.X, data.y, train, test, protocol.treatment)
        model = evaluation_model(protocol, len(train), protocol.trial_seed(split))
        middle = model.settings[(len(model.settings) - 1) // 2]
        groups = None if data.groups is None else data.groups[train]
        ranker.fit(part.train, class_names(part.train_y), **ranker._fold_groups(groups))
        scores += [
            model.scores(part, ranker.order_[:k], (middle,))[0] for k in protocol.feature_counts
        ]
    return float(np.nanmean(scores))


class SignalFiles(NumberedFiles):
    """The folder ``signal`` of a run: the scores of each batch of labelings."""

    what = "batch of the permutation test"

    def __init__(self, path: Path, plan: SignalPlan):
        super().__init__(path)
        self.plan = json.dumps(asdict(plan))

    def write(self, batch: SignalBatch) -> None:
        """Write a finished batch."""
        with writable(self.file(batch.number)) as temporary:
            np.savez_compressed(temporary, plan=np.array(self.plan), scores=batch.scores)

    def _read(self, number: int) -> Any:
        path = self.file(number)
        with arrays_in(path, FIX) as stored:
            plan, scores = str(stored["plan"]), stored["scores"]
            if scores.dtype.kind != "f" or scores.ndim != 1 or not 1 <= len(scores) <= BATCH:
                raise ValueError("its scores are not those of a batch")
        if plan != self.plan:
            raise DataError(f"{str(path)!r} belongs to another permutation test. {FIX}")
        return SignalBatch(number, scores)
