"""``featrank gauntlet``: check the guarantee of --fdr on the user's own values."""

from typing import Any

import click

from featrank.cli import files
from featrank.cli.grouped_help import RUN, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import POSITIVE, quiet_option, ranking_arguments, ranking_options
from featrank.cli.output import finish, table_format_option

# Place in the list of commands.
ORDER = 5.5


@grouped_command("gauntlet", cls=files.TableCommand, context_settings={"default_map": {"fdr": 0.1}})
@ranking_options
@option(
    "--runs",
    type=click.IntRange(min=2),
    default=20,
    metavar="N",
    group=RUN,
    help="Number of runs of each scenario.",
)
@option(
    "--planted",
    type=POSITIVE,
    metavar="N",
    group=RUN,
    show_default="50, at most a tenth of the features",
    help="Number of features to plant.",
)
@table_format_option
@quiet_option
def command(runs: int, planted: int | None, format: str | None, **options: Any) -> None:
    """Check the guarantee of --fdr on your own values.

    The labels are permuted, so that no feature is true. In two of three scenarios, some features
    are then shifted in one class, by 1.5 and by 1 standard deviations. The result is the share of
    false features among the claims (FDR) and the share of planted features that were claimed
    (power).

    \b
    featrank gauntlet data.csv --target diagnosis
    featrank gauntlet data.csv -t diagnosis --method relieff --fdr 0.05
    """
    from featrank.files.gauntlet import gauntlet_file
    from featrank.report import gauntlet_report

    messages, asked = Messages(options["quiet"]), ranking_arguments(options)
    with messages.stages():
        gauntlet = gauntlet_file(options["files"], n_runs=runs, n_planted=planted, **asked)
    finish(gauntlet_report(gauntlet), format, messages)
