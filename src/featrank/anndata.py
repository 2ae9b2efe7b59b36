"""Genes of AnnData objects ranked as scanpy's tools do it: results are written into the object."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from featrank.api import check_params
from featrank.base.ranker import Floats, Ranker, best_first, settings_of
from featrank.base.registry import method as find_method
from featrank.base.shown_values import SCORE
from featrank.data.annotated import choose_for
from featrank.data.named_columns import take_named
from featrank.exceptions import FeatrankWarning, UsageError, unknown_name
from featrank.statistics.feature_tests import TESTS, Test, class_tests
from featrank.statistics.fold_changes import FOLD_CHANGES
from featrank.tables.anndata_matrix import scaled_warning
from featrank.tables.options import ReadOptions
from featrank.values.classes import encode_labels
from featrank.values.containers import is_anndata, without_names

__all__ = ["rank_genes"]


def rank_genes(
    adata: Any,
    groupby: str,
    *,
    method: str = "ec-fs",
    key_added: str = "featrank",
    layer: str | None = None,
    use_raw: bool | None = None,
    n_genes: int | None = None,
    rankby_abs: bool = False,
    test: Test = "welch",
    copy: bool = False,
    **params: Any,
) -> Any:
    r"""Rank the genes of an AnnData for each class against the rest, and write the result into it.

    ``adata.uns[key_added]`` is laid out like that of ``scanpy.tl.rank_genes_groups``, so that
    ``scanpy.get.rank_genes_groups_df``, the ``scanpy.pl.rank_genes_groups`` family and
    ``scanpy.tl.filter_rank_genes_groups`` read it by ``key=key_added``. Whatever the number of
    classes, single-pass methods (``ec-fs``, ``fisher``, ``mi``, ``inf-fs-s``, ``moderated-t``,
    ``trace-ratio``) read the matrix once.

    Parameters
    ----------
    adata : AnnData
        The cells, in memory or backed; a backed one has to fit into memory.
    groupby : str
        Column of obs with the classes.
    method : str, default="ec-fs"
        A supervised method of ``featrank.methods()``.
    key_added : str, default="featrank"
        Where the result is kept in uns, and how its columns of var begin.
    layer : str or None, default=None
        Layer to rank instead of X.
    use_raw : bool or None, default=None
        Whether to rank ``adata.raw``. By default it is, if there is one, it does not hold counts
        and no layer is given.
    n_genes : int or None, default=None
        Number of genes per class to keep in uns; all by default. Greedy methods
        (``mrmr`` …) select this many.
    rankby_abs : bool, default=False
        Whether the genes of a class are sorted by the size of their score, not by the score.
    test : {"welch", "moderated-t", "wilcoxon"}, default="welch"
        The test behind the p-values. They do not affect the ranking.
    copy : bool, default=False
        Whether to return a copy, and leave ``adata`` as it is.
    **params
        The method's own parameters.

    Returns
    -------
    adata : AnnData or None
        None, or with ``copy=True`` the copy, which has

        - ``uns[key_added]``: ``params``, and ``names``, ``scores``, ``logfoldchanges``, ``pvals``
          and ``pvals_adj`` (Benjamini-Hochberg), record arrays with one field per class;
        - ``var[f"{key_added}_score"]`` and ``var[f"{key_added}_rank"]``, the ranking of all
          classes together, 1 for the best. A method whose scores only encode an order, such as
          mrmr, writes ``var[f"{key_added}_criterion"]`` instead of the score. Nothing is written
          to var if raw is ranked, whose genes var may not have.

    Notes
    -----
    A method's scores measure how well a gene separates the class from the rest, not where it is
    higher. Here they have a sign: positive if the mean of the class is higher, negative if it is
    lower, 0 if both are equal. If a method gives negative scores, the lowest score is first
    subtracted from all. A score of ``inf`` (perfect separation) becomes twice the
    largest finite one, since plots cannot show infinity.

    For values that are logarithms, :math:`\log(1 + x)`, the log fold change of scanpy is

    .. math:: \log_2 \frac{e^{\bar{x}_c} - 1 + 10^{-9}}{e^{\bar{x}_r} - 1 + 10^{-9}}

    with the means of the class and of the rest; it is NaN where values are not.

    Examples
    --------
    >>> import anndata, numpy as np, pandas as pd
    >>> from featrank.anndata import rank_genes
    >>> counts = np.array([[0.0, 3, 1], [1, 4, 1], [5, 0, 2], [6, 1, 1], [5, 1, 1], [0, 4, 2]])
    >>> obs = pd.DataFrame({"type": ["T", "T", "B", "B", "B", "T"]}, index=list("abcdef"))
    >>> var = pd.DataFrame(index=["CD79A", "CD3D", "ACTB"])
    >>> adata = anndata.AnnData(np.log1p(counts), obs=obs, var=var)
    >>> rank_genes(adata, "type", method="fisher")
    >>> adata.var["featrank_rank"].to_dict()
    {'CD79A': 1, 'CD3D': 2, 'ACTB': 3}
    >>> adata.uns["featrank"]["names"]["T"].tolist()
    ['CD3D', 'ACTB', 'CD79A']
    """
    _check_call(adata, groupby, test)
    _check_sizes(adata, n_genes, copy)
    adata = adata.copy() if copy else adata
    choice = choose_for(adata, ReadOptions(layer=layer, use_raw=use_raw))
    scaled = scaled_warning(choice.values, use_raw)
    if scaled is not None:
        warnings.warn(scaled, FeatrankWarning, stacklevel=2)
    use_raw = choice.use_raw
    cls = find_method(method)
    check_params(cls, params)
    X, y = cls()._in_memory(adata, groupby, {"layer": layer, "use_raw": use_raw})
    ranker = _configured(cls, params, n_genes, X.shape[1])
    rankers = ranker.fit_per_class(X, y)
    _write_var(adata, key_added, None if use_raw else ranker.fit(X, y))
    names = np.asarray((adata.raw if use_raw else adata).var_names, dtype=object)
    columns = {
        str(label): _class_columns(names, own.scores_, tests, n_genes, rankby_abs)
        for (label, own), tests in zip(
            rankers.items(), _tests(without_names(X)[0], y, test, _log_base(adata)), strict=True
        )
    }
    settings = {"groupby": groupby, "use_raw": use_raw, "layer": layer, "test": test}
    adata.uns[key_added] = {
        "params": _params(ranker, settings),
        **_records({name: columns[name] for name in _groups(adata.obs[groupby], columns)}),
    }
    return adata if copy else None


def _check_call(adata: Any, groupby: Any, test: str) -> None:
    if not is_anndata(adata):
        raise UsageError(
            f"adata is {type(adata).__name__!r}. An AnnData was expected; featrank.rank(X, y, "
            "per_class=True) ranks other data."
        )
    if not isinstance(groupby, str):
        raise UsageError(
            f"groupby is {type(groupby).__name__!r}. The name of a column of obs was expected: "
            "put the classes there, adata.obs['classes'] = ..."
        )
    if test not in TESTS:
        raise UsageError(unknown_name("test", test, TESTS))
    take_named(adata, groupby)


def _check_sizes(adata: Any, n_genes: int | None, copy: bool) -> None:
    if n_genes is not None and n_genes < 1:
        raise UsageError(f"n_genes={n_genes}. 1 at least was expected, or None for all genes.")
    if adata.isbacked and (copy or adata.is_view):
        raise UsageError(
            f"{'A copy' if copy else 'A subset'} of a backed AnnData cannot hold the result, since "
            "it would be another file. Pass adata.to_memory()."
        )


def _configured(
    cls: type[Ranker], params: Mapping[str, Any], n_genes: int | None, n_features: int
) -> Ranker:
    if cls.default_top is None:
        return cls(**params)
    wanted = min(n_genes or cls.default_top, n_features)
    return cls(**{"n_features_to_select": wanted, **params})


def _write_var(adata: Any, key: str, ranker: Ranker | None) -> None:
    """Write the ranking of all classes, and remove that of an earlier call."""
    stale = [f"{key}_{column}" for column in ("score", "criterion", "rank")]
    adata.var = adata.var.drop(columns=stale, errors="ignore")
    if ranker is None:
        return
    shown = ranker.shown_values()
    values = _finite(ranker.scores_) if shown.column == SCORE else shown.values
    adata.var[f"{key}_{shown.column}"] = values
    adata.var[f"{key}_rank"] = ranker.ranking_


@dataclass(frozen=True)
class _Test:
    """What is known of each gene in a class and in the rest, besides its score."""

    higher: Floats
    fold_changes: Floats
    p_values: Floats
    adjusted: Floats


def _tests(X: Any, y: Any, test: Test, base: float) -> list[_Test]:
    """Return, for each class, the difference of means, fold changes and p-values."""
    classes, codes = encode_labels(y, X.shape[0])
    found = class_tests(X, codes, test, values="none")
    own, rest = found.mean_class, found.mean_rest
    with np.errstate(all="ignore"):  # values that are not logarithms
        changes = FOLD_CHANGES["log1p"](own * np.log(base), rest * np.log(base))
    # As in scanpy, a gene without a p-value is not significant.
    p_values, adjusted = (np.nan_to_num(p, nan=1.0) for p in (found.p_value, found.p_adjusted))
    return [
        _Test(own[code] - rest[code], changes[code], p_values[code], adjusted[code])
        for code in range(len(classes))
    ]


def _log_base(adata: Any) -> float:
    """Return the base of the logarithms, where scanpy has kept it; e otherwise."""
    base = adata.uns.get("log1p", {}).get("base")
    return float(np.e if base is None else base)


def _class_columns(
    names: NDArray[np.object_], scores: Floats, test: _Test, n_genes: int | None, by_size: bool
) -> dict[str, NDArray[Any]]:
    """Return the columns of one class, best first."""
    signed = np.sign(test.higher) * _finite(scores)
    order = best_first(np.abs(signed) if by_size else signed)[:n_genes]
    return {
        "names": names[order],
        "scores": signed[order],
        "logfoldchanges": test.fold_changes[order].astype(np.float32),
        "pvals": test.p_values[order],
        "pvals_adj": test.adjusted[order],
    }


def _finite(scores: Floats) -> Floats:
    """Return scores from 0 on, what is infinite twice as high as the others."""
    sizes = scores - min(scores.min(), 0.0)
    known = np.isfinite(sizes)
    highest = sizes.max(initial=0.0, where=known)
    return np.where(known, sizes, 2 * highest or 1.0)


def _groups(column: Any, classes: Mapping[str, Any]) -> list[str]:
    """Return the classes in the order of the categories, as scanpy has them."""
    order = column.cat.categories if hasattr(column, "cat") else classes
    return [str(label) for label in order if str(label) in classes]


def _records(columns: Mapping[str, Mapping[str, NDArray[Any]]]) -> dict[str, Any]:
    """Return one array of records per column, with one field per class."""
    kinds = next(iter(columns.values()))
    return {
        kind: np.rec.fromarrays(
            [own[kind] for own in columns.values()],
            dtype=[(name, own[kind].dtype) for name, own in columns.items()],
        )
        for kind in kinds
    }


def _params(ranker: Ranker, call: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the result depends on, as values that h5ad files hold."""
    settings = {name: _plain(value) for name, value in settings_of(ranker).items()}
    return {
        **call,
        "reference": "rest",
        "method": ranker.name,
        "corr_method": "benjamini-hochberg",
        "parameters": {name: value for name, value in settings.items() if value is not None},
    }


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    array = np.asarray(value)
    return array if array.dtype.kind in "biuf" else str(value)
