"""The files of finished trials: one a trial, named by its number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.evaluation.folder.numbered_files import NumberedFiles, arrays_in, writable
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.trials import Trial
from featrank.exceptions import DataError

WAY_OUT = "Delete it, and run this trial again with --resume (resume=True)."


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

    def read(self, number: int) -> Trial:
        """Return a finished trial."""
        path = self.file(number)
        with arrays_in(path, WAY_OUT) as stored:
            orders, curves = _named(stored, "order "), _named(stored, "curve ")
            trial = Trial(number, json.loads(str(stored["rows"])), orders, curves)
            found = {(row["trial"], row["seed"], row.get("label")) for row in trial.rows}
        self._require_own(path, number, found)
        require_fitting(path, trial, self.manifest, WAY_OUT)
        return trial

    def _require_own(
        self, path: Path, number: int, found: set[tuple[int, int, str | None]]
    ) -> None:
        """Refuse a file that was copied from another trial or another run."""
        trial, label = number, None
        classes = self.manifest["data"].get("class_names")
        if classes is not None:
            trial, place = divmod(number, len(classes))
            label = classes[place]
        seed = Protocol(random_state=self.manifest["protocol"]["seed"]).trial_seed(trial)
        if found != {(trial, seed, label)}:
            shown = ", ".join(_described(*each) for each in sorted(found, key=str)) or "nothing"
            raise DataError(
                f"{str(path)!r} should hold {_described(trial, seed, label)}; it holds {shown}. It "
                f"may be a copy of another trial or of another run. {WAY_OUT}"
            )


def require_fitting(path: Path, trial: Trial, manifest: dict[str, Any], way_out: str) -> None:
    """Refuse a trial that lacks what the manifest names, or has other features."""
    names = [entry["name"] for entry in manifest["methods"]]
    everyone = [*names, *([] if manifest.get("baseline") is None else [manifest["baseline"]])]
    there = {(row["method"], row["k"]) for row in trial.rows}
    for name in everyone:
        for k in manifest["protocol"]["ks"]:
            if (name, k) not in there:
                raise _unfitting(path, f"nothing of {name!r} at k={k}", way_out)
    features = manifest["data"]["features"]
    for order in trial.orders.values():
        if order.shape != (features,) or order.dtype.kind not in "iu":
            raise _unfitting(path, f"an order of {order.size}, not {features} features", way_out)
        if not np.array_equal(np.sort(order), np.arange(features)):
            raise _unfitting(path, "an order that lacks features or has others", way_out)


def _unfitting(path: Path, what: str, way_out: str) -> DataError:
    return DataError(
        f"{str(path)!r} holds {what} in a trial, so that it does not fit manifest.json. If that "
        f"was changed, put it back. {way_out}"
    )


def _named(stored: Any, start: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(start): stored[name] for name in stored if name.startswith(start)}


def _described(trial: int, seed: int, label: str | None) -> str:
    of_label = "" if label is None else f" of {label!r}"
    return f"trial {trial}{of_label} (seed {seed})"
