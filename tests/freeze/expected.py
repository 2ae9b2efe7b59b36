"""Differences from the baseline that are intended, each with its reason.

``compare`` applies them. An entry that explains nothing is reported, so that it can be deleted.
"""

from __future__ import annotations

from typing import NamedTuple


class Replacement(NamedTuple):
    """A regular expression to replace in messages of the baseline."""

    pattern: str
    replacement: str
    reason: str


class Intended(NamedTuple):
    """Cases, as in ``fnmatch``, of which all or some parts are meant to differ."""

    cases: str
    reason: str
    part: str = "*"


RENAMED = "a public name was renamed"
ONE_ALPHA = "alpha does not depend on the number of features to select"
TUNABLE = "the parameter can be tuned, and fit records its value"

REPLACEMENTS: list[Replacement] = [
    Replacement(r"\(layout='csv'\)", "(format='csv')", "report.write(format=) was layout=."),
    Replacement("--values says otherwise", "--value-scale says otherwise", RENAMED),
    Replacement("--for quantity", "--for regression", RENAMED),
    Replacement("FeatureCountCV", "NFeaturesCV", RENAMED),
    Replacement("open_source", "open_dataset", RENAMED),
    Replacement(r"featrank\.Summary\b", "featrank.summaries.ClassSummary", RENAMED),
    Replacement("^trials must", "n_repeats must", RENAMED),
    Replacement("^test_share must", "test_size must", RENAMED),
    Replacement("--out DIR", "--out-dir DIR", RENAMED),
    Replacement(
        r"k=50 is more than the 12 .*\)\.",
        "n_features=50 is more than the 12 features of the data. Use 12 or fewer.",
        RENAMED,
    ),
    Replacement(
        r"(a str among \{'cv'\}) or (a float in the range \[0\.0, 1\.0\])",
        r"\2 or \1",
        'every tunable parameter accepts "cv"',
    ),
]

# For a recording with --old-defaults. Without it, every case of EC-FS differs.
INTENDED: list[Intended] = [
    Intended("compare/*", "compare fits methods as a user would; Difference.reference"),
    Intended("refused/compare method", "methods are checked before numbers of features"),
    Intended("memory/ec-fs-diverse/csr", "diverse EC-FS accepts sparse data"),
    *(
        Intended(cases, ONE_ALPHA)
        for cases in (
            "ec-fs/three features/*",
            "n_jobs/*/ec-fs",
            "rank/ec-fs",
            "rank/noise",
            "rank_file/*/ec-fs",
            "select_file/*/ec-fs",
            "shell/prints a table",
        )
    ),
    *(
        Intended(cases, TUNABLE, f"*{name}_")
        for cases, name in {
            "*relieff*": "n_neighbors",
            "*inf-fs*": "alpha",
            "*fsasl*": "gamma",
            "*l0*": "C",
        }.items()
    ),
    Intended("*udfs*", TUNABLE, "*gamma_"),
    Intended("*udfs*", "gamma_ in units of the data is penalty_", "*penalty_"),
]
