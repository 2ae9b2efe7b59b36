import numpy as np
import pytest

from featrank.datasets import make_counts, make_madelon, make_microarray
from featrank.exceptions import UsageError

MAKERS = {
    "madelon": lambda seed: make_madelon(200, 4, 3, 20, random_state=seed),
    "microarray": lambda seed: make_microarray(40, 200, random_state=seed),
    "counts": lambda seed: make_counts(40, 200, random_state=seed),
}


def residual_share(columns, basis):
    """How much of the columns' variance the basis (and a constant) cannot express."""
    design = np.column_stack([np.ones(len(basis)), basis])
    fitted = design @ np.linalg.lstsq(design, columns, rcond=None)[0]
    return ((columns - fitted).var(axis=0) / columns.var(axis=0)).tolist()


def separations(data):
    """Absolute difference of the two class means of log2 X, in standard deviations."""
    logs = np.log2(data.X)
    case, control = logs[data.y == "case"], logs[data.y == "control"]
    spread = np.sqrt((case.var(axis=0, ddof=1) + control.var(axis=0, ddof=1)) / 2)
    return np.abs(case.mean(axis=0) - control.mean(axis=0)) / spread


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
class TestEveryMaker:
    def test_same_seed_same_bits(self, maker):
        first, second = maker(3), maker(3)
        assert np.array_equal(first.X, second.X)
        assert np.array_equal(first.y, second.y)
        for kind, columns in first.truth.items():
            assert np.array_equal(columns, second.truth[kind])

    def test_other_seed_other_data(self, maker):
        assert not np.array_equal(maker(3).X, maker(4).X)

    def test_generator_is_taken_as_seed(self, maker):
        assert np.array_equal(maker(np.random.default_rng(5)).X, maker(5).X)

    def test_truth_names_every_column_once(self, maker):
        data = maker(0)
        columns = np.concatenate(list(data.truth.values()))
        assert sorted(columns.tolist()) == list(range(data.X.shape[1]))

    def test_columns_are_shuffled(self, maker):
        data = maker(0)
        n_informative = len(data.truth["informative"])
        assert data.truth["informative"].tolist() != list(range(n_informative))

    def test_values_are_finite_and_names_unique(self, maker):
        data = maker(0)
        assert np.isfinite(data.X).all()
        assert len(set(data.feature_names)) == data.X.shape[1]


class TestMadelon:
    def test_default_is_the_size_of_the_training_part(self):
        data = make_madelon(random_state=0)
        assert data.X.shape == (2000, 500)
        assert {kind: len(columns) for kind, columns in data.truth.items()} == {
            "informative": 5,
            "redundant": 15,
            "noise": 480,
        }
        assert set(data.y.tolist()) == {-1, 1}
        assert abs(data.y.mean()) < 0.05

    def test_truth_is_right_after_the_shuffle(self):
        data = make_madelon(500, 4, 6, 10, random_state=1)
        informative = data.X[:, data.truth["informative"]]
        assert max(residual_share(data.X[:, data.truth["redundant"]], informative)) < 1e-12
        assert min(residual_share(data.X[:, data.truth["noise"]], informative)) > 0.9

    def test_informative_features_tell_the_classes_together_and_noise_does_not(self):
        from sklearn.model_selection import cross_val_score
        from sklearn.neighbors import KNeighborsClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        data = make_madelon(1000, random_state=2)
        model = make_pipeline(StandardScaler(), KNeighborsClassifier())
        score = {
            kind: cross_val_score(model, data.X[:, columns], data.y).mean()
            for kind, columns in data.truth.items()
        }
        assert score["informative"] > 0.75
        assert score["noise"] < 0.6

    def test_flip_turns_exactly_that_share_of_labels(self):
        plain = make_madelon(400, 3, 2, 5, flip=0, random_state=3)
        flipped = make_madelon(400, 3, 2, 5, flip=0.25, random_state=3)
        assert (plain.y != flipped.y).sum() == 100

    def test_more_dimensions_than_an_integer_has_bits(self):
        assert make_madelon(100, 70, 0, 0, random_state=0).X.shape == (100, 70)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"n_informative": 0}, "n_informative must be at least 1; got 0"),
            ({"n_noise": -1}, "n_noise must be at least 0; got -1"),
            ({"n_samples": 10}, "n_samples must be at least 32; got 10"),
            ({"flip": 1.5}, "flip must be between 0 and 1; got 1.5"),
            ({"n_informative": 2, "clusters_per_class": 3}, "at most 2.*got 3.*fewer clusters"),
        ],
    )
    def test_impossible_requests_are_refused(self, arguments, message):
        with pytest.raises(UsageError, match=message):
            make_madelon(**arguments)


class TestMicroarray:
    def test_default_is_wide_positive_and_named(self):
        data = make_microarray(random_state=0)
        assert data.X.shape == (100, 5000)
        assert (data.X > 0).all()
        assert data.feature_names[0] == "gene0001"
        assert data.feature_names[-1] == "gene5000"
        assert dict(zip(*np.unique(data.y, return_counts=True), strict=True)) == {
            "case": 50,
            "control": 50,
        }

    def test_each_kind_separates_the_classes_as_the_model_says(self):
        data = make_microarray(
            2000, 60, n_informative=20, n_correlated=20, effect=2, correlation=0.6, random_state=1
        )
        found = separations(data)
        assert np.allclose(found[data.truth["informative"]], 2, atol=0.2)
        assert np.allclose(found[data.truth["correlated"]], 1.2, atol=0.2)
        assert np.allclose(found[data.truth["noise"]], 0, atol=0.2)

    def test_correlated_genes_follow_an_informative_one_within_a_class(self):
        data = make_microarray(
            2000, 40, n_informative=5, n_correlated=15, correlation=0.8, random_state=2
        )
        logs = np.log2(data.X[data.y == "control"])
        correlations = np.abs(np.corrcoef(logs, rowvar=False))[:, data.truth["informative"]]
        assert np.allclose(correlations[data.truth["correlated"]].max(axis=1), 0.8, atol=0.06)
        assert correlations[data.truth["noise"]].max() < 0.2

    def test_more_classes(self):
        data = make_microarray(31, 50, n_classes=3, n_correlated=5, random_state=0)
        sizes = np.unique(data.y, return_counts=True)
        assert sizes[0].tolist() == ["class1", "class2", "class3"]
        assert sorted(sizes[1].tolist()) == [10, 10, 11]

    def test_pure_noise_can_be_made(self):
        data = make_microarray(10, 30, n_informative=0, n_correlated=0, random_state=0)
        assert len(data.truth["noise"]) == 30

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"n_features": 99}, "n_features must be at least 100; got 99"),
            ({"n_classes": 1}, "n_classes must be at least 2; got 1"),
            ({"n_informative": 0}, "n_informative must be at least 1; got 0"),
            ({"correlation": -0.1}, "correlation must be between 0 and 1; got -0.1"),
            ({"effect": -1}, "effect must be between 0 and inf; got -1"),
        ],
    )
    def test_impossible_requests_are_refused(self, arguments, message):
        with pytest.raises(UsageError, match=message):
            make_microarray(**arguments)


def test_counts_are_mostly_zero_and_follow_their_model():
    data = make_counts(4000, 60, n_informative=20, fold=4.0, random_state=0)
    informative, noise = data.truth["informative"], data.truth["noise"]
    assert data.X.dtype.kind == "i"
    assert (data.X[:, noise] == 0).mean() > 0.5
    case, control = (data.X[data.y == label].mean(axis=0) for label in ("case", "control"))
    folds = np.maximum(case, control)[informative] / np.minimum(case, control)[informative]
    assert folds == pytest.approx(np.full(20, 4.0), rel=0.15)
    often = noise[data.X[:, noise].mean(axis=0) > 0.5]
    assert case[often] == pytest.approx(control[often], rel=0.2)
    # Of counts that all share the depth, the variance is more than mean + 0.3 mean².
    means, spread = control[informative], data.X[data.y == "control"].var(axis=0)[informative]
    assert (spread > means + 0.25 * means**2).all()
