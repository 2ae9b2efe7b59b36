"""``featrank open``: the page of results, written and shown in the browser."""

from pathlib import Path

import click

from featrank.cli.folders import folder_path
from featrank.cli.messages import Messages
from featrank.cli.options import quiet_option
from featrank.cli.pages import max_features, write_page

# Place in the list of commands.
ORDER = 4.5


@click.command("open")
@click.argument("folders", metavar="DIR...", type=folder_path, nargs=-1, required=True)
@max_features
@quiet_option
def command(folders: tuple[Path, ...], max_features: int, quiet: bool) -> None:
    """Write the page of DIR as `featrank report` does, and open it in the browser.

    \b
    featrank open results
    """
    import webbrowser

    messages = Messages(quiet)
    path = write_page(folders, None, max_features, messages)
    if not webbrowser.open(path.resolve().as_uri()):
        messages.say("No browser was found. Open the file yourself.")
