"""Options that several commands share."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from featrank._utils.method_lists import SELECT
from featrank.cli.grouped_help import (
    DATA,
    LARGE,
    METHOD,
    MISSING,
    OUTPUT,
    RUN,
    TARGET,
    Decorator,
    option,
)
from featrank.cli.params import parse_params
from featrank.exceptions import UsageError

HANDLE_MISSING = ("error", "skip", "mean", "median", "knn")
CATEGORICAL = ("error", "ordinal", "onehot", "drop")
DUPLICATES = ("error", "mean", "max", "first")


POSITIVE = click.IntRange(min=1)

quiet_option = option(
    "--quiet", "-q", is_flag=True, group=OUTPUT, help="Print only warnings and errors."
)


def add_options(*options: Decorator) -> Decorator:
    """Return a decorator that adds several options to a command, in this order."""

    def decorate(command: Any) -> Any:
        for each in reversed(options):
            command = each(command)
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


def choice_option(name: str, choices: Sequence[str], group: str, help: str) -> Decorator:
    """Return an option whose default is the first of its choices."""
    return option(name, type=click.Choice(choices), default=choices[0], group=group, help=help)


def jobs_option(workers: str, further: str = "") -> Decorator:
    """Return the option --jobs."""
    return option(
        "--jobs",
        "-j",
        type=int,
        default=-1,
        metavar="N",
        group=RUN,
        show_default="all cores",
        callback=_not_zero,
        help=f"Number of {workers}.{further}",
    )


def _not_zero(ctx: click.Context, param: click.Parameter, value: int) -> int:
    if value == 0:
        raise click.BadParameter("At least one worker is needed. Use -1 for all cores.")
    return value


file_argument = click.argument("file", type=click.Path(exists=True, path_type=Path))
table_argument = click.argument(
    "file", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)


def _reject_folders(
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
    callback=_reject_folders,
    type=click.Path(exists=True, path_type=Path),
)
drop_option = option(
    "--drop",
    "-d",
    multiple=True,
    metavar="LIST",
    group=DATA,
    show_default="none",
    help="Columns to ignore, separated by commas. Repeat the option for a name that contains a "
    "comma.",
)
target_option = option(
    "--target",
    "-t",
    metavar="COL",
    group=TARGET,
    show_default="labels stored in the file, if any",
    help="Target column, by name or position (-1 is the last). `featrank info FILE` lists "
    "candidates.",
)
groups_option = option(
    "--groups",
    metavar="COL",
    group=TARGET,
    show_default="none",
    help="Column of groups that cross-validation must not split, such as patients or batches. It "
    "is not ranked.",
)
target_bins = option(
    "--target-bins",
    type=click.IntRange(min=2),
    metavar="N",
    group=TARGET,
    show_default="no bins",
    help="Cut a numeric target into N classes of about equal size, lowest values first. With "
    "--task regression: bins for mutual information.",
)
task_option = choice_option(
    "--task",
    ("classification", "regression"),
    TARGET,
    "What the target holds: classes or numbers. `featrank methods --for regression` lists methods "
    "for numbers.",
)

# How a file becomes a table of samples × features.
transpose_option = option(
    "--transpose",
    is_flag=True,
    group=DATA,
    help="The file has features in rows and samples in columns.",
)
labels_option = option(
    "--labels",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    group=TARGET,
    show_default="none",
    help="Sample sheet with the target column, matched by sample ID. Without --target: a file "
    "with one label per line, or .npy.",
)
dialect_options = add_options(
    option(
        "--sep",
        metavar="CHAR",
        group=DATA,
        show_default="detected",
        help="Separator of a CSV or similar file: , ; | tab or space.",
    ),
    option(
        "--decimal",
        type=click.Choice([".", ","]),
        group=DATA,
        show_default="detected",
        help="Decimal mark of a CSV or similar file.",
    ),
    option(
        "--sheet",
        metavar="NAME",
        group=DATA,
        show_default="first sheet with data",
        help="Sheet of an Excel file.",
    ),
)
table_options = add_options(
    transpose_option,
    labels_option,
    option(
        "--id-column",
        metavar="COL",
        group=TARGET,
        show_default="detected",
        help="Column of sample IDs in the sample sheet (--labels).",
    ),
    option(
        "--names",
        metavar="COL",
        group=DATA,
        show_default="first column",
        help="Column of feature names, if features are in rows.",
    ),
    option(
        "--symbols",
        metavar="COL",
        group=DATA,
        show_default="first text column",
        help="Column of second feature names to show, if features are in rows.",
    ),
    dialect_options,
    option(
        "--na-values",
        default="",
        metavar="LIST",
        group=MISSING,
        show_default="none",
        help="More cells that mean a missing value, e.g. -,n.d.",
    ),
    choice_option("--duplicates", DUPLICATES, DATA, "How to combine features with the same name."),
    option(
        "--layer",
        metavar="NAME",
        group=DATA,
        show_default="none",
        help="Layer of an h5ad file to read instead of X.",
    ),
    option(
        "--use-raw/--no-use-raw",
        default=None,
        group=DATA,
        show_default="raw if it exists and is not counts",
        help="Rank raw, or X, of an h5ad file.",
    ),
    option(
        "--min-class-size",
        type=POSITIVE,
        default=3,
        metavar="N",
        group=TARGET,
        help="Leave out classes with fewer samples. 1 keeps all.",
    ),
)
#: The Python names of the options above.
TABLES = (
    "transpose", "names", "symbols", "labels", "id_column", "sep", "decimal", "na_values", "sheet",
    "min_class_size", "duplicates", "layer", "use_raw",
)  # fmt: skip
transform_option = option(
    "--transform",
    default="none",
    metavar="LIST",
    group=DATA,
    help="Transform the values: log1p, log2, log10, sqrt, floor:20 (lowest value), cpm (counts per "
    "million), clr (centred log-ratio), rank or none. Several are applied in order, e.g. cpm,log1p "
    "or floor:20,log2.",
)
max_missing_option = option(
    "--max-missing",
    type=click.FloatRange(0, 1),
    default=1.0,
    metavar="SHARE",
    group=MISSING,
    help="Ignore features with a larger share of missing values, e.g. 0.2.",
)
categorical_option = choice_option(
    "--categorical",
    CATEGORICAL,
    MISSING,
    "How to handle text columns: stop, number the categories, make a 0/1 column per category, or "
    "ignore them.",
)


def top_option(verb: str, default: str | None = None) -> Decorator:
    """Return the option --top."""
    return option(
        "--top",
        "-k",
        type=Count(),
        metavar="K",
        group=METHOD,
        show_default=default,
        help=f"{verb} the K best features. auto: as many as the method selects "
        f"({', '.join(SELECT)}).",
    )


#: The options that `rank` and `select` share.
ranking_options = add_options(
    tables_argument,
    target_option,
    task_option,
    option(
        "--method",
        "-m",
        default="ec-fs",
        metavar="NAME",
        group=METHOD,
        help="Ranking method. `featrank methods` lists them.",
    ),
    option(
        "--param",
        "-p",
        "params",
        multiple=True,
        metavar="NAME=VALUE",
        callback=parse_params,
        group=METHOD,
        show_default="the method's own defaults",
        help="Parameter of the method, e.g. alpha=0.3. Repeat it for several.",
    ),
    option(
        "--fdr",
        type=click.FloatRange(min=0, max=1, min_open=True, max_open=True),
        metavar="LEVEL",
        group=METHOD,
        show_default="none",
        help="Find the features that can be claimed at this false discovery rate, e.g. 0.1.",
    ),
    drop_option,
    choice_option(
        "--missing",
        HANDLE_MISSING,
        MISSING,
        "How to handle missing values: stop, use only the values that are present (skip, fast "
        "methods only), or fill in. knn: from the 5 most similar samples.",
    ),
    categorical_option,
    max_missing_option,
    table_options,
    target_bins,
    groups_option,
    option(
        "--keep",
        multiple=True,
        metavar="LIST",
        group=DATA,
        show_default="none",
        help="Non-feature columns to copy to the output (JSON, and files of `featrank select`).",
    ),
    transform_option,
    jobs_option("threads", " It does not change the result."),
    option(
        "--memory",
        metavar="SIZE",
        group=LARGE,
        show_default="a quarter of the free memory",
        help="Memory limit for reading in chunks, e.g. 4GB.",
    ),
    option(
        "--workers",
        type=POSITIVE,
        metavar="N",
        group=LARGE,
        show_default="none",
        help="Read in chunks with N Dask processes on this computer.",
    ),
    option(
        "--scheduler",
        metavar="ADDRESS",
        group=LARGE,
        show_default="none",
        help="Read in chunks on a Dask cluster, e.g. tcp://host:8786.",
    ),
    option(
        "--checkpoint",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        group=LARGE,
        show_default="none",
        help="Read in chunks, and save progress to FILE to resume an interrupted run.",
    ),
)


def ranking_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """Return the keywords of ``rank_file`` and ``select_file`` for the shared options."""
    own = ("files", "params", "jobs", "quiet", "task")
    shared = {name: value for name, value in options.items() if name not in own}
    task = {"task": options["task"]} if options["task"] == "regression" else {}
    return {**shared, "n_jobs": options["jobs"], **task, **options["params"]}


_RUN_OPTIONS = (
    option(
        "--out-dir",
        "folder",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        group=OUTPUT,
        show_default="not saved",
        help="Folder to save all results to.",
    ),
    option(
        "--resume",
        is_flag=True,
        group=RUN,
        help="Continue the run in --out-dir instead of starting again.",
    ),
    jobs_option("processes"),
    option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        metavar="S",
        group=RUN,
        show_default="none",
        help="Time limit for one method in one trial, in seconds.",
    ),
    option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
        group=RUN,
        help="Random seed. The same seed gives the same splits and numbers.",
    ),
    option(
        "--test-size",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        metavar="SHARE",
        group=RUN,
        show_default="1/3",
        help="Share of the samples in the test set.",
    ),
)


against_option = option(
    "--against",
    metavar="NAME",
    group=METHOD,
    show_default="ec-fs, or else the best",
    help="Reference method, which is tested against each other method.",
)
paper_methods = option(
    "--methods",
    "-m",
    default="paper",
    metavar="LIST",
    group=METHOD,
    help="Names separated by commas, or a list: 'paper' (those of the paper, and ec-fs-toolbox), "
    "'main' (paper and its closest competitors), 'others' or 'all'.",
)


def run_options(command: Callable[..., None]) -> Any:
    """Add the options of commands that run trials."""

    @wraps(command)
    def checked(**values: Any) -> None:
        if values["resume"] and values["folder"] is None:
            raise click.UsageError("--resume needs the folder of the run. Add --out-dir DIR.")
        command(**values)

    return add_options(*_RUN_OPTIONS)(checked)


output_path = click.Path(dir_okay=False, path_type=Path)


def plot_option(help: str) -> Decorator:
    """Return the option --plot."""
    return option(
        "--plot",
        type=output_path,
        metavar="FILE",
        group=OUTPUT,
        show_default="none",
        help=f"{help} (.png, .svg or .pdf).",
    )


def report_options(result: str) -> Decorator:
    """Return the options of an HTML report on a result."""
    return add_options(
        option(
            "--report",
            type=output_path,
            metavar="FILE",
            group=OUTPUT,
            show_default="none",
            help=f"Save an HTML report of the {result}, e.g. report.html.",
        ),
        option(
            "--points",
            is_flag=True,
            group=OUTPUT,
            help="Show single samples in the HTML report.",
        ),
    )


def check_output(output: Path, files: Iterable[Path]) -> None:
    """Reject an output file that cannot or must not be written."""
    require_folder(output)
    if output.exists() and any(output.samefile(file) for file in files):
        raise UsageError(f"{str(output)!r} is the input file. Use another name for --output.")


def require_folder(output: Path) -> None:
    """Raise an error if the folder of an output file does not exist."""
    if not output.parent.is_dir():
        raise UsageError(f"The folder {str(output.parent)!r} does not exist. Create it first.")
