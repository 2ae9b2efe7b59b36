"""``methods_section``: every clause comes from what was done."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit

import featrank
from featrank.evaluation import Protocol, compare


@pytest.fixture
def data():
    return featrank.datasets.make_microarray(40, 60, n_correlated=10, random_state=0)


@pytest.fixture
def write_genes(tmp_path):
    """Write a file of 30 samples with some changes, and return its path."""

    def write(change=lambda frame: frame, name="genes.csv"):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame(rng.normal(6, 1, (30, 8)), columns=[f"g{j}" for j in range(8)])
        frame["state"] = ["ill", "well"] * 15
        frame.loc[frame["state"] == "ill", "g0"] += 3
        change(frame)
        sep = "\t" if ".tsv" in name else ","
        frame.to_csv(tmp_path / name, index=False, sep=sep)
        return tmp_path / name

    return write


def remove_values(frame):
    frame.loc[[1, 4, 9], "g2"] = np.nan


def section(path, method="fisher", **options):
    return featrank.rank_file(path, "state", method, **options).methods_section()


def test_data_and_software(write_genes):
    text = section(write_genes())
    assert text.startswith(
        "The data set comprised 30 samples and 8 features (file format: CSV). The target 'state' "
        "had 2 classes: ill (n = 15) and well (n = 15). Features were ranked by Fisher score ("
    )
    assert f"The analysis used featrank {featrank.__version__} with Python 3" in text
    assert "\n\nReferences\n[1] R. O. Duda" in text
    assert "(file format: TSV)" in section(write_genes(name="genes.tsv.gz"))
    in_memory = featrank.rank(np.arange(12).reshape(6, 2) % 5, [0, 0, 0, 1, 1, 1], "fisher")
    assert "file format" not in in_memory.methods_section()


def test_nothing_is_said_to_be_done_that_was_not(write_genes):
    text = section(
        write_genes(), missing="median", max_missing=0.5, duplicates="mean", transform="none"
    )
    for word in ("imputed", "missing", "merged", "excluded", "transformed", "training", "group"):
        assert word not in text
    assert "test" not in text


@pytest.mark.parametrize(
    ("how", "words"),
    [("mean", "the mean of the feature"), ("median", "the median of the feature"),
     ("knn", "the mean of the five nearest samples with a value")],
)  # fmt: skip
def test_imputation_of_values_that_were_missing(write_genes, how, words):
    text = section(write_genes(remove_values), missing=how)
    assert f"3 missing values were imputed by {words}" in text


def test_missing_values_that_the_method_ignored(write_genes):
    text = section(write_genes(remove_values), "relieff")
    assert "1.2 % of the values were missing and were ignored by the method." in text
    assert "imputed" not in text


def test_excluded_features(write_genes):
    def change(frame):
        frame.loc[:20, "g3"] = np.nan

    text = section(write_genes(change), max_missing=0.2)
    assert "1 feature with more than 20 % missing values was excluded." in text
    assert "30 samples and 7 features" in text


def test_excluded_samples(write_genes, tmp_path):
    path = write_genes()
    frame = pd.read_csv(path)
    frame.insert(0, "id", [f"s{j}" for j in range(30)])
    frame.drop(columns="state").to_csv(path, index=False)
    sheet = frame[["id", "state"]].copy()
    sheet.loc[[0, 1], "state"] = None
    sheet.to_csv(tmp_path / "sheet.csv", index=False)
    with pytest.warns(featrank.exceptions.FeatrankWarning):
        text = section(path, labels=tmp_path / "sheet.csv")
    assert "2 samples without a usable value of the target were excluded." in text
    assert "comprised 28 samples" in text


@pytest.mark.parametrize(
    ("how", "words"),
    [("mean", "by averaging their values in each sample"), ("max", "by their largest value"),
     ("first", "by keeping the first column")],
)  # fmt: skip
def test_merged_columns(tmp_path, how, words):
    values = np.random.default_rng(0).normal(size=(6, 12))
    frame = pd.DataFrame(values, columns=[f"s{column}" for column in range(12)])
    frame.insert(0, "gene", ["a", "a", "b", "c", "d", "e"])
    frame.loc[6] = ["class", *["ill", "well"] * 6]
    frame.to_csv(tmp_path / "genes.csv", index=False)
    ranking = featrank.rank_file(
        tmp_path / "genes.csv", "class", "fisher", transpose=True, duplicates=how
    )
    text = ranking.methods_section()
    assert f"Columns with the same name were merged {words}" in text
    assert "which affected 1 feature." in text


def test_transforms(write_genes):
    text = section(write_genes(), transform="cpm,log1p")
    assert (
        "The values were transformed to counts per million of each sample, and these to log(1 + x)."
        in text
    )


def test_parameters_and_seed(data):
    text = featrank.rank(data.X, data.y, "mi", bins=7).methods_section()
    assert "Parameters other than the defaults were bins = 7." in text
    assert "seed" not in text
    ranking = featrank.rank(data.X, data.y, "ec-fs", alpha=0.3)
    assert "The parameter alpha was set to 0.3." in ranking.methods_section()
    assert "seed" not in ranking.methods_section()
    assert "cross-validation" not in ranking.methods_section()


def test_tuning(data):
    ranking = featrank.rank(data.X, data.y, random_state=7)
    text, tuned = ranking.methods_section(), ranking.tuned_params()
    assert (
        "The parameter alpha was chosen from 11 values by 5-fold cross-validation of a linear "
        "SVM on the top-ranked features. Of all values within one standard "
        "error, or 0.01, of the best AUC, the largest was used: "
        f"alpha = {tuned['alpha']:g} (AUC {tuned['auc']:.3f}, "
    ) in text
    assert "The random seed was 7." in text
    assert "chosen by" not in text


@pytest.mark.parametrize("kernel", ["product", "symmetric"])
def test_alpha_1_is_not_credited_to_centrality(data, kernel):
    ranking = featrank.rank(data.X, data.y, alpha=1, kernel=kernel)
    text = ranking.methods_section()
    ranker = ranking.ranker
    f, m = ranker.fisher_, ranker.information_
    if kernel == "product":
        assert "At alpha = 1 the ranking equals that of the Fisher score." in text
        assert ranking.order.tolist() == featrank.rank(data.X, data.y, "fisher").order.tolist()
    else:
        assert "At alpha = 1 the ranking equals that of the sum of the Fisher score and the" in text
        both = f / np.linalg.norm(f) + m / np.linalg.norm(m)
        np.testing.assert_allclose(both / both.sum(), ranking.scores / ranking.scores.sum())
    assert "At alpha" not in featrank.rank(data.X, data.y, alpha=0.5).methods_section()
    assert "spread of the features only" in featrank.rank(data.X, data.y, alpha=0).methods_section()


def test_groups(data):
    groups = np.repeat(np.arange(10), 4)
    text = featrank.rank(data.X, data.y, groups=groups).methods_section()
    assert "Samples of the same group (10 groups) were kept in the same fold." in text
    fixed = featrank.rank(data.X, data.y, groups=groups, alpha=0.5).methods_section()
    assert "group" not in fixed


def test_weights(data):
    weights = np.ones(40)
    text = featrank.rank(data.X, data.y, "fisher", sample_weight=weights).methods_section()
    assert "Samples were weighted." in text


def test_regression():
    X = np.random.default_rng(0).normal(size=(40, 6))
    y = 3 * X[:, 0] + X[:, 1]
    text = featrank.rank(X, y, task="regression").methods_section()
    assert f"The target was numeric and ranged from {y.min():.4g} to {y.max():.4g}." in text
    assert "for regression." in text
    assert "ridge regression on the top-ranked features" in text
    assert "task" not in text
    assert "class" not in text


def test_without_a_target():
    X = np.random.default_rng(0).normal(size=(20, 4))
    text = featrank.rank(X, method="laplacian").methods_section()
    assert ", without using a target." in text
    assert "class" not in text


def test_one_class_against_the_rest():
    data = featrank.datasets.make_counts(90, 60, n_classes=3, n_informative=20, random_state=0)
    markers = featrank.rank(data.X, data.y, per_class=True)
    text = markers.methods_section()
    assert ", separately for each of 3 classes against all other samples." in text
    assert "The parameter alpha was chosen separately for each class" in text
    for label, one in markers.items():
        tuned = one.tuned_params()
        assert f"alpha = {tuned['alpha']:g} for {label} (AUC {tuned['auc']:.3f}, " in text
    alone = markers["class2"].methods_section()
    assert ", for the class 'class2' against all other samples." in alone
    assert "separately" not in alone


@pytest.mark.parametrize(("test", "name"), [("welch", "Welch's t-test"), ("wilcoxon", "Wilcoxon")])
def test_tests_are_mentioned_once_they_are_computed(data, test, name):
    markers = featrank.rank(data.X, data.y, "fisher", per_class=True)
    assert "p-values" not in markers.methods_section()
    markers.to_frame(3, test=test, values="log2")
    for text in (markers.methods_section(), next(iter(markers.values())).methods_section()):
        assert f"all other samples by {name}" in text
        assert "adjusted for 60 features by the method of Benjamini and Hochberg [" in text
        assert "Log2 fold changes were computed from the means, assuming log2 values." in text
        assert "Journal of the Royal Statistical Society" in text
    other = featrank.rank(data.X, data.y, "fisher", per_class=True)
    other.to_frame(3, test=test, values="none")
    assert "fold changes" not in other.methods_section()


@pytest.mark.parametrize("method", sorted(featrank.methods()))
def test_every_method_has_a_name_and_references(data, method):
    ranking = featrank.rank(np.abs(data.X[:, :12]), data.y, method)
    text = ranking.methods_section()
    assert "Features were ranked by " in text
    assert "\n[1] " in text


def protocol(**changes):
    return Protocol(**{"n_repeats": 4, "n_features": (3, 6), "C": (0.1, 1.0), "inner_cv": 3,
                       **changes})  # fmt: skip


def test_comparisons(data):
    results = compare(data.X, data.y, ["ec-fs", featrank.MutualInformation(bins=7)], protocol())
    text = results.methods_section()
    for clause in (
        "The data set comprised 40 samples and 60 features. The target had 2 classes: ",
        "2 feature ranking methods were compared: ec-fs [1] and mi (bins = 7) [2].",
        "In each of 4 random splits, stratified by class, 35 % of the samples were held out",
        "Features were ranked on the training samples only.",
        "features were standardised with parameters from the training samples.",
        "A linear SVM was trained on the top 3 and 6 features and scored on the test samples by "
        "ROC AUC.",
        "Its C was chosen from 2 values between 0.1 and 1 by 3-fold cross-validation within the "
        "training samples.",
        "The parameter alpha of ec-fs (11 values) was chosen by cross-validation within",
        "The mean of 30 random rankings per trial served as the baseline.",
        "corrected resampled t-test [3], and intervals use its standard error.",
        "Nogueira et al. [4]",
        "The random seed was 0.",
        f"The analysis used featrank {featrank.__version__} with Python",
        "\n\nReferences\n[1] G. Roffo",
    ):
        assert clause in text, clause
    for word in ("imputed", "transformed", "excluded", "group", "LEAKY"):
        assert word not in text


def test_comparisons_with_groups_and_preprocessing(data):
    X = np.abs(data.X)
    X[::7, 3] = np.nan
    results = compare(
        X,
        data.y,
        ["fisher"],
        protocol(imputer="median", transform="log1p", max_missing=0.4, random_state=3),
        groups=np.arange(40) // 4,
    )
    text = results.methods_section()
    for clause in (
        "1 feature ranking method was evaluated: fisher [1, 2].",
        "whole groups (10 groups in total) with about",
        "so that no group was in both the training and the test samples.",
        "The values were transformed to log(1 + x).",
        "Features with more than 40 % missing values in the training samples were excluded.",
        "Missing values (0.25 % of all values) were imputed by the median of the feature, computed "
        "on the training samples.",
        "within the training samples, with groups kept together.",
        "The random seed was 3.",
    ):
        assert clause in text, clause
    assert "stratified" not in text
    assert "The parameter" not in text


def test_comparisons_with_other_models_and_splits(data):
    results = compare(
        data.X,
        data.y,
        ["fisher"],
        protocol(
            estimator=LogisticRegression(),
            scoring="accuracy",
            scale=None,
            cv=ShuffleSplit(4, test_size=0.4, random_state=0),
            leaky=True,
        ),
    )
    text = results.methods_section()
    assert text.startswith("LEAKY: features were ranked on all samples")
    assert "training samples only" not in text
    assert "by 4 splits of ShuffleSplit(n_splits=4" in text
    assert "A LogisticRegression() was trained on the top 3 and 6 features" in text
    assert "by accuracy" in text
    assert "Its C was chosen from 2 values between 0.1 and 1" in text
    assert "standardised" not in text


def test_comparisons_for_regression(data):
    x = data.X[:, 0]
    y = x + np.random.default_rng(0).normal(scale=x.std(), size=40)
    results = compare(
        data.X, y, ["fisher"], protocol(task="regression", penalties=(0.1, 1.0, 10.0))
    )
    text = results.methods_section()
    assert "The target was numeric." in text
    assert "stratified by quantiles of the target" in text
    assert "A ridge regression was trained on the top 3 and 6 features" in text
    assert "by R²" in text
    assert "Its penalty was chosen from 3 values between 0.1 and 10" in text
    assert "class" not in text.partition("References")[0]


def test_claims_at_a_false_discovery_rate():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 30)), np.array(list("abc"))[np.arange(60) % 3]
    X[y == "b", 2] += 6
    assert "False discovery" not in featrank.rank(X, y, "fisher").methods_section()
    whole = featrank.rank(X, y, "fisher", fdr=0.1)
    n = whole.fdr_control.n_selected
    assert f"At a level of 0.1, {n} feature" in whole.methods_section()
    assert "False discovery rates of fisher were estimated" in whole.methods_section()
    each = featrank.rank(X, y, "fisher", fdr=0.1, per_class=True)
    section = each.methods_section()
    for label, ranking in each.items():
        n = ranking.fdr_control.n_selected
        assert f"{n} feature{'' if n == 1 else 's'} for {label}" in section
        assert f"{ranking.fdr_control.n_draws}" in section.partition(" draws.")[0]
