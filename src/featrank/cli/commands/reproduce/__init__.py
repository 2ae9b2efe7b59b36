"""``featrank reproduce``: run the experiments of the EC-FS paper."""

import click

from featrank.cli.groups import Commands

# Place in the list of commands.
ORDER = 4


@click.group("reproduce", cls=Commands, package=__name__)
def command() -> None:
    """Run the EC-FS paper's experiments and print its figures beside ours.

    \b
    featrank reproduce microarray --trials 20 --out-dir results
    featrank reproduce challenge --trials 20 --out-dir results --time-limit 600
    featrank reproduce microarray --datasets colon --trials 20 --leaky --out-dir leaky
    featrank reproduce planar-graphs --output graphs.png
    """
