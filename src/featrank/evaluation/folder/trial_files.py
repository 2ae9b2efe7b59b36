"""The files of finished trials, one per trial, named by its number."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.folder.numbered_files import NumberedFiles, arrays_in, writable
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.trials import Trial
from featrank.exceptions import DataError

FIX = "Delete it, and use `resume=True` to run this trial again."


class TrialFiles(NumberedFiles):
    """The folder ``trials`` of a run."""

    what = "trial"

    def __init__(self, path: Path, manifest: dict[str, Any]):
        super().__init__(path)
        self.manifest = manifest

    def write(self, trial: Trial) -> None:
        """Write a finished trial."""
        arrays: dict[str, Any] = {f"order {name}": order for name, order in trial.orders.items()}
        arrays |= {f"curve {name}": curve for name, curve in trial.curves.items()}
        with writable(self.file(trial.number)) as temporary:
            np.savez_compressed(temporary, rows=np.array(json.dumps(trial.rows)), **arrays)

    def _read(self, number: int) -> Trial:
        path = self.file(number)
        with arrays_in(path, FIX) as stored:
            orders, curves = _named(stored, "order "), _named(stored, "curve ")
            trial = Trial(number, json.loads(str(stored["rows"])), orders, curves)
            sources = {(row["trial"], row["seed"], row.get("label")) for row in trial.rows}
        expected = self._source(number)
        if sources != {expected}:
            shown = ", ".join(_described(*each) for each in sorted(sources, key=str)) or "nothing"
            raise DataError(
                f"{str(path)!r} contains {shown} instead of {_described(*expected)}. {FIX}"
            )
        require_match(path, trial, self.manifest, FIX)
        return trial

    def _source(self, number: int) -> tuple[int, int, str | None]:
        """Return the trial, the seed and the label that a file of this run is of."""
        classes = self.manifest["data"].get("class_names", [None])
        trial, place = divmod(number, len(classes))
        seed = Protocol(random_state=self.manifest["protocol"]["random_state"]).trial_seed(trial)
        return trial, seed, classes[place]


def require_match(path: Path, trial: Trial, manifest: dict[str, Any], fix: str) -> None:
    """Raise an error if a trial does not match the methods and features of the manifest."""
    everyone = [*(entry["name"] for entry in manifest["methods"]), manifest["baseline"]]
    present = {(row["method"], row["k"]) for row in trial.rows}
    for name, k in product(everyone, manifest["protocol"]["n_features"]):
        if (name, k) not in present:
            raise _mismatch(path, f"nothing of {name!r} at k={k}", fix)
    features = manifest["data"]["features"]
    for order in trial.orders.values():
        if order.shape != (features,) or order.dtype.kind not in "iu":
            raise _mismatch(path, f"an order of {order.size}, not {features} features", fix)
        if not np.array_equal(np.sort(order), np.arange(features)):
            raise _mismatch(path, "an order that lacks features or has others", fix)


def _mismatch(path: Path, what: str, fix: str) -> DataError:
    return DataError(
        f"{str(path)!r} contains {what} in a trial, which does not match manifest.json. {fix}"
    )


def _named(stored: Any, start: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(start): stored[name] for name in stored if name.startswith(start)}


def _described(trial: int, seed: int, label: str | None) -> str:
    of_label = "" if label is None else f" of {label!r}"
    return f"trial {trial}{of_label} (seed {seed})"
