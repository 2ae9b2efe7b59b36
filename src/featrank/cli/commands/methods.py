"""``featrank methods``: list the ranking methods."""

from featrank.cli.grouped_help import METHOD, OUTPUT, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import LazyChoice
from featrank.cli.output import finish, table_format_option

# Place in the list of commands.
ORDER = 9


@grouped_command("methods")
@option(
    "--for",
    "uses",
    multiple=True,
    type=LazyChoice("featrank.base.suitability", "USES"),
    group=METHOD,
    show_default="all methods",
    help="Only methods for such data: wide (many features) or tall (many samples), fastest first, "
    "sparse, unlabelled, or with a regression target. Repeat it to combine.",
)
@option("--long", is_flag=True, group=OUTPUT, help="Also show the complexity and the reference.")
@table_format_option
def command(uses: tuple[str, ...], long: bool, format: str) -> None:
    """List the ranking methods.

    For each method: what it does, the targets it ranks for, whether it handles missing values and
    sparse data, whether it avoids redundant features, and how fast it is.

    \b
    featrank methods
    featrank methods --for wide
    featrank methods --for unlabelled --for tall
    featrank methods --long
    featrank methods --format csv
    """
    from featrank.report import methods_report

    finish(methods_report(uses, long=long), format, Messages(quiet=False))
