"""Which features of the best method can be claimed, in memory and in the results folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from featrank._utils import strict_json
from featrank._utils.progress import progress_to, stage
from featrank.error_control import FDRControl, FDRSelector
from featrank.error_control.draws import FEWEST, seconds_per_draw
from featrank.error_control.result import checked_level
from featrank.evaluation.data import Data
from featrank.evaluation.folder.numbered_files import readable, writable
from featrank.evaluation.method_entries import Entry
from featrank.evaluation.protocol import Protocol
from featrank.evaluation.trials import class_names, prepared
from featrank.exceptions import FeatrankError

FILE = "claims.json"
FIX = "Delete it, and use `resume=True` to write it again."
FDR = 0.1
# Seconds of a quiet core that the fewest draws may take. Slower methods get no q-values.
LONGEST = 60.0


def find_claims(data: Data, entry: Entry, protocol: Protocol, n_jobs: int) -> FDRControl | None:
    """Return what a method can claim on all rows; None if it is too slow or not supervised."""
    seconds = seconds_per_draw(entry.ranker, *data.X.shape)
    if not entry.ranker.supervised or seconds is None or FEWEST * seconds > LONGEST:
        return None
    ranker = prepared(entry.ranker, protocol.feature_counts[-1], protocol.trial_seed(0))
    (X,) = protocol.treatment.of(data.X)
    selector = FDRSelector(ranker, FDR, n_jobs=n_jobs, random_state=protocol.random_state)
    quietly = progress_to(lambda done, total: None)
    with stage("Ranking decoys for q-values", "Ranked decoys"), quietly:
        try:
            control = selector.fit(X, class_names(data.y), groups=data.groups).control_
        except FeatrankError:  # the method failed in the trials as well
            return None
    return replace(control, method=entry.name)


def write_claims(folder: Path, control: FDRControl) -> None:
    """Write what can be claimed to a results folder."""
    stored = {
        **control.to_dict(),
        "method": control.method,
        "q_values": control.q_values.tolist(),
        "expected": control.expected.tolist(),
    }
    with writable(folder / FILE) as temporary:
        temporary.write_text(strict_json.dumps(stored) + "\n", encoding="utf-8", newline="\n")


def read_claims(folder: Path, n_features: int) -> FDRControl | None:
    """Return what can be claimed by a results folder, or None if it has no such file."""
    file = folder / FILE
    if not file.exists():
        return None
    with readable(file, FIX):
        stored = json.loads(file.read_text(encoding="utf-8"))
        q_values, expected = (
            np.array(stored[name], dtype=np.float64) for name in ("q_values", "expected")
        )
        control = FDRControl(
            str(stored["method"]),
            checked_level(stored["fdr"]),
            q_values,
            expected,
            int(stored["draws"]),
            bool(stored["stopped_early"]),
        )
        if {control.q_values.shape, control.expected.shape} != {(n_features,)}:
            raise ValueError("it has not one value per feature")
    return control
