"""Folders of results, as the commands that read them again take them."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from featrank.cli.messages import Messages
from featrank.exceptions import DataError

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

folder_path = click.Path(exists=True, file_okay=False, path_type=Path)


def read_results(path: Path, messages: Messages) -> "Comparison":
    """Return the finished trials of a folder; there must be one."""
    from featrank.evaluation import read_comparison

    comparison = read_comparison(path)
    done, planned = len(comparison.trials), comparison.manifest["trials"]
    if not done:
        raise DataError(
            f"{str(path)!r} holds no finished trial. Run `featrank compare` with --resume first."
        )
    if done < planned:
        messages.say(f"{done} of {planned} trials in {str(path)!r} are finished; these count.")
    return comparison
