"""``featrank reproduce``: the EC-FS paper's experiments, our figures beside the published ones."""

import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from featrank.cli import output as out
from featrank.cli.messages import Messages
from featrank.cli.options import output_path, paper_methods, run_options, test_share
from featrank.exceptions import FeatrankWarning, MissingExtraError

if TYPE_CHECKING:
    from featrank.evaluation import Comparison
    from featrank.reproduction.experiments import Experiment, Found

# Place in the list of commands.
ORDER = 4

# Commands with a module of their own.
ELSEWHERE = {"voc": "voc"}
EXPERIMENTS = ("microarray", "challenge", "voc", "planar-graphs")
LEAKY = "NOT HONEST: features are ranked on all rows, the test rows among them"


class Experiments(click.Group):
    """The paper's experiments, in its order."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which help shows them."""
        return list(EXPERIMENTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, importing its module if it has one of its own."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module = import_module(f"{__package__}.{ELSEWHERE[cmd_name]}")
        command: click.Command = module.command
        return command


@click.group("reproduce", cls=Experiments)
def command() -> None:
    """Run the EC-FS paper's experiments and print its figures beside ours.

    \b
    featrank reproduce microarray --trials 20 --out results
    featrank reproduce challenge --trials 20 --out results --time-limit 600
    featrank reproduce microarray --datasets colon --trials 20 --leaky --out leaky
    featrank reproduce planar-graphs --output graphs.png
    """


def _experiment_options(function: Any) -> Any:
    options = (
        click.option("--trials", type=click.IntRange(min=1), default=100, show_default=True),
        paper_methods,
        click.option(
            "--datasets",
            metavar="LIST",
            help="Names with commas between them; by default all of the experiment.",
        ),
        run_options,
        click.option(
            "--patience",
            type=click.IntRange(min=1),
            metavar="N",
            help="Leave a method out that is over its time limit in all of the first N trials.",
        ),
        click.option(
            "--leaky",
            is_flag=True,
            help="NOT HONEST, a demonstration of what leaks do: rank on all rows, the test rows "
            "among them, then run the same trials.",
        ),
        click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors."),
        out.format_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


@command.command("microarray")
@_experiment_options
def microarray(**options: Any) -> None:
    """Table 3: four sets of gene expressions, and how stable the rankings of them are.

    A linear SVM on the first 50, 100, 150 and 200 features, by the paper's protocol. With --out,
    DIR/NAME holds the results on each data set, and DIR the stability of the rankings, Kuncheva's
    index for 10 to 200 features, as stability.csv and, with the extra 'plot', stability.png.
    """
    from featrank.reproduction.experiments import MICROARRAY

    _stability(_reproduce(MICROARRAY, options), options)


@command.command("challenge")
@_experiment_options
def challenge(**options: Any) -> None:
    """Table 4: GINA and MADELON.

    Where GINA is not to be had but gina_like_mnist is, that is run under its own name.
    """
    from featrank.reproduction.experiments import CHALLENGE

    _reproduce(CHALLENGE, options)


@command.command("planar-graphs")
@click.option(
    "--output",
    "--out",
    "-o",
    type=output_path,
    default="planar-graphs.png",
    show_default=True,
    help="Picture to write: .png, .svg or .pdf.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors.")
def planar_graphs(output: Path, seed: int, quiet: bool) -> None:
    """Three random planar graphs of 700 nodes, coloured by eigenvector centrality.

    Each is the Delaunay triangulation of random points. Needs the extra 'plot'.
    """
    from featrank.plots import require_figure_file, save
    from featrank.reproduction import planar

    require_figure_file(output)
    save(planar.figure(planar.planar_graphs(seed)), output)
    Messages(quiet).say(f"The figure is in {str(output)!r}.")


def _stability(comparisons: "dict[str, Comparison]", options: dict[str, Any]) -> None:
    """Write the stability of the rankings; without the extra for figures, its table alone."""
    folder, messages = options["folder"], Messages(options["quiet"])
    # Rankings on all rows are the same in every trial.
    if folder is None or options["leaky"]:
        return
    from featrank.plots import save
    from featrank.reproduction import stability

    sets = {name: stability.curves(comparison) for name, comparison in comparisons.items()}
    stability.write_csv(folder / "stability.csv", sets)
    if not any(sets.values()):
        messages.say("One trial has no stability: no figure is drawn.")
        return
    try:
        save(stability.figure(sets), folder / "stability.png")
    except MissingExtraError as error:
        messages.say(f"There is no stability.png. {error}")


def _reproduce(experiment: "Experiment", options: dict[str, Any]) -> "dict[str, Comparison]":
    messages = Messages(options["quiet"])
    layout = out.stdout_layout(options["layout"])
    found = _found(experiment, options, messages)
    if options["leaky"]:
        warnings.warn(f"{LEAKY}. These figures say nothing of new rows.", FeatrankWarning, 1)
    comparisons = _compared(found, options, messages)
    title = f"{LEAKY}\n{experiment.title}" if options["leaky"] else experiment.title
    _write(title, comparisons, found, layout)
    _close(comparisons, options["folder"], messages)
    return comparisons


def _found(experiment: "Experiment", options: dict[str, Any], messages: Messages) -> "Found":
    from featrank.reproduction.experiments import find, require_empty

    names = options["datasets"] and [name.strip() for name in options["datasets"].split(",")]
    with messages.working("Looking for the data sets"):
        found = find(experiment, names)
    for sentence in found.missing.values():
        warnings.warn(sentence, FeatrankWarning, stacklevel=1)
    if options["folder"] is not None and not options["resume"]:
        require_empty(options["folder"], [data.name for data in found.datasets])
    return found


def _compared(
    found: "Found", options: dict[str, Any], messages: Messages
) -> "dict[str, Comparison]":
    from featrank.evaluation import Protocol
    from featrank.reproduction.experiments import run
    from featrank.reproduction.methods import chosen

    methods = chosen(options["methods"])
    protocol = Protocol(
        trials=options["trials"],
        seed=options["seed"],
        test_share=test_share(options),
        leaky=options["leaky"],
    )
    comparisons = {}
    for data in found.datasets:
        with messages.progress(f"{data.name}: {len(methods)} methods, {protocol.trials} trials"):
            comparisons[data.name] = run(
                data,
                methods,
                protocol,
                out=options["folder"],
                jobs=options["jobs"],
                resume=options["resume"],
                time_limit=options["time_limit"],
                patience=options["patience"],
            )
        messages.remark(f"{data.name}: done.")
    return comparisons


def _write(title: str, comparisons: "dict[str, Comparison]", found: "Found", layout: str) -> None:
    from featrank.reproduction.report import as_rows, side_by_side

    stream = out.stdout_stream(layout)
    cells = {name: side_by_side(name, done) for name, done in comparisons.items()}
    rows = as_rows([cell for each in cells.values() for cell in each])
    if layout == "table":
        from featrank.cli.reproduced import tables

        out.write_rich(stream, *tables(title, cells))
    elif layout == "json":
        manifests = {name: done.manifest for name, done in comparisons.items()}
        content = {"cells": rows, "missing": found.missing, "manifests": manifests}
        out.write_json(stream, content)
    else:
        out.write_csv(stream, list(rows[0]), [list(row.values()) for row in rows])


def _close(comparisons: "dict[str, Comparison]", folder: Path | None, messages: Messages) -> None:
    for name, comparison in comparisons.items():
        for method, (count, reason) in comparison.failures().items():
            trials = len(comparison.trials)
            messages.say(f"{name}: {method} failed in {count} of {trials} trials: {reason}")
    if folder is not None:
        messages.say(f"Results are in {str(folder)!r}.")
