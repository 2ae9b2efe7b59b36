"""The `featrank select` command that chooses as a method of a comparison does."""

from __future__ import annotations

import re
import shlex
from typing import Any

from featrank.exceptions import UsageError

# Parameters that the command has an option for, or that do not change the ranking.
_OTHERWISE = {"n_features_to_select", "n_jobs"}
# What `--param` reads as a text; words such as none it does not.
_WORD = re.compile(r"(?!(?:true|false|none|nan|inf|infinity)$)[a-z][\w.-]*", re.IGNORECASE)


def select_command(entry: dict[str, Any]) -> list[str] | None:
    """Return what to type before and after the number of features.

    Parameters
    ----------
    entry : dict
        A method as the manifest of a comparison describes it: ``method`` and ``params``.

    Returns
    -------
    list of two str, or None
        None where no command does the same: rankers of the user's own, and parameters that
        cannot be typed.

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
    """Whether a value of a manifest is that of a ranker; manifests hold some as their repr."""
    return bool(value == usual) or value == repr(usual)


def _typable(value: Any) -> bool:
    return not isinstance(value, str) or _WORD.fullmatch(value) is not None
