"""Messages in the user's own interface: Python parameters become command-line options.

The package writes its messages for Python, with code in backticks: "Use `missing="mean"`." The
command line shows the same message as "Use --missing mean."
"""

import re
import shlex
from typing import Any

import click

from featrank._utils.user_terms import user_terms

_CODE = re.compile(r"`([^`]+)`")
# Python code at the end of a sentence, which is complete without it.
_EXAMPLE = re.compile(r": `([^`]*\([^`]*)`(?=\.|$)")
_DROPPED = re.compile(r"X\.drop\(columns=(\[.*\])\)")
_SETTING = re.compile(r"([a-z_]+)(?:=(.*))?", re.DOTALL)
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")

# Calls and parameters whose option has another name.
_CALLS = {
    "featrank.bin_target(y, 3)": "--target-bins 3",
    "rankings[label]": "--of-class LABEL",
    "resume=True": "--resume",
}
_RENAMED = {
    "folder": "out_dir",
    "n_features_to_select": "top",
    "n_jobs": "jobs",
    "n_planted": "planted",
    "n_repeats": "trials",
    "n_runs": "runs",
    "random_state": "seed",
    "scoring": "metric",
    "values": "value_scale",
}

_COMMAND = "featrank.command"


def remember_command(ctx: click.Context, command: click.Command) -> None:
    """Store the command that runs, whose options messages and reports refer to."""
    ctx.meta[_COMMAND] = command
    ctx.with_resource(user_terms(in_shell_terms))


def in_shell_terms(message: str) -> str:
    """Return a message with options of the running command instead of Python parameters.

    Examples
    --------
    >>> in_shell_terms('Use `"mean"`, or make classes: `featrank.bin_target(y, 3)`.')
    'Use mean, or make classes: --target-bins 3.'
    >>> in_shell_terms("Convert them to days: `(y - y.min()).dt.days`.")
    'Convert them to days.'
    """
    context = click.get_current_context(silent=True)
    command = context.meta.get(_COMMAND) if context else None
    options = {option.opts[0]: option for option in command.params} if command else {}

    def without_python(found: re.Match[str]) -> str:
        shown = _translated(found[1], options)
        return "" if shown.startswith("`") else f": {shown}"

    message = _EXAMPLE.sub(without_python, message)
    return _CODE.sub(lambda found: _translated(found[1], options), message)


def _translated(code: str, options: dict[str, Any]) -> str:
    if code in _CALLS:
        return _CALLS[code]
    if _STRING.fullmatch(code):
        return code[1:-1]
    setting = _SETTING.fullmatch(_DROPPED.sub(r"drop=\1", code))
    if setting is None:
        return f"`{code}`"
    name, value = setting.groups()
    option = "--" + _RENAMED.get(name, name).replace("_", "-")
    if option in options and value == "False" and options[option].secondary_opts:
        return str(options[option].secondary_opts[0])
    if option in options:
        return f"{option} {_value(value, options[option])}".rstrip()
    if value is not None and "--param" in options:
        return f"--param {name}={_value(value, None)}"
    return f"`{code}`"


def _value(value: str | None, option: Any) -> str:
    """Return a Python value as a word of the command line."""
    if value is None or (option is not None and option.is_flag):
        return ""
    if value == "...":
        return "VALUE" if option is None else option.make_metavar(click.get_current_context())
    quoted = re.fullmatch(r"(['\"])(.*)\1", value)
    if quoted and quoted[1] not in quoted[2]:
        return shlex.quote(quoted[2])
    parts = value.strip("()[]").split(",")
    return shlex.quote(",".join(part.strip().strip("'\"") for part in parts if part))
