"""``featrank.rank``: one call from data to a ranking with names."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Literal, cast, overload

import numpy as np
from numpy.typing import NDArray

from featrank._utils.plain_text import split_names
from featrank._utils.sklearn import InvalidParameterError, take_rows
from featrank._utils.warn import collect_warnings, warn_user
from featrank.base.ranker import Ranker, settings_of
from featrank.base.registry import method as find_method
from featrank.base.registry import methods
from featrank.data.annotated import split_anndata
from featrank.data.named_columns import take_named
from featrank.data.opening import fit_options, is_source, load_source, options_of, source_of
from featrank.data.transformed import transformed
from featrank.data.used_rows import use_labelled_rows
from featrank.error_control.of_rankings import control_rankings, require_control
from featrank.exceptions import FeatrankWarning, UsageError, unknown_name
from featrank.ranking import SHOWN, ClassRankings, Provenance, Ranking
from featrank.ranking.data_warnings import data_warning, design_warnings, obs_batches
from featrank.ranking.evidence import Evidence, SourceData
from featrank.ranking.feature_details import Classes
from featrank.ranking.warnings import (
    at_chance,
    caution,
    likely_leak,
    rare_features,
    serious,
    tie_at_cut,
    together,
)
from featrank.sources import Source
from featrank.sources.names import NumberedNames, as_names, repeated, taken
from featrank.statistics.feature_tests import Values
from featrank.tables.anndata_matrix import scaled_warning
from featrank.tables.options import ReadOptions
from featrank.tables.spreadsheet_names import mangled_warning
from featrank.values.classes import encode_labels, numeric_vector
from featrank.values.containers import (
    sample_ids,
    without_names,
)
from featrank.values.transforms import scale_after, step_names
from featrank.values.usable_labels import (
    MIN_CLASS_SIZE,
    LabelRule,
    take_labelled,
)

# Number of top features that are checked for warnings.
CHECKED = 50


@overload
def rank(
    X: Any,
    y: Any = ...,
    method: str = ...,
    *,
    top: int | float | str | None = ...,
    feature_names: Sequence[str] | None = ...,
    per_class: Literal[False] = ...,
    fdr: float | None = ...,
    sample_weight: Any = ...,
    groups: Any = ...,
    layer: str | None = ...,
    use_raw: bool | None = ...,
    na_values: str | Sequence[str] = ...,
    min_class_size: int | None = ...,
    transform: str = ...,
    **params: Any,
) -> Ranking: ...


@overload
def rank(
    X: Any,
    y: Any = ...,
    method: str = ...,
    *,
    top: int | float | str | None = ...,
    feature_names: Sequence[str] | None = ...,
    per_class: bool,
    fdr: float | None = ...,
    sample_weight: Any = ...,
    groups: Any = ...,
    layer: str | None = ...,
    use_raw: bool | None = ...,
    na_values: str | Sequence[str] = ...,
    min_class_size: int | None = ...,
    transform: str = ...,
    **params: Any,
) -> Ranking | ClassRankings: ...


def rank(
    X: Any,
    y: Any = None,
    method: str = "ec-fs",
    *,
    top: int | float | str | None = None,
    feature_names: Sequence[str] | None = None,
    per_class: bool = False,
    fdr: float | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    layer: str | None = None,
    use_raw: bool | None = None,
    na_values: str | Sequence[str] = (),
    min_class_size: int | None = MIN_CLASS_SIZE,
    transform: str = "none",
    **params: Any,
) -> Ranking | ClassRankings:
    """Rank the features of X.

    Parameters
    ----------
    X : array-like, data frame, sparse matrix, AnnData or source (n_samples, n_features)
        The samples. Names are kept from data frames and AnnData. An out-of-core dataset
        (:func:`featrank.sources.open_dataset`), a path, a Dask collection, a lazy frame or a backed
        AnnData is read in chunks by single-pass methods (``ec-fs``, ``fisher``, ``mi``,
        ``inf-fs-s``, ``moderated-t``, ``trace-ratio``), with the same result. Other methods,
        ``per_class`` and regression load it into memory.
    y : array-like of shape (n_samples,), or str
        Class labels of any type, or numbers with ``task="regression"``. Samples without a label are
        left out, with a warning. Unsupervised methods, and datasets that contain labels, do not
        need ``y``. A string names a column of a data frame, of a file or of obs of an AnnData. The
        column is then not ranked.
    method : str, default="ec-fs"
        A name from ``featrank.methods()``.
    top : int, float, "auto" or None, default=None
        Number or share of features to select. "auto" keeps those that the method itself selects
        (``cfs``, ``fcbf`` …). All features are ranked, but greedy methods (``mrmr``, ``mifs``,
        ``jmi``, ``cmim`` …) select this number, by default 100, and rank the rest by relevance.
        EC-FS tunes alpha for this number.
    feature_names : sequence of str or None, default=None
        Names of the columns; by default those of the data frame, or x0, x1, ….
    per_class : bool, default=False
        Whether to rank the features for each class against the rest.
    fdr : float or None, default=None
        A false discovery rate, such as 0.1: also find which features can be claimed at this level,
        by ranking them next to decoys (:class:`featrank.error_control.FDRSelector`). The order does
        not depend on it. ``Ranking.fdr_control`` has the result, and tables have the columns
        ``q_value`` and ``claimed``.
    sample_weight : array-like of shape (n_samples,), optional
        Number of samples that each row represents, for methods that accept weights. Details and
        warnings count rows, without those of weight 0.
    groups : array-like of shape (n_samples,), optional
        Rows that belong together, such as those of one patient. They stay on one side of every
        split when a method tunes itself (``ec-fs``). With ``fdr``, decoys permute whole groups, for
        every method. For a data frame or an AnnData, also the name of a column, which is then not
        ranked.
    layer : str or None, default=None
        For an AnnData or an ``.h5ad`` file: the layer to rank.
    use_raw : bool or None, default=None
        For an AnnData or an ``.h5ad`` file: whether to rank ``raw``. By default raw is ranked if
        there is one, as scanpy does it, but not if it holds counts. Otherwise X is ranked.
        ``Ranking.notes`` reports the choice.
    na_values : str or sequence of str, default=()
        Labels that mean missing, such as "unknown", besides None, NaN, "", "NA" and "?". Samples
        without a label are left out, with a warning.
    min_class_size : int or None, default=3
        Classes with fewer samples are left out, with a warning, if at least two larger ones
        remain. 1 keeps all classes. None also skips the warnings about labels.
    transform : str, default="none"
        Transform of the values in memory before they are ranked, such as "cpm,log1p" for counts or
        "log2" for intensities; see :class:`featrank.CountTransform`.
    **params
        The method's own parameters and, for out-of-core data, ``memory``, ``missing``, ``engine``,
        ``client``, ``checkpoint`` and ``ranges``, as in
        :class:`featrank.tables.options.ReadOptions`.

    Returns
    -------
    ranking : Ranking or ClassRankings
        Names and scores, best first; with ``per_class`` a mapping from label to such a ranking.

    Warns
    -----
    FeatrankWarning
        The labels have problems, or the ranking is unreliable: scores are tied at the cut-off
        ``top``; top features (of ``top``, or 10) are zero in nearly all samples (not zero in at
        most 2 % of the rows, but at least 3 and at most 10, and in less than half of each class);
        the
        cross-validated AUC of a tuned method is within two of its standard errors, or three
        standard errors of chance, of 0.5; a class has fewer than 5 samples; groups, or columns
        named like a batch, are associated with the class; or values look like raw counts or like
        intensities without logarithm. ``Ranking.warnings`` has them all.

    Examples
    --------
    >>> import featrank
    >>> from sklearn.datasets import load_iris
    >>> data = load_iris(as_frame=True)
    >>> featrank.rank(data.data, data.target).top(2)
    ['petal length (cm)', 'petal width (cm)']
    """
    with collect_warnings() as issued:
        matrix = {"layer": layer, "use_raw": use_raw}
        given = {"sample_weight": sample_weight, "groups": groups, "fdr": fdr}
        labels = {"na_values": na_values, "min_class_size": min_class_size}
        ranked = _rank(
            X, y, method, top, feature_names, per_class, given, matrix, labels, transform, params
        )
    return ranked.with_warnings(issued)


def _rank(
    X: Any,
    y: Any,
    method: str,
    top: int | float | str | None,
    feature_names: Sequence[str] | None,
    per_class: bool,
    given: Mapping[str, Any],
    matrix: Mapping[str, Any],
    labels: Mapping[str, Any],
    transform: str,
    params: dict[str, Any],
) -> Ranking | ClassRankings:
    """Rank the features of X; ``matrix`` and ``labels`` hold the keywords about these."""
    cls = find_method(method)
    sample_weight, groups, use_raw = given["sample_weight"], given["groups"], matrix["use_raw"]
    reading = options_of(params)
    params = {name: value for name, value in params.items() if name not in reading}
    ids = sample_ids(X)
    strings = [each if isinstance(each, str) else None for each in (y, groups)]
    batches = obs_batches(X, *strings)
    target_name = y if isinstance(y, str) else getattr(y, "name", None)
    X, y, groups = take_named(X, y, groups)
    X, y, reading = split_anndata(X, y, {**reading, **matrix})
    if is_source(X):
        X, y = source_of(X, y)
    elif reading:
        raise _without_parts(next(iter(reading)))
    n_features = _n_features(X)
    names = X.names if isinstance(X, Source) else None
    if feature_names is not None:
        names = _checked_names(feature_names, n_features)
    ranker = _configured(cls, params, top, n_features)
    require_control(ranker, given["fdr"], sample_weight)
    options = fit_options(reading) if isinstance(X, Source) else ReadOptions()
    if ranker.supervised:
        size = None if ranker._regresses else labels["min_class_size"]
        rule = LabelRule(target_name, split_names(labels["na_values"]), size)
        X, y, rows = _use_labelled(X, y, rule, options, ids)
        sample_weight, groups = (_rows_of(given, rows) for given in (sample_weight, groups))
        batches = {name: _rows_of(values, rows) for name, values in batches.items()}
    if isinstance(X, Source) and (per_class or not ranker.reads_in_chunks(X, y, options.missing)):
        X, y = load_source(options, X, y, ranker)
        reading = {}
    values, X = X, transformed(X, transform)
    provenance = _provenance(X, transform)
    further = {"sample_weight": sample_weight, "groups": groups, **reading}
    # Decoys keep groups together for every method. In fits, only tuning uses them.
    of_fit = further if given["fdr"] is None else {**further, **_groups_of_fit(ranker, groups)}
    rankers = _fitted(ranker, X, y, per_class, of_fit)
    controls = control_rankings(ranker, X, y, given["fdr"], rankers, further)
    X, _ = without_names(X)
    source = _source(X, y, ranker, sample_weight, options)
    unscaled = data_warning(values, source, ranker, transform)
    names = names or _names(ranker if not per_class else next(iter(rankers.values())), X)
    rankings = {
        label: Ranking(
            method,
            params,
            names,
            own.scores_,
            own,
            source,
            provenance=provenance,
            fdr_control=controls[label],
            **_design(of_fit),
        )
        for label, own in rankers.items()
    }
    design = design_warnings(next(iter(rankings.values())), groups, batches)
    cut = top is not None or params.get("n_features_to_select") is not None
    if not per_class:
        found = [*_ranking_warnings(rankings[None], cut), *design]
        _warn([*found, unscaled, caution(mangled_warning(names))])
        return rankings[None]
    result = ClassRankings(_each_of_its_class(rankings))
    each = together({label: _ranking_warnings(one, cut) for label, one in result.items()})
    scaled = scaled_warning(provenance.values, use_raw)
    _warn([*each, *design, unscaled, caution(mangled_warning(names)), caution(scaled)])
    return result


def _groups_of_fit(ranker: Ranker, groups: Any) -> dict[str, Any]:
    return {"groups": None, **ranker._fold_groups(groups)}


def _design(further: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a ranking reports about groups and weights."""
    groups, weights = further["groups"], further["sample_weight"]
    n_groups = None if groups is None else len(np.unique(np.asarray(groups).astype(str)))
    return {"n_groups": n_groups, "is_weighted": weights is not None}


def _use_labelled(
    X: Any, y: Any, rule: LabelRule, options: ReadOptions, ids: Any
) -> tuple[Any, Any, NDArray[np.intp] | None]:
    """Return the samples that take part, their labels, and their rows (None for all)."""
    if isinstance(X, Source):
        return use_labelled_rows(X, y, rule, options)
    return take_labelled(X, y, rule, ids)


def _rows_of(values: Any, rows: NDArray[np.intp] | None) -> Any:
    return values if values is None or rows is None else take_rows(values, rows)


def _fitted(
    ranker: Ranker, X: Any, y: Any, per_class: bool, further: Mapping[str, Any]
) -> Mapping[Any, Ranker]:
    given = {name: value for name, value in further.items() if value is not None}
    if not given:
        return ranker.fit_per_class(X, y) if per_class else {None: ranker.fit(X, y)}
    if per_class:
        name = next(iter(given))
        raise UsageError(
            f"`per_class=True` does not support `{name}`. Leave it out, or rank one class against "
            f"the rest: `rank(X, y == label, {name}=...)`."
        )
    return {None: ranker.fit(X, y, **given)}


def _source(
    X: Any, y: Any, ranker: Ranker, sample_weight: Any, options: ReadOptions
) -> Evidence | SourceData:
    """Return the ranked rows, without those of weight 0."""
    if isinstance(X, Source):
        return _data_in_parts(X, y, ranker, options)
    if sample_weight is not None and not np.all(sample_weight):
        counted = np.flatnonzero(sample_weight)
        X, y = take_rows(X, counted), take_rows(y, counted)
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if ranker._regresses:
        return Evidence(X, None, numeric_vector(y, n_samples))
    return Evidence(X, _classes(y, ranker, n_samples))


def _data_in_parts(source: Source, y: Any, ranker: Any, options: ReadOptions) -> SourceData:
    """Return the data of a ranking in chunks; the engine of a file may be closed by then."""
    again = ReadOptions(memory=options.memory)
    if not source.files:
        again = replace(again, engine=options.engine, client=options.client)
    sizes = getattr(ranker, "_class_sizes", None)
    return SourceData(source, y, again, ranker.classes_.tolist(), sizes)


def _provenance(X: Any, transform: str) -> Provenance:
    """Return the notes on a matrix, how it was transformed, and the scale of its values."""
    steps = step_names(transform)
    scale = scale_after(steps) if steps else getattr(X, "value_scale", "auto")
    return Provenance(
        preprocessing={"transform": ",".join(steps)} if steps else {},
        notes=getattr(X, "notes", ()),
        values=cast(Values, scale),
    )


def _without_parts(name: str) -> UsageError:
    return UsageError(
        f"`{name}` is for out-of-core data, and X is in memory. Leave it out, or pass a dataset: "
        "`featrank.sources.open_dataset(path)`, a Dask collection or a lazy frame."
    )


def _n_features(X: Any) -> int | None:
    """Return the number of columns, or None for data that the method will reject."""
    if isinstance(X, list | tuple):
        return len(X[0]) if X and hasattr(X[0], "__len__") else None
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return int(shape[1]) if len(shape) == 2 else None


def _checked_names(names: Sequence[str], n_features: int | None) -> Sequence[str]:
    strings = as_names(names)
    if n_features is not None and len(strings) != n_features:
        raise UsageError(
            f"feature_names has {len(strings)} names, but X has {n_features} columns. Give one "
            "name per column."
        )
    twice = [repr(name) for name in repeated(strings)[:5]]
    if twice:
        raise UsageError(
            f"feature_names contains names more than once: {', '.join(twice)}. Make them unique."
        )
    return strings


def _configured(
    cls: type[Ranker], params: dict[str, Any], top: int | float | str | None, n_features: int | None
) -> Ranker:
    check_params(cls, params)
    if top is not None:
        if "n_features_to_select" in params:
            raise UsageError("top and n_features_to_select mean the same. Give only one.")
        _require_count(top, n_features)
    elif cls.default_top is not None and n_features is not None:
        top = max(1, min(cls.default_top, n_features))  # fit rejects data without features
    return cls(**{"n_features_to_select": top, **params})


def check_params(cls: type[Ranker], params: Mapping[str, Any]) -> None:
    """Raise an error for unknown parameters of a method and for invalid values."""
    plain = cls()
    # The method's own parameters come first in suggestions.
    known = [*settings_of(plain), *plain.get_params()]
    for name in params:
        if name == "task" and name not in known:
            raise _without_task(cls)
        if name not in known:
            choices = list(dict.fromkeys(known))
            raise UsageError(unknown_name(f"parameter of {cls.name}", name, choices))
    try:
        cls(**params)._validate_params()
    except InvalidParameterError as error:
        raise UsageError(str(error)) from error


def _without_task(cls: type[Ranker]) -> UsageError:
    if not cls.supervised:
        return UsageError(f"{cls.name} is unsupervised and has no task. Leave out `task`.")
    able = [name for name, other in methods().items() if "regression" in other.tasks]
    return UsageError(
        f"{cls.name} does not support regression. Choose one of {', '.join(able)}, or leave out "
        "`task` and make classes: `featrank.bin_target(y, 3)`."
    )


def _require_count(top: int | float | str, n_features: int | None) -> None:
    if top == "auto":  # the method checks whether it can
        return
    most = n_features if isinstance(top, Integral) else 1
    if isinstance(top, Real) and top > 0 and (most is None or top <= most):
        return
    raise UsageError(
        f"`top={top!r}` does not fit the features of X. Use a number from 1 to "
        f"{n_features or 'their number'}, or a share such as 0.1."
    )


def _classes(y: Any, ranker: Ranker, n_samples: int) -> Classes | None:
    """Return the classes of the labels; None for invalid labels if the method ignores them."""
    if y is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fit has issued them
        try:
            labels, codes = encode_labels(y, n_samples)
        except ValueError:
            if ranker.supervised:
                raise
            return None
    return Classes(labels.tolist(), codes)


def _names(ranker: Ranker, X: Any) -> Sequence[str]:
    given = getattr(ranker, "feature_names_in_", None)
    if given is not None:
        return list(given)
    numbers = range(len(ranker.scores_))
    columns = getattr(X, "columns", None)  # of frames whose names are not strings
    if columns is None or list(columns) == list(numbers):
        return NumberedNames(numbers)
    return [str(name) for name in columns]


def _each_of_its_class(rankings: dict[Any, Ranking]) -> dict[Any, Ranking]:
    result = {}
    for code, (label, ranking) in enumerate(rankings.items()):
        assert ranking.data is not None
        assert ranking.data.classes is not None
        classes = replace(ranking.data.classes, of_interest=code)
        result[label] = replace(ranking, data=Evidence(ranking.data.X, classes))
    return result


def _ranking_warnings(ranking: Ranking, cut: bool) -> list[FeatrankWarning | None]:
    source = ranking.data
    assert source is not None
    assert ranking.ranker is not None
    top = int(ranking.ranker.support_.sum()) if cut else None
    best = ranking.order[: min(top or SHOWN, CHECKED)]
    tie = caution(tie_at_cut(ranking.scores[ranking.order], top))
    if isinstance(source, SourceData) and not source.is_cheap(len(best)):
        return [tie, None, None, _chance_warning(ranking, source.class_sizes)]
    codes = _codes_compared(source.classes)
    sizes = [] if codes is None else np.bincount(codes).tolist()
    names, values = taken(ranking.feature_names, best), source.values(best)
    rare = caution(rare_features(values, names, codes))
    leak = _leak_warning(ranking, values, names, codes) if ranking.ranker.supervised else None
    return [tie, rare, serious(leak), _chance_warning(ranking, sizes)]


def _chance_warning(ranking: Ranking, sizes: Sequence[int]) -> FeatrankWarning | None:
    limitation = "The ranking was no better than chance."
    return serious(at_chance(ranking.tuned_params(), sizes), limitation)


def _leak_warning(
    ranking: Ranking, values: NDArray[np.float64], names: list[str], codes: Any
) -> str | None:
    """Return a warning about features that duplicate the target, or the classes behind it."""
    assert ranking.data is not None
    target, n_features = ranking.data.regression_target, len(ranking)
    is_pandas = isinstance(ranking.data, Evidence) and ranking.data.is_pandas
    found = likely_leak(values, names, codes, target, n_features, is_pandas)
    if found is not None or codes is None or ranking.data.classes is None:
        return found
    every = ranking.data.classes.codes
    return likely_leak(values, names, every, target, n_features, is_pandas)


def _codes_compared(classes: Classes | None) -> NDArray[np.intp] | None:
    if classes is None or classes.of_interest is None:
        return None if classes is None else classes.codes
    return (classes.codes == classes.of_interest).astype(np.intp)


def _warn(found: list[FeatrankWarning | None]) -> None:
    for warning in found:
        if warning is not None:
            warn_user(warning)
