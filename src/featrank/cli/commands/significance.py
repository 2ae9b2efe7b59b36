"""``featrank significance``: tests of differences between methods."""

from pathlib import Path
from typing import Any

import click

from featrank.cli.grouped_help import METHOD, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import against_option, plot_option, quiet_option
from featrank.cli.output import finish, format_option
from featrank.cli.params import n_features_option
from featrank.cli.results import folders_argument, read_results
from featrank.exceptions import UsageError
from featrank.report.ranks import TESTS as SEVERAL
from featrank.report.significance import TESTS as ONE

# Place in the list of commands.
ORDER = 7


@grouped_command("significance")
@folders_argument
@against_option
@option(
    "--test",
    "tests",
    type=click.Choice((*ONE, *SEVERAL)),
    multiple=True,
    group=METHOD,
    show_default="all",
    help="Run only this test. The first two need one folder, the others several. Repeat it to "
    "combine.",
)
@n_features_option("Only these numbers of features, e.g. 10,50.", "all of the run")
@format_option
@plot_option("Draw the critical-difference diagram of several folders")
@quiet_option
def command(**options: Any) -> None:
    """Test whether methods differ significantly.

    DIR is a folder written by `featrank compare --out-dir DIR`.

    With one folder, a reference method is tested against each other method at each number of
    features: by the tests of the EC-FS paper (Lilliefors, two-sample t-test) and by the corrected
    resampled t-test of Nadeau and Bengio, which accounts for samples shared between trials.

    With several folders, one per data set: Friedman's test, Nemenyi's critical difference of
    average ranks, and Wilcoxon's signed-rank test with Holm's adjustment.

    \b
    featrank significance results
    featrank significance results --against fisher --test corrected
    featrank significance colon leukemia lymphoma --plot ranks.png
    """
    from featrank.report import ranks_report, significance_report

    messages, folders = Messages(options["quiet"]), options["folders"]
    several = len(folders) > 1
    against, tests = options["against"], _tests(options["tests"], several)
    ks = options["n_features"]
    if options["plot"] is not None:
        _check_plot(options["plot"], several)
    results = [read_results(folder, messages) for folder in folders]
    if not several:
        finish(significance_report(results[0], against, ks, tests), options["format"], messages)
        return
    names = [str(folder) for folder in folders]
    finish(ranks_report(results, against, ks, tests, names), options["format"], messages)
    if options["plot"] is not None:
        from featrank.plots import CriticalDifferenceDisplay, save

        display = CriticalDifferenceDisplay.from_results(results, n_features=ks, names=names)
        save(display.figure_, options["plot"])
        messages.say(f"Drew {str(options['plot'])!r}.")


def _tests(names: tuple[str, ...], several: bool) -> tuple[str, ...] | None:
    known = SEVERAL if several else ONE
    for name in names:
        if name not in known:
            what = "one folder" if name in ONE else "several folders, one per data set"
            raise UsageError(f"The test '{name}' needs {what}. Use one of {', '.join(known)}.")
    return names or None


def _check_plot(path: Path, several: bool) -> None:
    from featrank.plots import require_figure_file

    if not several:
        raise UsageError(
            "The critical-difference diagram compares several data sets. Name two or more folders."
        )
    require_figure_file(path)
