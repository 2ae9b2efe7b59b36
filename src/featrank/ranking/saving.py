"""Files and HTML of rankings and comparisons, in one call."""

from __future__ import annotations

import os
from typing import Any

from featrank.statistics.feature_tests import Test


class Saveable:
    """Adds ``save`` and ``to_html`` to rankings and comparisons."""

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        safe_csv: bool = False,
        **options: Any,
    ) -> None:
        """Write the result to a file.

        Parameters
        ----------
        path : path
            The file, which appears complete or not at all. Its extension determines the format:
            ``.html`` is the complete HTML report, ``.csv``, ``.json`` and ``.md`` are the table.
        format : str or None, default=None
            As for :func:`featrank.report.write`; None uses the extension.
        safe_csv : bool, default=False
            Whether to escape text in CSV and TSV files that a spreadsheet would run as a formula.
        **options
            Passed to the function that builds the report, such as ``top=20``. For tables it is
            :func:`featrank.report.ranking_report` or :func:`featrank.report.comparison_report`,
            for HTML :func:`featrank.report.ranking_html_report` or
            :func:`featrank.report.comparison_html_report`.

        Examples
        --------
        >>> import featrank
        >>> ranking = featrank.rank([[1, 5], [2, 5], [8, 4], [9, 6]], [0, 0, 1, 1], "fisher")
        >>> ranking.save("ranking.html")  # doctest: +SKIP
        """
        from featrank.report.saving import save

        save(self, path, format, safe_csv, options)

    def to_html(self, **options: Any) -> str:
        """Return the HTML that ``save("report.html")`` writes, with the same options."""
        from featrank.report.saving import build_report

        return build_report(self, True, options).html()


class SaveableRanking(Saveable):
    """Adds ``methods_section`` as well."""

    def methods_section(self, test: Test | None = None) -> str:
        """Return a paragraph on how the ranking was made, for the methods section of a paper.

        Parameters
        ----------
        test : {"welch", "wilcoxon"} or None, default=None
            The test whose p-values are shown with the ranking, if any.

        Returns
        -------
        section : str
            Sentences with the numbers of this ranking, and the references of its method.

        Examples
        --------
        >>> import featrank
        >>> data = featrank.datasets.load("iris")
        >>> ranking = featrank.rank(data.X, data.y, "fisher", feature_names=data.feature_names)
        >>> print(ranking.methods_section())
        The 4 features of 150 samples (50 setosa, 50 versicolor, 50 virginica) were ranked by fisher
        with featrank ... [1, 2]. [1] R. O. Duda, ...
        """
        from featrank.report.ranking_methods import methods_section

        return methods_section(self, test)
