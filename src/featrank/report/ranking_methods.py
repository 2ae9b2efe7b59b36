"""A paragraph on a ranking for the methods section of a paper.

Each clause comes from what was done. A clause with a reference cites it by number.
"""

from __future__ import annotations

import inspect
import platform
import sys
from importlib.metadata import version
from typing import Any

import numpy as np

from featrank.base.ranker import settings_of
from featrank.base.tuning import Tunable
from featrank.error_control.result import methods_sentence
from featrank.ranking import ClassRankings, Ranking
from featrank.ranking.evidence import SourceData
from featrank.report.citations import BENJAMINI_HOCHBERG, FEATURE_TESTS, References, references_of
from featrank.report.phrases import (
    IMPUTED,
    class_sizes_clause,
    count_of,
    join_names,
    limitations,
    transform_clause,
)
from featrank.statistics.feature_tests import TESTS, ClassTests
from featrank.statistics.fold_changes import SCALE_NAMES

MERGED = {
    "mean": "by averaging their values in each sample",
    "max": "by their largest value in each sample",
    "first": "by keeping the first column",
}
METRICS = {"auc": "AUC", "r2": "R²"}


def methods_section(ranking: Ranking | ClassRankings) -> str:
    """Return a paragraph and its references. See ``Ranking.methods_section``."""
    paragraph, references = ranking_paragraph(ranking)
    return references.join(paragraph)


def ranking_paragraph(ranking: Ranking | ClassRankings) -> tuple[str, References]:
    """Return the paragraph, and the references that its numbers refer to."""
    one = next(iter(ranking.values())) if isinstance(ranking, ClassRankings) else ranking
    references = References()
    sentences = [
        _data_sentence(one),
        *_preprocessing_sentences(one),
        _method_sentence(ranking, one, references),
        *_parameter_sentences(one),
        *_tuning_sentences(ranking),
        *_design_sentences(one),
        *_seed_sentences(one),
        *_test_sentences(one, references),
        *_claim_sentences(ranking),
        *limitations(ranking.warnings),
        f"The analysis used featrank {version('featrank')} with Python "
        f"{platform.python_version()}, NumPy {version('numpy')}, SciPy {version('scipy')} and "
        f"scikit-learn {version('scikit-learn')}.",
    ]
    return " ".join(sentences), references


def _data_sentence(one: Ranking) -> str:
    what = f"{len(one):,} features"
    if one.data is not None:
        what = f"{one.data.n_samples:,} samples and {what}"
    file_format = one.provenance.file_format
    source = f" (file format: {file_format})" if file_format else ""
    return f"The data set comprised {what}{source}{_target_clause(one)}."


def _target_clause(one: Ranking) -> str:
    y = None if one.data is None else one.data.regression_target
    named = f" {one.provenance.target_name!r}" if one.provenance.target_name else ""
    if y is not None:
        return f". The target{named} was numeric and ranged from {y.min():.4g} to {y.max():.4g}"
    sizes = one.class_sizes()
    if not sizes:
        return ""
    listed = class_sizes_clause({str(each["label"]): each["samples"] for each in sizes})
    return f". The target{named} had {len(sizes)} classes{listed}"


def _preprocessing_sentences(one: Ranking) -> list[str]:
    done = one.provenance.preprocessing
    sentences = []
    if "samples_left_out" in done:
        count = count_of(done["samples_left_out"], "sample")
        sentences.append(f"{count} without a usable value of the target {_was(count)} excluded.")
    if "features_above_max_missing" in done:
        count = count_of(done["features_above_max_missing"], "feature")
        share = f"{100 * done['max_missing']:g} %"
        sentences.append(f"{count} with more than {share} missing values {_was(count)} excluded.")
    if "merged_names" in done:
        sentences.append(
            f"Columns with the same name were merged {MERGED[done['duplicates']]}, which affected "
            f"{count_of(done['merged_names'], 'feature')}."
        )
    if "imputed_values" in done:
        count = count_of(done["imputed_values"], "missing value")
        sentences.append(f"{count} {_was(count)} imputed by {IMPUTED[done['imputation']]}.")
    if "transform" in done:
        sentences.append(f"The values were transformed to {transform_clause(done['transform'])}.")
    return [*sentences, *_missing_sentences(one)]


def _missing_sentences(one: Ranking) -> list[str]:
    """Return a sentence on missing values that the method received."""
    if one.data is None or isinstance(one.data, SourceData):
        return []
    if one.ranker is None or not one.ranker.accepts_nan:
        return []
    values = one.data.values(np.arange(len(one)))
    share = np.isnan(values).mean()
    if not share:
        return []
    return [f"{100 * share:.2g} % of the values were missing and were ignored by the method."]


def _method_sentence(ranking: Ranking | ClassRankings, one: Ranking, references: References) -> str:
    cited = references.cite(*references_of(one.method))
    how = f"Features were ranked by {_method_name(one)}{cited}"
    if isinstance(ranking, ClassRankings) and len(ranking) > 1:
        return f"{how}, separately for each of {len(ranking)} classes against all other samples."
    if one.of_class:
        assert one.data is not None
        assert one.data.classes is not None
        label = one.data.class_labels[one.data.classes.of_interest or 0]
        return f"{how}, for the class {str(label)!r} against all other samples."
    if one.is_regression:
        return f"{how} for regression."
    supervised = one.ranker is None or one.ranker.supervised
    return f"{how}." if supervised else f"{how}, without using a target."


def _method_name(one: Ranking) -> str:
    """Return the name and a short description, from the docstring of the method's module."""
    if one.ranker is None:
        return one.method
    first = (inspect.getdoc(sys.modules[type(one.ranker).__module__]) or "").partition("\n")[0]
    name, _, about = first.rstrip(".").partition(": ")
    if not about:
        return one.method
    # The descriptions are those for classes.
    return name if one.is_regression else f"{name} ({about})"


def _parameter_sentences(one: Ranking) -> list[str]:
    if one.ranker is None:
        return []
    plain = settings_of(type(one.ranker)())
    tunable = one.ranker.tunable
    changed = [
        f"{name} = {value}"
        for name, value in settings_of(one.ranker).items()
        if name not in ("task", "random_state", tunable and tunable.name)
        and repr(value) != repr(plain.get(name))
    ]
    return [f"Parameters other than the defaults were {join_names(changed)}."] if changed else []


def _seed_sentences(one: Ranking) -> list[str]:
    seed = getattr(one.ranker, "random_state", None)
    draws = one.ranker is not None and one.ranker.stochastic
    if one.method == "ec-fs":  # only its folds are random
        draws = bool(one.tuned_params())
    return [f"The random seed was {seed}."] if draws and isinstance(seed, int) else []


def _tuning_sentences(ranking: Ranking | ClassRankings) -> list[str]:
    """Return how the method's parameter was set, and what its value means."""
    own = ranking if isinstance(ranking, ClassRankings) else {"": ranking}
    one = next(iter(own.values()))
    tunable = None if one.ranker is None else one.ranker.tunable
    if tunable is None:
        return []
    tuned = {label: each.tuned_params() for label, each in own.items()}
    meanings = {sentence for each in own.values() for sentence in _meaning_sentences(each)}
    meaning = list(meanings) if len(meanings) == 1 else []
    if all(tuned.values()):
        return [*_choice_sentences(tunable, tuned), *meaning]
    value = getattr(one.ranker, f"{tunable.name}_", getattr(one.ranker, tunable.name))
    return [f"The parameter {tunable.name} was set to {value}.", *meaning]


def _choice_sentences(tunable: Tunable, tuned: dict[Any, dict[str, Any]]) -> list[str]:
    name, first = tunable.name, next(iter(tuned.values()))
    # Values that are a parameter of the method are tried in ascending order.
    preferred = "largest" if isinstance(tunable.values, str) else "last in the order of preference"
    metric = next(key for key in METRICS if key in first)
    model = "ridge regression" if metric == "r2" else "linear SVM"
    values = [
        f"{name} = {facts[name]:g}{f' for {label}' if len(tuned) > 1 else ''} "
        f"({METRICS[metric]} {facts[metric]:.3f}, standard error {facts['standard_error']:.3f})"
        for label, facts in tuned.items()
    ]
    each = " separately for each class" if len(tuned) > 1 else ""
    return [
        f"The parameter {name} was chosen{each} from {first['tried']} values by "
        f"{first['folds']}-fold cross-validation of a {model} on the top-ranked features. Of all "
        f"values within one standard error, or 0.01, of the best {METRICS[metric]}, the "
        f"{preferred} was used: {join_names(values)}."
    ]


def _meaning_sentences(one: Ranking) -> list[str]:
    """Return what EC-FS ranks by at the ends of alpha, where it needs no centrality."""
    if one.method != "ec-fs" or one.ranker is None:
        return []
    alpha, kernel = one.ranker.alpha_, one.ranker.kernel
    relevance = "the absolute correlation with the target" if one.is_regression else "Fisher score"
    if alpha == 1 and kernel == "product":
        return [f"At alpha = 1 the ranking equals that of the {relevance.removeprefix('the ')}."]
    if alpha == 1 and kernel == "symmetric":
        first = relevance if one.is_regression else f"the {relevance}"
        return [
            f"At alpha = 1 the ranking equals that of the sum of {first} and the mutual "
            "information with the target, each scaled to minimum 0 and to unit norm."
        ]
    return ["At alpha = 0 the ranking uses the spread of the features only."] if alpha == 0 else []


def _design_sentences(one: Ranking) -> list[str]:
    sentences = []
    if one.n_groups is not None and one.tuned_params():
        sentences.append(
            f"Samples of the same group ({one.n_groups} groups) were kept in the same fold."
        )
    if one.is_weighted:
        sentences.append("Samples were weighted.")
    return sentences


def _claim_sentences(ranking: Ranking | ClassRankings) -> list[str]:
    """Return what can be claimed at a false discovery rate, for each class."""
    own = ranking if isinstance(ranking, ClassRankings) else {"": ranking}
    controls = {label: one.fdr_control for label, one in own.items() if one.fdr_control}
    return [methods_sentence(controls)] if controls else []


def _test_sentences(one: Ranking, references: References) -> list[str]:
    """Return the tests that were computed."""
    return [
        sentence for tests in one.computed_tests() for sentence in _test_of(tests, one, references)
    ]


def _test_of(tests: ClassTests, one: Ranking, references: References) -> list[str]:
    test = references.cite(FEATURE_TESTS[tests.test])
    adjusted = references.cite(BENJAMINI_HOCHBERG)
    groups = "the class and all other samples" if one.of_class else "the two classes"
    sentences = [
        f"Each feature was tested for a difference between {groups} by "
        f"{TESTS[tests.test]} (two-sided){test}.",
        f"The p-values were adjusted for {len(one):,} features by the method of Benjamini and "
        f"Hochberg{adjusted}. The ranking does not use them.",
    ]
    if tests.scales.usual != "none":
        scale = SCALE_NAMES[tests.scales.usual]
        sentences.append(f"Log2 fold changes were computed from the means, assuming {scale}.")
    return sentences


def _was(count: str) -> str:
    return "was" if count.startswith("1 ") else "were"
