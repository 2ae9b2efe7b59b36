"""Options that several commands share."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from featrank._utils.method_lists import ACCEPT_NAN_FOR_REGRESSION, SINGLE_PASS
from featrank.cli import files
from featrank.cli.params import parse_params
from featrank.exceptions import UsageError

MISSING = ("error", "skip", "mean", "median", "knn")
CATEGORICAL = ("error", "ordinal", "onehot", "drop")
DUPLICATES = ("error", "mean", "max", "first")


POSITIVE = click.IntRange(min=1)

Decorator = Callable[[Any], Any]

quiet_option = click.option(
    "--quiet", "-q", is_flag=True, help="Say nothing but warnings and errors."
)


def add_options(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options to a command, in this order."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


class Count(click.ParamType):
    """A number of features, or auto."""

    name = "count"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | str:
        """Return the number, or "auto" as it is."""
        if value == "auto":
            return "auto"
        return int(POSITIVE.convert(value, param, ctx))


class LazyChoice(click.ParamType):
    """One of the keys of a mapping, whose module is imported on use."""

    name = "choice"

    def __init__(self, module: str, mapping: str):
        self.module, self.mapping = module, mapping

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return the names, for help."""
        return self._choice().get_metavar(param, ctx)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name, or raise an error."""
        return self._choice().convert(value, param, ctx)

    def _choice(self) -> click.Choice[str]:
        return click.Choice(list(getattr(import_module(self.module), self.mapping)))


MEASURES = LazyChoice("featrank.statistics", "MEASURES")


def choice_option(name: str, choices: Sequence[str], help: str | None = None) -> Decorator:
    """Return an option whose default is the first of its choices."""
    return click.option(name, type=click.Choice(choices), default=choices[0], help=help)


def jobs_option(help: str) -> Decorator:
    """Return the option --jobs."""
    name = ("--jobs", "-j")
    return click.option(
        *name, type=int, default=-1, show_default=False, callback=_not_zero, help=help
    )


def _not_zero(ctx: click.Context, param: click.Parameter, value: int) -> int:
    if value == 0:
        raise click.BadParameter("0 workers do no work. Give 1 or more, or -1 for every core.")
    return value


table_argument = click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


def _no_folders(
    ctx: click.Context, param: click.Parameter, paths: tuple[Path, ...]
) -> tuple[Path, ...]:
    """Reject folders, except those that are one table."""
    from featrank.tables.format import module_of

    for path in paths:
        module = module_of(path)
        if path.is_dir() and not (module and module.FORMAT.folder):
            raise click.BadParameter(f"File {str(path)!r} is a directory.")
    return paths


tables_argument = click.argument(
    "files",
    metavar="FILE...",
    nargs=-1,
    required=True,
    callback=_no_folders,
    type=click.Path(exists=True, path_type=Path),
)
target_option = click.option("--target", "-t", metavar="COL", cls=files.TargetOption)
groups_option = click.option(
    "--groups",
    metavar="COL",
    help="Column whose equal values stay on one side of every split, such as patients, or batches, "
    "which are then held out whole; it is not ranked.",
)
target_bins = click.option(
    "--target-bins",
    type=click.IntRange(min=2),
    metavar="N",
    help="Make N classes of a target that is a quantity, of about as many samples each; class 0 "
    "has the lowest values. With --task regression: bins for mutual information.",
)
task_option = choice_option(
    "--task",
    ("classification", "regression"),
    "What the target is: names of classes, or a quantity; `featrank methods --for regression` "
    "lists who takes one.",
)

# How a file becomes a table, where it is not plain samples in rows.
table_options = add_options(
    click.option(
        "--transpose",
        is_flag=True,
        help="The file has features in rows and samples in columns, the names of the features "
        "first.",
    ),
    click.option(
        "--names",
        metavar="COL",
        help="Where features are in rows: the column of their names, in the place of the first.",
    ),
    click.option(
        "--symbols",
        metavar="COL",
        help="Where features are in rows: the column of second names, which are shown beside.",
    ),
    click.option(
        "--labels",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Sheet about the samples, in which --target is a column, matched by their ids; or, "
        "without --target, a file of labels, .npy or text with one a line.",
    ),
    click.option(
        "--id-column",
        metavar="COL",
        help="Column of ids in that sheet; by default the one that holds ids, or the first.",
    ),
    click.option("--sep", metavar="CHAR", help="Separator of a text file: ; | tab space. [auto]"),
    click.option("--decimal", type=click.Choice([".", ","]), help="Decimal mark. [auto]"),
    click.option(
        "--na-values",
        default="",
        show_default=False,
        metavar="LIST",
        help="More cells that mean a missing value, such as -,n.d.",
    ),
    click.option("--sheet", metavar="NAME", help="Sheet of an Excel file. [first with data]"),
    choice_option("--duplicates", DUPLICATES, "What several features of one name become."),
    click.option("--layer", metavar="NAME", help="Layer of an h5ad file, in the place of X."),
    click.option("--use-raw", is_flag=True, help="Raw of an h5ad file, in the place of X."),
)
#: The Python names of the options above.
TABLES = (
    "transpose", "names", "symbols", "labels", "id_column", "sep", "decimal", "na_values", "sheet",
    "duplicates", "layer", "use_raw",
)  # fmt: skip
transform_option = click.option(
    "--transform",
    default="none",
    metavar="LIST",
    help="What becomes of the values, after gaps are filled: log1p, cpm (counts per million of a "
    "sample), clr (centred log-ratios of a sample), rank, none; or several, such as cpm,log1p, in "
    "that order.",
)
max_missing_option = click.option(
    "--max-missing",
    type=click.FloatRange(0, 1),
    default=1.0,
    metavar="SHARE",
    help="Leave out features of which a larger share of the values is missing, such as 0.2.",
)
treatment_options = add_options(transform_option, max_missing_option)
keep_option = click.option(
    "--keep",
    multiple=True,
    metavar="LIST",
    help="Columns that are no features and travel along, into JSON and what select writes.",
)

#: The options that `rank` and `select` share.
ranking_options = add_options(
    tables_argument,
    target_option,
    target_bins,
    task_option,
    groups_option,
    click.option(
        "--method",
        "-m",
        default="ec-fs",
        metavar="NAME",
        help="Ranking method; `featrank methods` lists them.",
    ),
    click.option(
        "--param",
        "-p",
        "params",
        multiple=True,
        metavar="NAME=VALUE",
        callback=parse_params,
        help="Parameter of the method, such as alpha=0.3. May be repeated.",
    ),
    click.option(
        "--drop",
        "-d",
        multiple=True,
        metavar="LIST",
        help="Columns to leave out, with commas between them. May be repeated, as it must be for "
        "a name that holds a comma.",
    ),
    choice_option(
        "--missing",
        MISSING,
        "What to do about missing values: refuse them, rank each feature by the values that "
        f"it has (for classes: {', '.join(SINGLE_PASS)}; also for quantities: "
        f"{', '.join(ACCEPT_NAN_FOR_REGRESSION)}), or fill them in; knn: from the most similar "
        "samples.",
    ),
    choice_option("--categorical", CATEGORICAL, "What to do about features that are text."),
    jobs_option("Threads; -1, the default, is every core. The result does not depend on it."),
    table_options,
    keep_option,
    max_missing_option,
    transform_option,
    click.option(
        "--memory",
        metavar="SIZE",
        help="Read in parts that take at most so much together, such as 4GB; by default files "
        "larger than a quarter of the free memory are read in parts that take so much. Formats "
        "that are only read whole are refused beyond it.",
    ),
    click.option(
        "--workers",
        type=POSITIVE,
        metavar="N",
        help="Read in parts, by N processes of Dask on this machine.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Read in parts, on the Dask cluster of this scheduler (tcp://host:port).",
    ),
    click.option(
        "--checkpoint",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Read in parts, and go on from this file after a stop; it is removed at the end.",
    ),
    quiet_option,
)


def ranking_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``rank_file`` and ``select_file`` for the shared options."""
    own = ("files", "params", "jobs", "quiet", "task")
    shared = {name: value for name, value in options.items() if name not in own}
    task = {"task": options["task"]} if options["task"] == "regression" else {}
    return {**shared, "n_jobs": options["jobs"], **task, **options["params"]}


_OF_RUNS = (
    jobs_option("Processes; -1, the default: every core."),
    click.option(
        "--out-dir",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        help="Results folder.",
    ),
    click.option("--resume", is_flag=True, help="Go on with the trials that the folder holds."),
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
        help="Seconds that a method may take for one trial.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        help="Same seed, same splits and numbers.",
    ),
    click.option(
        "--test-size",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="S",
        help="Share of the rows that is held out for the test; by default 1/3.",
    ),
)


against_option = click.option(
    "--against",
    metavar="NAME",
    help="Method to test against each other one; by default ec-fs, or else the best.",
)
paper_methods = click.option(
    "--methods",
    "-m",
    default="paper",
    metavar="LIST",
    help="Names with commas between them, 'paper' for the paper's and EC-FS as the authors' "
    "toolbox computes it (ec-fs-toolbox), 'main' for these and their nearest rivals, 'others' "
    "for the rest, or 'all'.",
)


def run_options(command: Callable[..., None]) -> Any:
    """Add the options of commands that run trials."""

    @wraps(command)
    def checked(**values: Any) -> None:
        if values["resume"] and values["folder"] is None:
            raise click.UsageError(
                "--resume goes on with a folder of results: name it with --out-dir DIR."
            )
        command(**values)

    return add_options(*_OF_RUNS)(checked)


output_path = click.Path(dir_okay=False, path_type=Path)


def page_options(what: str) -> Decorator:
    """Return the options of a page on something."""
    about = f"Write a page on the {what}, such as report.html."
    return add_options(
        click.option("--report", "page", type=output_path, metavar="FILE", help=about),
        click.option(
            "--points", is_flag=True, help="Draw single samples into the page (--report)."
        ),
    )


def check_output(output: Path, files: Iterable[Path]) -> None:
    """Reject an output file that cannot or must not be written."""
    require_folder(output)
    if output.exists() and any(output.samefile(file) for file in files):
        raise UsageError(f"{str(output)!r} is the input itself. Give --output another name.")


def require_folder(output: Path) -> None:
    """Raise an error if the folder of an output file does not exist."""
    if not output.parent.is_dir():
        raise UsageError(f"There is no folder {str(output.parent)!r} to write to. Create it first.")
