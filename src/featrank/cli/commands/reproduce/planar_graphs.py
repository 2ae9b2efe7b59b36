"""``featrank reproduce planar-graphs``: random graphs, coloured by centrality."""

from pathlib import Path

import click

from featrank.cli.grouped_help import OUTPUT, RUN, grouped_command, option
from featrank.cli.messages import Messages
from featrank.cli.options import output_path, quiet_option

# Place in the list of commands.
ORDER = 4


@grouped_command("planar-graphs")
@option(
    "--output",
    "-o",
    type=output_path,
    default="planar-graphs.png",
    metavar="FILE",
    group=OUTPUT,
    help="File for the plot (.png, .svg or .pdf).",
)
@option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    group=RUN,
    help="Random seed. The same seed gives the same graphs.",
)
@quiet_option
def command(output: Path, seed: int, quiet: bool) -> None:
    """Draw random planar graphs by centrality.

    Three graphs of 700 nodes are coloured by eigenvector centrality. Each is the Delaunay
    triangulation of random points. This needs the extra 'plot'.
    """
    from featrank.plots import require_figure_file, save
    from featrank.reproduction import planar, planar_graphs

    require_figure_file(output)
    save(planar.draw_graphs(planar_graphs(seed)), output)
    Messages(quiet).say(f"Drew {str(output)!r}.")
