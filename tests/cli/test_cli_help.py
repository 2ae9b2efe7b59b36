"""Help: grouped, short, complete, and readable at 80 columns."""

import re

import click
import pytest

from featrank.cli import main
from featrank.cli.grouped_help import (
    DATA,
    GROUPS,
    OTHER,
    GroupedCommand,
    grouped_command,
    option,
)


def commands(group=main, path=()):
    """Return every command with its path."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))


ALL = dict(commands())
PLAIN = {path: one for path, one in ALL.items() if not isinstance(one, click.Group)}


def options_of(command):
    return [one for one in command.params if isinstance(one, click.Option)]


@pytest.fixture(autouse=True)
def terminal_of_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize("path", [(), *ALL], ids=" ".join)
def test_no_line_is_longer_than_80(run, path):
    printed = run(*path, "--help").stdout
    assert max(len(line) for line in printed.splitlines()) <= 80


@pytest.mark.parametrize("path", [(), ("reproduce",)], ids=" ".join)
def test_summaries_are_whole(run, path):
    listed = run(*path, "--help").stdout.partition("Commands:\n")[2].splitlines()
    assert len(listed) > 3
    assert not [line for line in listed if line.endswith("...")]


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_a_summary_has_at_most_48_characters(path):
    summary = ALL[path].get_short_help_str(limit=1000)
    assert 10 < len(summary) <= 48, summary


@pytest.mark.parametrize("path", PLAIN, ids=" ".join)
def test_every_option_has_a_group_and_a_help_sentence(path):
    assert isinstance(PLAIN[path], GroupedCommand)
    for one in options_of(PLAIN[path]):
        assert one.group in GROUPS, one.name
        assert one.group != OTHER, one.name
        assert one.help, one.name
        assert one.help.endswith("."), one.name
        assert not re.search(r"\w; ", one.help), one.name


@pytest.mark.parametrize("path", PLAIN, ids=" ".join)
def test_every_default_is_shown(path):
    context = click.Context(
        PLAIN[path], info_name="x", parent=click.Context(main), show_default=True
    )
    for one in options_of(PLAIN[path]):
        shown = one.get_help_record(context)[1]
        assert one.is_flag or "[default: " in shown or "[required]" in shown, one.name


def test_groups_come_in_order_and_ungrouped_options_last(run):
    @grouped_command("x")
    @click.option("--loose")
    @option("--sep", group=DATA, help="Separator.")
    def x(**options):
        """Do it."""

    printed = x.get_help(click.Context(x))
    assert printed.index("Data:") < printed.index("--sep") < printed.index("Other:")
    assert printed.index("Other:") < printed.index("--loose")
    lines = run("rank", "-h").stdout.splitlines()
    assert [line[:-1] for line in lines if line.endswith(":") and line[0] != " "] == [
        one for one in GROUPS if one != "Evaluation"
    ]


def test_exit_codes_are_documented(run):
    printed = run("--help").stdout
    assert "Exit codes:" in printed
    assert all(f"  {code} " in printed for code in (0, 1, 2, 130, 141, 143))


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [(("rnk",), "'rank'"), (("methds",), "'methods'"), (("reproduce", "vok"), "'voc'")],
)
def test_unknown_commands_get_a_suggestion(run, words, suggestion):
    result = run(*words)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last.startswith(f"error: Unknown command {words[-1]!r}. Did you mean ")
    assert suggestion in last


def test_wrong_options_before_the_command_are_errors_in_the_same_style(run):
    result = run("--nonsense")
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("error: ")
