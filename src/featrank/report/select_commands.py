"""The `featrank select` command that selects features like a method of a comparison."""

from __future__ import annotations

import re
import shlex
from typing import Any

from featrank.exceptions import UsageError

# Parameters with an option of their own, or that do not change the ranking.
_OTHERWISE = {"n_features_to_select", "n_jobs"}
# Strings that `--param` reads as strings. Words such as none are not.
_WORD = re.compile(r"(?!(?:true|false|none|nan|inf|infinity)$)[a-z][\w.-]*", re.IGNORECASE)


def select_command(entry: dict[str, Any]) -> list[str] | None:
    """Return the command before and after the number of features.

    Parameters
    ----------
    entry : dict
        A method as the manifest of a comparison describes it: ``method`` and ``params``.

    Returns
    -------
    list of two str, or None
        None without such a command: for custom rankers, and for parameters that cannot be
        typed.

    Examples
    --------
    >>> before, after = select_command({"method": "ec-fs", "params": {"alpha": 0.3}})
    >>> f"{before} 20 {after}"
    'featrank select FILE --target COL -m ec-fs --param alpha=0.3 --top 20 --output small.csv'
    """
    from featrank.base.registry import method

    try:
        usual = method(entry["method"])().get_params()
    except UsageError:
        return None
    changed = {
        name: value
        for name, value in entry["params"].items()
        if name not in _OTHERWISE and not _same(value, usual.get(name))
    }
    if not all(map(_typable, changed.values())):
        return None
    words = ["-m", entry["method"]]
    if "task" in changed:
        words += ["--task", str(changed.pop("task"))]
    for name, value in changed.items():
        words += ["--param", f"{name}={value}"]
    return [f"featrank select FILE --target COL {shlex.join(words)} --top", "--output small.csv"]


def _same(value: Any, usual: Any) -> bool:
    """Whether a value of a manifest is the default. Manifests contain some as their repr."""
    return bool(value == usual) or value == repr(usual)


def _typable(value: Any) -> bool:
    return not isinstance(value, str) or _WORD.fullmatch(value) is not None
