"""Cost of a fit before it starts: time, extrapolated from a short fit, and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

if TYPE_CHECKING:
    from featrank._utils.probe import Probe

# Waits of at least this many seconds are announced.
LONG = 10.0


class Cost(NamedTuple):
    """Cost of a fit: seconds (None if unknown), and bytes in addition to X.

    Examples
    --------
    >>> print(Cost(250.0, 1_300_000_000))
    about 4 minutes and 1.2 GB of memory in addition to the data
    """

    seconds: float | None
    memory: int

    def __str__(self) -> str:
        """Return the cost in words."""
        from featrank._utils.budget import written_size

        memory = f"{written_size(self.memory)} of memory in addition to the data"
        return (
            memory if self.seconds is None else f"about {written_time(self.seconds)} and {memory}"
        )


def written_time(seconds: float) -> str:
    """Return a time in words.

    Examples
    --------
    >>> [written_time(seconds) for seconds in (0.2, 14.2, 250, 5400, 200_000)]
    ['1 second', '14 seconds', '4 minutes', '90 minutes', '2 days']
    """
    unit, size = "second", 1
    for name, length in (("minute", 60), ("hour", 3600), ("day", 86400)):
        if seconds >= 2 * length:
            unit, size = name, length
    count = max(1, round(seconds / size))
    return f"{count} {unit}{'s' if count > 1 else ''}"


class EstimatesCost:
    """Cost estimates of a ranker, and the check that its memory is available."""

    # How to use less memory.
    _advice: ClassVar[str] = "Rank fewer samples or features, or use another method."

    def cost(self, n_samples: int, n_features: int) -> Cost | None:
        """Return the cost of ``fit`` for data of this shape, or None if it is not known.

        It is known for methods whose time grows with the square of the number of samples or
        features. The time is extrapolated from a small fit to random numbers on this computer. As
        it also depends on the values, it may be wrong by a factor of two.

        Parameters
        ----------
        n_samples, n_features : int
            The shape of X.

        Returns
        -------
        cost : Cost or None
            ``seconds``, or None if they depend on the values, and ``memory`` in bytes in addition
            to X.

        Examples
        --------
        >>> from featrank import InfFS
        >>> cost = InfFS().cost(n_samples=100, n_features=20_000)
        >>> cost.seconds < 1000, cost.memory < 100e6
        (True, True)
        """
        ranker = self._untuned()
        probe, memory = ranker._probe(n_samples, n_features), ranker._memory(n_samples, n_features)
        if probe is None and memory == 0:
            return None
        return Cost(None if probe is None else self._count_fits() * probe.seconds(), memory)

    def estimate_cost(self, n_samples: int, n_features: int, fits: float = 1) -> str | None:
        """Return a sentence on the cost of several fits, or None if they are fast."""
        ranker = self._untuned()
        probe, fits = ranker._probe(n_samples, n_features), fits * self._count_fits()
        if probe is None or fits * probe.ratio < LONG:  # a probe takes about a second
            return None
        seconds = fits * probe.seconds()
        if seconds < LONG:
            return None
        cost = Cost(seconds, ranker._memory(n_samples, n_features))
        return (
            f"{type(self).__name__} on {n_samples:,} samples and {n_features:,} features will take "
            f"{cost}."
        )

    def _count_fits(self) -> float:
        """Return the number of full fits that one call of ``fit`` is equivalent to."""
        return 1.0

    def _untuned(self) -> Self:
        """Return a ranker with the fallback value instead of "cv"."""
        return self

    def _probe(self, n_samples: int, n_features: int) -> Probe | None:
        """Return a small fit from which to extrapolate the time. ``self`` is a copy."""
        return None

    def _memory(self, n_samples: int, n_features: int) -> int:
        """Return the bytes that a fit needs in addition to X, or 0 if it is a few vectors."""
        return 0

    def _require_memory(self, n_samples: int, n_features: int) -> None:
        from featrank._utils.budget import LEAST, require

        needed = self._untuned()._memory(n_samples, n_features)
        if needed <= LEAST:
            return
        require(
            needed,
            lambda size, free: (
                f"{type(self).__name__} on {n_samples:,} samples and {n_features:,} features needs "
                f"{size} of memory in addition to X, but only {free} are free. {self._advice}"
            ),
        )
