"""A paragraph on a comparison for the methods section of a paper.

Each clause comes from the manifest of the run: nothing is mentioned that was not done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from featrank.report.citations import (
    BESAG_CLIFFORD,
    NADEAU_BENGIO,
    NOGUEIRA,
    References,
    references_of,
)
from featrank.report.phrases import (
    IMPUTED,
    class_sizes_clause,
    count_of,
    join_names,
    limitations,
    transform_clause,
)
from featrank.report.sections import data_quality

if TYPE_CHECKING:
    from featrank.evaluation import Comparison

# Parameters that do not change a ranking, or that the sentences mention elsewhere.
LEFT_OUT = ("n_features_to_select", "n_jobs", "task", "random_state")
# Values to tune the evaluation model, with the name of the parameter.
MODELS = {"C": "C", "penalties": "penalty"}
TUNED = tuple(MODELS.values())
# What a permutation test asks for, and what it permutes.
PERMUTED = {"classes": ("class", "class labels"), "target": ("target", "target values")}
SCALED = {"standard": "standardised", "minmax": "scaled to the range from 0 to 1"}


def methods_section(results: Comparison) -> str:
    """Return a paragraph and its references. See ``Comparison.methods_section``."""
    paragraph, references = comparison_paragraph(comparison_facts(results))
    return references.join(paragraph)


def comparison_facts(results: Comparison) -> dict[str, Any]:
    """Return what the paragraph is written from, as plain values."""
    manifest, protocol = results.manifest, results.manifest["protocol"]
    return {
        "data": {key: value for key, value in manifest["data"].items() if key != "class_labels"},
        "class_sizes": _class_sizes(results),
        "protocol": protocol,
        "missing": data_quality.facts(results).get("missing", 0.0),
        "trials": len(results.trials),
        "test_size": manifest.get("test_size", protocol["test_size"]),
        "methods": [_method_facts(entry) for entry in manifest["methods"]],
        "model_is_tuned": any(row.get(key) is not None for row in results._rows for key in TUNED),
        "baseline": results.baseline,
        "limitations": limitations(results.warnings),
        "claims": None if results.claims is None else results.claims.methods_sentence(),
        "signal": None if results.signal is None else results.signal.as_dict(),
        "versions": manifest["versions"],
    }


def _class_sizes(results: Comparison) -> dict[str, int]:
    known = data_quality.facts(results)
    return dict(zip(known["classes"], known.get("class_sizes", []), strict=False))


def _method_facts(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a method with the parameters that were changed or tuned."""
    from featrank.base.registry import methods

    cls = methods().get(entry["method"])
    usual = {} if cls is None else cls().get_params()
    tunable = None if cls is None else cls.tunable
    candidates = entry["candidates"]
    tuned = {name: len(candidates) for name in candidates[0]} if len(candidates) > 1 else {}
    if not tuned and tunable is not None and entry["params"].get(tunable.name) == "cv":
        tuned = {tunable.name: len(tunable.grid(cls())) if cls else 0}
    changed = {
        name: value
        for name, value in entry["params"].items()
        if name not in LEFT_OUT and value not in (usual.get(name), repr(usual.get(name)))
    }
    return {"name": entry["name"], "method": entry["method"], "tuned": tuned, "changed": changed}


def comparison_paragraph(facts: dict[str, Any]) -> tuple[str, References]:
    """Return the paragraph, and the references that its numbers refer to."""
    references = References()
    sentences = [
        *(["LEAKY: features were ranked on all samples, including the test samples."]
          if facts["protocol"].get("leaky") else []),
        _data_sentence(facts),
        _methods_sentence(facts, references),
        *_split_sentences(facts),
        *_preprocessing_sentences(facts),
        *_model_sentences(facts),
        *_tuning_sentences(facts),
        *_statistics_sentences(facts, references),
        *([] if facts["claims"] is None else [facts["claims"]]),
        *facts["limitations"],
        f"The random seed was {facts['protocol']['random_state']}.",
        f"The analysis used featrank {facts['versions']['featrank']}{_packages(facts)}.",
    ]  # fmt: skip
    return " ".join(sentences), references


def _packages(facts: dict[str, Any]) -> str:
    names = {"python": "Python", "numpy": "NumPy", "scipy": "SciPy", "scikit-learn": "scikit-learn"}
    known = [f"{names[key]} {facts['versions'][key]}" for key in names if key in facts["versions"]]
    return f" with {join_names(known)}" if known else ""


def _data_sentence(facts: dict[str, Any]) -> str:
    data, sizes = facts["data"], facts["class_sizes"]
    target = "The target was numeric"
    if "classes" in data:
        target = f"The target had {data['classes']} classes{class_sizes_clause(sizes)}"
    return (
        f"The data set comprised {data['samples']:,} samples and {data['features']:,} features. "
        f"{target}."
    )


def _methods_sentence(facts: dict[str, Any], references: References) -> str:
    named = [
        f"{entry['name']}{_in_brackets(entry['changed'])}"
        f"{references.cite(*references_of(entry['method']))}"
        for entry in facts["methods"]
    ]
    count = count_of(len(named), "feature ranking method")
    verb = "was evaluated" if len(named) == 1 else "were compared"
    return f"{count} {verb}: {join_names(named)}."


def _in_brackets(changed: dict[str, Any]) -> str:
    listed = ", ".join(f"{name} = {value}" for name, value in changed.items())
    return f" ({listed})" if listed else ""


def _split_sentences(facts: dict[str, Any]) -> list[str]:
    protocol, data = facts["protocol"], facts["data"]
    share, trials = f"{100 * facts['test_size']:.0f} %", count_of(facts["trials"], "random split")
    if protocol["cv"] not in ("stratified", "by quantiles"):
        trials = count_of(facts["trials"], "split")
        sentences = [f"The samples were divided into training and test samples by {trials} of "
                     f"{protocol['cv']}."]  # fmt: skip
    elif "groups" in data:
        sentences = [
            f"In each of {trials}, whole groups ({data['groups']} groups in total) with about "
            f"{share} of the samples were held out as test samples, so that no group was in both "
            "the training and the test samples."
        ]
    else:
        by = "class" if protocol["cv"] == "stratified" else "quantiles of the target"
        sentences = [
            f"In each of {trials}, stratified by {by}, {share} of the samples were held out as "
            "test samples."
        ]
    if not protocol.get("leaky"):
        sentences.append("Features were ranked on the training samples only.")
    return sentences


def _scaled(name: str) -> str:
    return SCALED.get(name, f"scaled ({name})")


def _preprocessing_sentences(facts: dict[str, Any]) -> list[str]:
    """Return what was done to the values, learned on the training samples of each split."""
    protocol, sentences = facts["protocol"], []
    if "transform" in protocol:
        steps = transform_clause(protocol["transform"])
        sentences.append(f"The values were transformed to {steps}.")
    if "max_missing" in protocol and facts["missing"]:
        share = f"{100 * protocol['max_missing']:g} %"
        sentences.append(
            f"Features with more than {share} missing values in the training samples were excluded."
        )
    if facts["missing"]:
        sentences.append(
            f"Missing values ({100 * facts['missing']:.2g} % of all values) were imputed by "
            f"{IMPUTED[protocol['imputer']]}, computed on the training samples."
        )
    if protocol.get("scale"):
        sentences.append(
            f"For the evaluation model, features were {_scaled(protocol['scale'])} with parameters "
            "from the training samples."
        )
    return sentences


def _model_sentences(facts: dict[str, Any]) -> list[str]:
    protocol = facts["protocol"]
    counts = join_names([str(k) for k in protocol["n_features"]])
    article = "An" if protocol["estimator"][:1].lower() in "aeiou" else "A"
    several = protocol["scoring"] == "ROC AUC" and facts["data"].get("classes", 2) > 2
    mean = ", the mean over the classes against the rest" if several else ""
    sentences = [
        f"{article} {protocol['estimator']} was trained on the top {counts} features and scored "
        f"on the test samples by {_metric(protocol['scoring'])}{mean}."
    ]
    grid = next((name for name in MODELS if name in protocol), None)
    if grid is not None and facts["model_is_tuned"] and len(protocol[grid]) > 1:
        low, high = min(protocol[grid]), max(protocol[grid])
        sentences.append(
            f"Its {MODELS[grid]} was chosen from {len(protocol[grid])} values between {low:g} and "
            f"{high:g} by {_inner_cv(facts)}."
        )
    return sentences


def _metric(scorer: str) -> str:
    return {"r2": "R²"}.get(scorer, scorer)


def _inner_cv(facts: dict[str, Any]) -> str:
    together = ", with groups kept together" if "groups" in facts["data"] else ""
    folds = facts["protocol"]["inner_cv"]
    return f"{folds}-fold cross-validation within the training samples{together}"


def _tuning_sentences(facts: dict[str, Any]) -> list[str]:
    tuned = [
        f"{name} of {entry['name']} ({count} values)"
        for entry in facts["methods"]
        for name, count in entry["tuned"].items()
    ]
    if not tuned:
        return []
    return [
        f"The parameter {join_names(tuned)} was chosen by cross-validation within the training "
        "samples, as the last value within one standard error, or 0.01, of the best."
        if len(tuned) == 1
        else f"The parameters {join_names(tuned)} were chosen by cross-validation within the "
        "training samples, each as the last value within one standard error, or 0.01, of the best."
    ]


def _signal_sentences(facts: dict[str, Any], references: References) -> list[str]:
    test = facts["signal"]
    if test is None or test["p_value"] is None:
        return []
    what = PERMUTED["target" if "classes" not in facts["data"] else "classes"]
    where = {"within groups": " within groups", "whole groups": " between whole groups"}
    splits = count_of(test["splits"], "split")
    return [
        f"A permutation test with early stopping{references.cite(BESAG_CLIFFORD)} checked whether "
        f"the features predict the {what[0]}: {what[1]} were permuted"
        f"{where.get(test['kind'], '')} {test['permutations']} times, and {test['method']} was "
        f"evaluated on {splits} each time."
    ]


def _statistics_sentences(facts: dict[str, Any], references: References) -> list[str]:
    sentences = []
    if facts["baseline"] is not None:
        count = facts["protocol"].get("n_random", 1)
        several = f"The mean of {count} random rankings per trial"
        sentences.append(f"{several if count > 1 else 'A random ranking'} served as the baseline.")
    sentences += _signal_sentences(facts, references)
    if facts["trials"] > 1:
        corrected = references.cite(NADEAU_BENGIO)
        stability = references.cite(NOGUEIRA)
        sentences += [
            "Differences between methods were tested by the corrected resampled t-test"
            f"{corrected}, and intervals use its standard error.",
            "The stability of the selected features over the splits was measured by the index of "
            f"Nogueira et al.{stability}.",
        ]
    return sentences
