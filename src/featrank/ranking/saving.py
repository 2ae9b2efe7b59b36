"""Files and HTML of rankings and comparisons, in one call."""

from __future__ import annotations

import os
from typing import Any


class Saveable:
    """Adds ``save``, ``to_html`` and ``methods_section`` to rankings and comparisons."""

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
            The file, which appears complete or not at all. Its extension determines the format.
            ``.html`` is the complete HTML report. ``.csv``, ``.tsv``, ``.json``, ``.md`` and
            ``.txt`` are the table. Rankings have ``.rnk`` (a signed statistic of all features)
            and ``.grp`` (names), and rankings per class ``.gmt`` (markers of each class).
        format : str or None, default=None
            As for :func:`featrank.report.write`. None uses the extension.
        safe_csv : bool, default=False
            Whether to escape cells in CSV and TSV files that a spreadsheet would run as a formula.
        **options
            Passed to the function that builds the report, such as ``top=20``. For tables it is
            :func:`featrank.report.ranking_report` or :func:`featrank.report.comparison_report`,
            for HTML :func:`featrank.report.ranking_html_report` or
            :func:`featrank.report.comparison_html_report`.

        Examples
        --------
        >>> import featrank
        >>> X, y = [[1, 5], [2, 5], [4, 3], [7, 4], [8, 4], [9, 6]], [0, 0, 0, 1, 1, 1]
        >>> ranking = featrank.rank(X, y, "fisher")
        >>> ranking.save("ranking.html")  # doctest: +SKIP
        """
        from featrank.report.saving import save

        save(self, path, format, safe_csv, options)

    def to_html(self, **options: Any) -> str:
        """Return the HTML that ``save("report.html")`` writes, with the same options."""
        from featrank.report.saving import build_report

        return build_report(self, True, options).html()

    def methods_section(self) -> str:
        """Return a paragraph on how the result was obtained, for the methods section of a paper.

        Returns
        -------
        section : str
            The data, the preprocessing, the methods with their parameters, the statistical tests
            that were computed, the versions of the software, and a list of references.

        Examples
        --------
        >>> import featrank
        >>> data = featrank.datasets.load("iris")
        >>> ranking = featrank.rank(data.X, data.y, "fisher", feature_names=data.feature_names)
        >>> print(ranking.methods_section())
        The data set comprised 150 samples and 4 features. The target had 3 classes: setosa (n =
        50), versicolor (n = 50) and virginica (n = 50). Features were ranked by Fisher score
        (distance between class means in units of within-class standard deviation) [1, 2]. ...
        """
        from featrank.report.saving import methods_section

        return methods_section(self)
