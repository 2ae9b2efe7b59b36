"""Find featrank's functions, keywords, attributes and flags by their new or their old names.

Cases use the new names. A version that does not have one yet is asked for the old name. If a
module or a name moves again, this file is the only one to change.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest import mock

# Where public and internal objects are, as "module:attribute"; the first that exists is used.
HOMES: dict[str, tuple[str, ...]] = {
    "open_dataset": (
        "featrank:open_dataset",
        "featrank.sources:open_dataset",
        "featrank.sources:open_source",
    ),
    "Blocks": ("featrank:Blocks", "featrank.sources:Blocks"),
    "FeatureRanges": ("featrank.summaries:FeatureRanges", "featrank.summaries:Ranges"),
    "ClassSummary": ("featrank.summaries:ClassSummary", "featrank.summaries:Summary"),
    "NFeaturesCV": (
        "featrank.evaluation:NFeaturesCV",
        "featrank:NFeaturesCV",
        "featrank.evaluation:FeatureCountCV",
    ),
    "Protocol": ("featrank.evaluation:Protocol",),
    "compare": ("featrank.evaluation:compare",),
    "compare_file": ("featrank:compare_file", "featrank.evaluation:compare_file"),
    "read_table": ("featrank.tables:read_table", "featrank.tables:read"),
    "recommended_k": (
        "featrank.statistics:recommended_k",
        "featrank.statistics:one_standard_error_k",
        "featrank.statistics:smallest_enough",
    ),
    "ranking_overlap": ("featrank.statistics:ranking_overlap", "featrank.statistics:agreement"),
    "correlation_clusters": (
        "featrank.statistics:correlation_clusters",
        "featrank.statistics:clusters",
    ),
    "LocalEngine": ("featrank.engines.local_engine:LocalEngine",),
    "cli": ("featrank.cli:main",),
}

# Internals that cases replace, as "module:attribute". See `patched`.
INTERNALS: dict[str, tuple[str, ...]] = {
    "chunk size": (
        "featrank.data.reader:Reader.block_bytes",
        "featrank.summaries.reader:Reader.block_bytes",
    ),
    "checkpoint pause": ("featrank.data.checkpoint:PAUSE", "featrank.summaries.checkpoint:PAUSE"),
    "checkpoint share": ("featrank.data.checkpoint:SHARE", "featrank.summaries.checkpoint:SHARE"),
}

# Keywords of functions and classes: new name → old name.
KEYWORDS = {
    # Protocol
    "n_repeats": "trials",
    "n_features": "ks",
    "test_size": "test_share",
    "inner_cv": "folds",
    "imputer": "impute",
    "estimator": "classifier",
    "scoring": "scorer",
    "cv": "splitter",
    "param_grids": "grids",
    "random_state": "seed",
    # compare
    "n_jobs": "jobs",
    "out_dir": "out",
    # files
    "id_column": "labels_key",
    "value_scale": "values",
}

# Attributes and methods: new name → old name.
ATTRIBUTES = {
    "notes": "remarks",
    "tuned_params": "chosen",
    "is_regression": "of_quantity",
    "score_components": "parts",
    "methods_with_baseline": "everyone",
    "reference_method": "proposed",
    "missing_parts": "lacks",
    "pairwise_tests": "differences",
    "n_features": "ks",
}

# Fitted attributes, by class: old name → new name.
FITTED = {"FeatureCountCV": {"k_": "n_features_"}}

# Keys of results (columns of frames, tuned parameters): old name → new name.
KEYS: dict[str, str] = {}

# Fields in the repr of results: old start → new start.
REPRS = {"Difference(proposed=": "Difference(reference="}

# Names of exception and warning classes: old name → new name.
TYPES: dict[str, str] = {}

# Flags of the command line: new name → old name; the same for values of a flag.
FLAGS = {
    "--out-dir": "--out",
    "--n-features": "--features",
    "--test-size": "--test-share",
    "--id-column": "--labels-key",
    "--value-scale": "--values",
    "--n-repeats": "--trials",
}
FLAG_VALUES = {("--for", "regression"): "quantity"}

# Entries of `vars(estimator)` that are not results.
NOT_RESULTS = ("summary_",)


def find(name: str) -> Any:
    """Return a function or class of featrank by its new name."""
    return _first(HOMES[name], f"names.HOMES[{name!r}]")[2]


def renamed(function: Any, keywords: dict[str, Any]) -> dict[str, Any]:
    """Return keywords under the names that a function or class takes."""
    known = inspect.signature(function).parameters
    found = {}
    for name, value in keywords.items():
        if name not in known and KEYWORDS.get(name) in known:
            name = KEYWORDS[name]
            value = () if (name, value) == ("ks", "auto") else value
        found[name] = value
    return found


def call(function: Any, *args: Any, **keywords: Any) -> Any:
    """Call a function, or one from `HOMES` by its name, with keywords under their new names."""
    if isinstance(function, str):
        function = find(function)
    return function(*args, **renamed(function, keywords))


def value(thing: Any, name: str) -> Any:
    """Return an attribute by its new name; methods without arguments are called."""
    if not hasattr(type(thing), name) and not hasattr(thing, name):
        name = ATTRIBUTES.get(name, name)
    found = getattr(thing, name)
    return found() if callable(found) else found


def has(thing: Any, name: str) -> bool:
    """Whether there is an attribute of this new name, or of the old one."""
    return hasattr(thing, name) or hasattr(thing, ATTRIBUTES.get(name, name))


def fitted(estimator: Any) -> dict[str, Any]:
    """Return the fitted attributes of an estimator under their new names."""
    changed = FITTED.get(type(estimator).__name__, {})
    return {
        changed.get(name, name): found
        for name, found in sorted(vars(estimator).items())
        if name.endswith("_") and not name.startswith("_") and name not in NOT_RESULTS
    }


def key(name: Any) -> str:
    """Return the key of a result under its new name."""
    return KEYS.get(str(name), str(name))


def type_name(cls: type) -> str:
    """Return the name of an exception or warning class, under its new name."""
    return TYPES.get(cls.__name__, cls.__name__)


def arguments(command: str, args: tuple[Any, ...]) -> list[str]:
    """Return arguments of the command line under the flags that a command takes."""
    import click

    main = find("cli")
    with click.Context(main) as context:
        own = main.get_command(context, command)
        known = set() if own is None else {flag for param in own.params for flag in param.opts}
        choices = {} if own is None else _choices(own)
    found: list[str] = []
    for argument in map(str, args):
        if argument not in known and FLAGS.get(argument) in known:
            argument = FLAGS[argument]
        pair = (found[-1], argument) if found else ("", "")
        if pair in FLAG_VALUES and argument not in choices.get(pair[0], (argument,)):
            argument = FLAG_VALUES[pair]
        found.append(argument)
    return found


def _choices(command: Any) -> dict[str, list[str]]:
    """Return the values that flags with a choice take."""
    found = {}
    for param in command.params:
        kind = param.type
        values = getattr(kind, "choices", None) or getattr(kind, "names", None)
        if values is not None:
            found |= {flag: list(values() if callable(values) else values) for flag in param.opts}
    return found


@contextmanager
def patched(
    targets: dict[str, Any], homes: dict[str, tuple[str, ...]] = INTERNALS
) -> Iterator[None]:
    """Replace internals, named as in `homes`, while the block runs.

    A replacement that is a function with a parameter ``original`` gets the original through it.
    """
    with ExitStack() as stack:
        for name, replacement in targets.items():
            owner, attribute, original = _first(homes[name], f"the entry {name!r}")
            if callable(replacement) and "original" in inspect.signature(replacement).parameters:
                replacement = _bound(replacement, original)
            stack.enter_context(mock.patch.object(owner, attribute, replacement))
        yield


def _bound(replacement: Any, original: Any) -> Any:
    return lambda *args, **keywords: replacement(*args, original=original, **keywords)


def _first(homes: tuple[str, ...], entry: str) -> tuple[Any, str, Any]:
    """Return the owner, the attribute and its value of the first home that exists."""
    for home in homes:
        module, _, path = home.partition(":")
        *owners, attribute = path.split(".")
        try:
            owner = import_module(module)
            for name in owners:
                owner = getattr(owner, name)
            return owner, attribute, getattr(owner, attribute)
        except (ImportError, AttributeError):
            continue
    raise LookupError(f"featrank has none of {', '.join(homes)}. Update {entry}.")
