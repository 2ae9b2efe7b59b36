"""``featrank reproduce planar-graphs``: random graphs, coloured by centrality."""

from pathlib import Path

import click

from featrank.cli.messages import Messages
from featrank.cli.options import output_path, quiet_option

# Place in the list of commands.
ORDER = 4


@click.command("planar-graphs")
@click.option(
    "--output",
    "-o",
    type=output_path,
    default="planar-graphs.png",
    help="Picture to write: .png, .svg or .pdf.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, metavar="N")
@quiet_option
def command(output: Path, seed: int, quiet: bool) -> None:
    """Three random planar graphs of 700 nodes, coloured by eigenvector centrality.

    Each is the Delaunay triangulation of random points. Needs the extra 'plot'.
    """
    from featrank.plots import require_figure_file, save
    from featrank.reproduction import planar, planar_graphs

    require_figure_file(output)
    save(planar.figure(planar_graphs(seed)), output)
    Messages(quiet).say(f"The figure is in {str(output)!r}.")
