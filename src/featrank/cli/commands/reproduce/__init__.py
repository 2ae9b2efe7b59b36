"""``featrank reproduce``: rerun the experiments of the EC-FS paper."""

import click

from featrank.cli.groups import Commands

# Place in the list of commands.
ORDER = 12


@click.group("reproduce", cls=Commands, package=__name__)
def command() -> None:
    """Rerun the experiments of the EC-FS paper.

    The published numbers are printed next to the new ones.

    \b
    featrank reproduce microarray --trials 20 --out-dir results
    featrank reproduce challenge --trials 20 --time-limit 600
    featrank reproduce microarray --datasets colon --trials 20 --leaky
    featrank reproduce planar-graphs --output graphs.png
    """
