"""What can be claimed at a false discovery rate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.exceptions import UsageError, counted

#: What a false feature is.
NULL = (
    "A false feature carries no information on the target, as {method} sees it. A feature that "
    "only duplicates another one is not false."
)


@dataclass(frozen=True, eq=False)
class FDRControl:
    """The features that can be claimed at a false discovery rate.

    Attributes
    ----------
    method : str
        Name of the method.
    fdr : float
        The level: the expected share of false features in the list is at most this.
    q_values : ndarray of shape (n_features,)
        The smallest level at which each feature is in the list, in the order of the columns.
    expected : ndarray of shape (n_features,)
        Expected number of false features in the list that ends with each feature.
    n_draws : int
        Number of draws of decoys.
    stopped_early : bool
        Whether further draws were left out because no feature came near a useful level.
    """

    method: str
    fdr: float
    q_values: NDArray[np.float64]
    expected: NDArray[np.float64]
    n_draws: int
    stopped_early: bool = False

    @property
    def support(self) -> NDArray[np.bool_]:
        """True for the features in the list."""
        return self.q_values <= self.fdr

    @property
    def n_selected(self) -> int:
        """Number of features in the list."""
        return int(self.support.sum())

    @property
    def expected_false(self) -> float:
        """Expected number of false features in the list."""
        return float(self.expected[self.support].max(initial=0.0))

    @property
    def smallest_fdr(self) -> float:
        """The smallest level at which a feature is in the list."""
        return float(self.q_values.min())

    @property
    def null_hypothesis(self) -> str:
        """What a false feature is."""
        return NULL.format(method=self.method)

    def at(self, fdr: float) -> FDRControl:
        """Return the same result at another level, without new draws.

        If you choose the level after you have seen the list, its rate is an estimate, not a
        guarantee.
        """
        return replace(self, fdr=checked_level(fdr))

    def to_dict(self) -> dict[str, Any]:
        """Return the result without the values of single features."""
        return {
            "fdr": self.fdr,
            "selected": self.n_selected,
            "expected_false": self.expected_false,
            "smallest_fdr": self.smallest_fdr,
            "draws": self.n_draws,
            "stopped_early": self.stopped_early,
            "null_hypothesis": self.null_hypothesis,
        }

    def sentence(self) -> str:
        """Return what can be claimed."""
        total = counted(len(self.q_values), "feature")
        if self.n_selected:
            return (
                f"{self.n_selected:,} of {total} can be claimed at a false discovery rate of "
                f"{self.fdr:g}. {self._false()} are expected to be false."
            )
        return f"Nothing can be claimed at a false discovery rate of {self.fdr:g}. {self._level()}"

    def notes(self) -> list[str]:
        """Return what can be claimed, and what a false feature is."""
        return [self.sentence(), self.null_hypothesis]

    def _false(self) -> str:
        number = self.expected_false
        return "Fewer than 0.1" if number < 0.1 else f"About {number:.1f}"

    def methods_sentence(self) -> str:
        """Return a sentence for the methods section of a paper."""
        return methods_sentence({"": self})

    def _level(self) -> str:
        smallest = self.smallest_fdr
        if smallest > 0.5:
            return "No feature can be claimed at any level up to 0.5 either."
        level = float(np.ceil(smallest * 100) / 100)
        return f"At {level:g}, {counted(self.at(level).n_selected, 'feature')} could be."


def methods_sentence(controls: Mapping[Any, FDRControl]) -> str:
    """Return a sentence for the methods section on what can be claimed, for each class."""
    one = next(iter(controls.values()))
    draws = sorted({control.n_draws for control in controls.values()})
    claims = [
        counted(control.n_selected, "feature") + (f" for {label}" if len(controls) > 1 else "")
        for label, control in controls.items()
    ]
    return (
        f"False discovery rates of {one.method} were estimated from the ranks of the features "
        "among decoys, which are the features with permuted rows, in "
        f"{' or '.join(map(str, draws))} draws. At a level of {one.fdr:g}, {', '.join(claims)} "
        "could be claimed."
    )


def checked_level(fdr: Any) -> float:
    """Return a level between 0 and 1, or raise an error."""
    try:
        level = float(fdr)
    except (TypeError, ValueError):
        level = np.nan
    if not 0 < level < 1:
        raise UsageError(f"`fdr` must lie between 0 and 1, got {fdr!r}. Use `fdr=0.1`.")
    return level
