"""What a fit will take, told before it starts: time by a short fit of the same kind, and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

if TYPE_CHECKING:
    from featrank._utils.probe import Probe

# Seconds from which on people want to know.
LONG = 10.0


class Cost(NamedTuple):
    """What a fit takes: seconds (None where they cannot be told), and bytes beside X.

    Examples
    --------
    >>> print(Cost(250.0, 1_300_000_000))
    about 4 minutes and 1.2 GB of memory beside the data
    """

    seconds: float | None
    memory: int

    def __str__(self) -> str:
        """Return it as people say it."""
        from featrank._utils.budget import written_size

        memory = f"{written_size(self.memory)} of memory beside the data"
        return (
            memory if self.seconds is None else f"about {written_time(self.seconds)} and {memory}"
        )


def written_time(seconds: float) -> str:
    """Return a time as people say it.

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


class TellsCost:
    """What every ranker says of its cost, and what is refused for it."""

    # How to get by with less memory than there is.
    _advice: ClassVar[str] = "Rank fewer samples or features, or choose another method."

    def cost(self, n_samples: int, n_features: int) -> Cost | None:
        """Return what ``fit`` will take for data of this shape, or None if the method cannot tell.

        Methods whose time grows with the square of samples or features can. The time is that of
        a small fit to random numbers, here and now, times how much more there is to do: right to
        a factor of two or so, as it also depends on the values.

        Parameters
        ----------
        n_samples, n_features : int
            The shape of X.

        Returns
        -------
        cost : Cost or None
            ``seconds``, None where the values decide them, and ``memory``, in bytes beside X.

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
        """Return a sentence on what so many fits will take, or None if they are no long wait."""
        ranker = self._untuned()
        probe, fits = ranker._probe(n_samples, n_features), fits * self._count_fits()
        if probe is None or fits * probe.ratio < LONG:  # a probe takes a second or so
            return None
        seconds = fits * probe.seconds()
        if seconds < LONG:
            return None
        cost = Cost(seconds, ranker._memory(n_samples, n_features))
        return (
            f"{type(self).__name__} of {n_samples:,} samples and {n_features:,} features will take "
            f"{cost}."
        )

    def _count_fits(self) -> float:
        """How many fits to all rows one call of ``fit`` amounts to."""
        return 1.0

    def _untuned(self) -> Self:
        """Return a ranker whose parameters are all numbers: of "cv", the fallback."""
        return self

    def _probe(self, n_samples: int, n_features: int) -> Probe | None:
        """Return a small fit whose time tells that of one to this shape; ``self`` is a copy."""
        return None

    def _memory(self, n_samples: int, n_features: int) -> int:
        """Return the bytes that a fit takes beside X, up to what is small; 0 for a few vectors."""
        return 0

    def _require_memory(self, n_samples: int, n_features: int) -> None:
        from featrank._utils.budget import LEAST, require

        needed = self._untuned()._memory(n_samples, n_features)
        if needed <= LEAST:
            return
        require(
            needed,
            lambda size, free: (
                f"{type(self).__name__} of {n_samples:,} samples and {n_features:,} features takes "
                f"{size} of memory beside X, and {free} are free. {self._advice}"
            ),
        )
