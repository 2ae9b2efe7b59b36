"""Rankings for each class against the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from featrank._utils.warn import distinct_warnings
from featrank.exceptions import FeatrankWarning, UsageError, unknown_name
from featrank.ranking.evidence import Evidence
from featrank.ranking.feature_details import Columns
from featrank.ranking.frames import data_frame
from featrank.ranking.provenance import Provenance
from featrank.ranking.ranking import MARKERS, Ranking
from featrank.ranking.saving import Saveable
from featrank.statistics.cached_tests import CachedTests
from featrank.statistics.feature_tests import Test, Values


class ClassRankings(Saveable, Mapping[Any, Ranking]):
    """A ranking for each class, against the rest: a mapping from label to ``Ranking``.

    Examples
    --------
    >>> import featrank
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(as_frame=True)
    >>> rankings = featrank.rank(data.data, data.target, "fisher", per_class=True)
    >>> rankings[0].top(1)
    ['petal length (cm)']
    >>> rankings.to_frame(1)
       class  rank            feature      score direction
    0      0     1  petal length (cm)  16.665     lower
    1      1     1   sepal width (cm)   0.680     lower
    2      2     1   petal width (cm)   3.894    higher
    """

    def __init__(self, rankings: Mapping[Any, Ranking]):
        self._rankings = _sharing_tests(rankings)

    def __getitem__(self, label: Any) -> Ranking:
        return self._rankings[label]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._rankings)

    def __len__(self) -> int:
        return len(self._rankings)

    def only(self, label: Any) -> ClassRankings:
        """Return the ranking of one class, by its label or the label as a string."""
        known = {str(one): one for one in self}
        if str(label) not in known:
            raise UsageError(unknown_name("class", str(label), known))
        return ClassRankings({known[str(label)]: self[known[str(label)]]})

    def columns(
        self,
        top: int | None = None,
        *,
        details: bool = False,
        test: Test | None = None,
        values: Values = "auto",
    ) -> Columns:
        """Return the columns of ``to_frame`` as a dict of lists."""
        tables = {
            label: ranking.columns(top, details=details, test=test, values=values)
            for label, ranking in self.items()
        }
        first = next(iter(tables.values()))
        labels = [label for label, table in tables.items() for _ in table["rank"]]
        return {"class": labels} | {
            name: [value for table in tables.values() for value in table[name]] for name in first
        }

    def to_frame(
        self,
        top: int | None = None,
        *,
        details: bool = False,
        test: Test | None = None,
        values: Values = "auto",
    ) -> Any:
        """Return the rankings of all classes, one below the other.

        Parameters
        ----------
        top : int or None, default=None
            Number of features per class. None is all, or the best 50 with details.
        details : bool, default=False
            As for ``Ranking.to_frame``, with ``auc`` and ``effect`` of the class against the
            rest, and ``mean_class``, ``mean_rest``, ``sd_class`` and ``sd_rest``.
        test, values
            As for ``Ranking.to_frame``. All classes are tested in one pass over the data, and the
            results are kept for further calls.

        Returns
        -------
        frame : pandas.DataFrame or polars.DataFrame
            Columns class, rank, feature, score and direction: whether the class has "higher" or
            "lower" values.
        """
        source = next(iter(self.values())).data
        return data_frame(self.columns(top, details=details, test=test, values=values), source)

    def default_test(self) -> Test | None:
        """Return the test for the number of samples: the moderated t if any class needs it."""
        tests = {ranking.default_test() for ranking in self.values()} - {None}
        return "moderated-t" if "moderated-t" in tests else "welch" if tests else None

    def markers(self, k: int = MARKERS) -> dict[Any, list[str]]:
        """Return for each class the best k features that are higher in it than in the rest."""
        return {label: ranking.markers(k) for label, ranking in self.items()}

    def tuned_params(self) -> list[dict[str, Any]]:
        """Return the parameters that the method tuned for each class, with their scores."""
        tuned = {label: ranking.tuned_params() for label, ranking in self.items()}
        return [{"class": label, **params} for label, params in tuned.items() if params]

    def notes(self) -> list[str]:
        """Return notes on the file and on the fits, the latter with their class."""
        of_file = [note for one in self.values() for note in one.provenance.notes]
        controls = [one.fdr_control for one in self.values() if one.fdr_control is not None]
        return [
            *dict.fromkeys(of_file),
            *(f"{label}: {note}" for label, one in self.items() for note in one.fit_notes()),
            *dict.fromkeys(control.null_hypothesis for control in controls),
        ]

    def of_file(self, provenance: Provenance) -> ClassRankings:
        """Return the same rankings with the details of their file."""
        return ClassRankings(
            {label: replace(one, provenance=provenance) for label, one in self.items()}
        )

    @property
    def warnings(self) -> tuple[FeatrankWarning, ...]:
        """What featrank warned of while it read and ranked the data, the most severe first."""
        return distinct_warnings(each for one in self.values() for each in one.warnings)

    def with_warnings(self, issued: Iterable[FeatrankWarning]) -> ClassRankings:
        """Return the same rankings with the warnings of their run, each once."""
        kept = distinct_warnings(issued)
        return ClassRankings({label: replace(one, warnings=kept) for label, one in self.items()})

    def __repr__(self) -> str:
        return "\n\n".join(repr(ranking) for ranking in self.values())

    def _repr_html_(self) -> str:
        return "".join(ranking._repr_html_() for ranking in self.values())


def _sharing_tests(rankings: Mapping[Any, Ranking]) -> dict[Any, Ranking]:
    """Let rankings for classes of the same data share their tests, which are computed once."""
    sources = [ranking.data for ranking in rankings.values()]
    first = sources[0] if sources else None
    same = all(source is not None and first and source.X is first.X for source in sources)
    if not same or not isinstance(first, Evidence) or first.classes is None:
        return dict(rankings)
    tests = CachedTests(first.X, first.classes.codes)
    return {label: replace(one, tests=one.tests or tests) for label, one in rankings.items()}
