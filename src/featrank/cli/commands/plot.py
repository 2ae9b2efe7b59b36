"""``featrank plot``: plot the results of a comparison."""

import inspect
from collections.abc import Callable
from typing import Any

import click

from featrank.cli.grouped_help import METHOD, OUTPUT, GroupedCommand, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import MEASURES, POSITIVE, output_path, quiet_option
from featrank.cli.params import n_features_option
from featrank.cli.results import folders_argument, read_results
from featrank.exceptions import UsageError
from featrank.plots.by_kind import kinds

# Place in the list of commands.
ORDER = 8


class KindsCommand(GroupedCommand):
    """A command whose help lists the kinds of plots."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Print the kinds above the options."""
        with formatter.section("Kinds"):
            for kind in kinds():
                formatter.write(f"{'':{formatter.current_indent}}{kind}\n")
        super().format_options(ctx, formatter)


@grouped_command("plot", cls=KindsCommand)
@click.argument("kind", metavar="KIND", type=click.Choice(kinds()))
@folders_argument
@option(
    "--output",
    "-o",
    type=output_path,
    required=True,
    metavar="FILE",
    group=OUTPUT,
    help="File for the plot (.svg, .pdf or .png).",
)
@option(
    "--method",
    metavar="NAME",
    group=METHOD,
    show_default="the best method",
    help="Method whose features are drawn.",
)
@option(
    "--other",
    metavar="NAME",
    group=METHOD,
    show_default="the most similar method",
    help="Second method of a rank-scatter.",
)
@n_features_option("Numbers of features, or one number.", "all of the run")
@option(
    "--measure", type=MEASURES, group=METHOD, show_default="nogueira", help="Stability measure."
)
@option(
    "--top",
    type=POSITIVE,
    metavar="N",
    group=OUTPUT,
    show_default="depends on the plot",
    help="Number of features to draw, or of edges of a feature-graph.",
)
@quiet_option
def command(kind: str, **options: Any) -> None:
    """Plot the results of a comparison.

    DIR is a folder written by `featrank compare --out-dir DIR`. A critical-difference diagram needs
    several folders, one per data set.

    \b
    featrank plot score-curve results -o scores.svg
    featrank plot selection-frequency results --method fisher -o often.pdf
    featrank plot rank-scatter results --method ec-fs --other mi -o ranks.png
    featrank plot critical-difference colon leukemia lymphoma -o ranks.svg
    """
    from featrank.plots import display_class, require_figure_file, save

    messages, path = Messages(options["quiet"]), options["output"]
    require_figure_file(path)
    display = display_class(kind)
    draw: Callable[..., Any] = display.from_results  # type: ignore[attr-defined]
    wanted = _wanted(kind, options, inspect.signature(draw).parameters)
    folders = options["folders"]
    if not display.several and len(folders) > 1:
        raise UsageError(f"The plot '{kind}' needs one folder, got {len(folders)}.")
    found = [read_results(folder, messages) for folder in folders]
    save(draw(found if display.several else found[0], **wanted).figure_, path)
    messages.say(f"Drew {str(path)!r}.")


def _wanted(kind: str, options: dict[str, Any], known: Any) -> dict[str, Any]:
    """Return the arguments of the display; reject options that it does not have."""
    wanted = {
        name: options[name]
        for name in ("method", "other", "measure", "top")
        if options[name] is not None
    }
    if options["n_features"] is not None:
        wanted |= _counts(kind, options["n_features"], known)
    for name in wanted:
        if name not in known:
            flag = name.replace("_", "-")
            raise UsageError(f"--{flag} has no effect on the plot '{kind}'. Leave it out.")
    return wanted | ({"names": list(map(str, options["folders"]))} if "names" in known else {})


def _counts(kind: str, ks: tuple[int, ...], known: Any) -> dict[str, Any]:
    if "k" not in known:
        return {"n_features": ks}
    if len(ks) > 1:
        raise UsageError(
            f"The plot '{kind}' is drawn for one number of features, got {len(ks)}. Use e.g. "
            f"--n-features {ks[0]}."
        )
    return {"k": ks[0]}
