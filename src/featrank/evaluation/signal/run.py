"""Runs the permutation test in batches, and stops it as soon as its answer is clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from featrank.evaluation.data import Data
from featrank.evaluation.method_entries import Entry
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.signal.plan import SignalPlan
from featrank.evaluation.signal.procedure import (
    SignalBatch,
    SignalFiles,
    n_batches,
    run_batch,
)
from featrank.evaluation.signal.result import SignalTest
from featrank.evaluation.workers import Task, count_workers, running
from featrank.statistics.permutation import ENOUGH, sequential_p_value

if TYPE_CHECKING:
    from distributed import Client

NO_SCORE = "the methods have no score on the first splits"


def _run_task(
    data: Data, methods: list[Entry], protocol: Protocol, plan: SignalPlan, task: Task
) -> SignalBatch:
    return run_batch(data, methods, protocol, plan, task.number)


class SignalRun:
    """The state of the permutation test: finished batches, also in the folder.

    Batches are counted in order, so the answer does not depend on the number of workers, even
    though they compute a few batches more than are needed.
    """

    def __init__(self, plan: SignalPlan, files: SignalFiles | None = None):
        self.plan, self.files = plan, files
        self.batches: dict[int, SignalBatch] = {}
        if files is not None and plan.permutations:
            files.prepare()
            self.batches = {batch.number: batch for batch in files.read(n_batches(plan))}

    def work(
        self,
        data: Data,
        methods: Sequence[Entry],
        protocol: Protocol,
        n_jobs: int,
        client: Client | None,
    ) -> Iterator[None]:
        """Run what is left, in waves of growing size until the test stops.

        On a cluster it is one wave, as each wave sends the data to the workers.
        """
        work = partial(_run_task, data, list(methods), protocol, self.plan)
        size = count_workers(n_jobs) if client is None else n_batches(self.plan)
        while left := self._left():
            tasks = [Task(number, "the permutation test") for number in left[:size]]
            for batch in running(work, tasks, n_jobs, client):
                self.batches[batch.number] = batch
                if self.files is not None:
                    self.files.write(batch)
                yield
            size *= 2

    def _left(self) -> list[int]:
        """Return the batches that are not finished, none if the test has stopped."""
        scores = self._scores()
        stopped = len(scores) and (np.isnan(scores[0]) or _exceeding(scores) >= ENOUGH)
        if stopped or not self.plan.permutations:
            return []
        return [n for n in range(n_batches(self.plan)) if n not in self.batches]

    def _scores(self) -> Any:
        """Return the scores of all labelings before the first one that is not finished."""
        parts = []
        for number in range(n_batches(self.plan)):
            if number not in self.batches:
                break
            parts.append(self.batches[number].scores)
        return np.concatenate(parts) if parts else np.empty(0)

    def outcome(self, methods: Sequence[Entry]) -> SignalTest:
        """Return the result of the finished test."""
        plan = self.plan
        if plan.reason:
            return SignalTest(reason=plan.reason)
        test = SignalTest(
            method=methods[plan.method].name,
            splits=plan.splits,
            planned=plan.permutations,
            kind=plan.kind,
        )
        scores = self._scores()
        if np.isnan(scores[0]):
            return replace(test, reason=NO_SCORE)
        p_value, used, exceeding = sequential_p_value(scores[0], scores[1:])
        return replace(
            test,
            p_value=p_value,
            score=float(scores[0]),
            permutations=used,
            exceeding=exceeding,
        )


def _exceeding(scores: Any) -> int:
    return sequential_p_value(scores[0], scores[1:]).exceeding
