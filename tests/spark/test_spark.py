"""Data frames of Spark give the same bits as the same rows in memory."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import featrank.spark
from featrank import ECFS, MRMR, FisherScore, MutualInformation
from featrank.exceptions import DataError, UsageError

pytestmark = pytest.mark.slow

N_ROWS, N_FEATURES = 300, 8
SINGLE_PASS = [name for name, cls in featrank.methods().items() if hasattr(cls, "fit_summary")]
NAMES = [f"gene.{j}" for j in range(N_FEATURES)]


@pytest.fixture(scope="module")
def rows():
    """Return numbers of very different sizes, many of them zero, and three classes."""
    rng = np.random.default_rng(0)
    X = rng.lognormal(sigma=4, size=(N_ROWS, N_FEATURES)) * (rng.random((N_ROWS, N_FEATURES)) < 0.6)
    y = rng.choice(["sick", "well", "who knows"], N_ROWS)
    X[y == "sick", 2] += 50
    return X, y


@pytest.fixture(scope="module")
def frame(spark, rows):
    """Return the rows shuffled, with the features in each of the ways that Spark knows."""
    from pyspark.ml.linalg import Vectors

    X, y = rows
    order = np.random.default_rng(1).permutation(N_ROWS)
    cells = [
        (
            *map(float, X[row]),
            X[row].tolist(),
            Vectors.dense(X[row]) if row % 3 == 0 else sparse_vector(X[row]),
            str(y[row]),
        )
        for row in order
    ]
    schema = [*NAMES, "all", "vectors", "label"]
    return spark.createDataFrame(cells, schema).repartition(3).cache()


def sparse_vector(values):
    from pyspark.ml.linalg import Vectors

    places = np.flatnonzero(values)
    return Vectors.sparse(len(values), places, values[places])


@pytest.mark.parametrize(
    ("ranker", "features"),
    [
        (FisherScore(), NAMES),
        (MutualInformation(), "all"),
        (ECFS(alpha=0.5), "vectors"),
    ],
)
def test_the_same_bits_as_in_memory(frame, rows, ranker, features):
    X, y = rows
    found = featrank.spark.fit(clone(ranker), frame, features=features, label="label")
    expected = clone(ranker).fit(X, y)
    np.testing.assert_array_equal(found.scores_, expected.scores_)
    np.testing.assert_array_equal(found.classes_, expected.classes_)
    if features is NAMES:
        assert found.feature_names_in_.tolist() == NAMES


@pytest.mark.parametrize("name", SINGLE_PASS)
def test_every_single_pass_method_ranks_a_spark_frame(frame, rows, name):
    ranker = featrank.methods()[name]()
    if ranker.tunable is not None:
        ranker.set_params(**{ranker.tunable.name: 0.5})
    result = featrank.spark.fit(clone(ranker), frame, features=NAMES, label="label")
    np.testing.assert_array_equal(result.scores_, clone(ranker).fit(*rows).scores_)


def test_the_error_for_other_methods_lists_every_single_pass_method(frame):
    with pytest.raises(UsageError) as caught:
        featrank.spark.fit(MRMR(), frame, features="all", label="label")
    assert all(featrank.methods()[name].__name__ in str(caught.value) for name in SINGLE_PASS)


def test_panels_of_features_change_nothing(frame, rows, monkeypatch):
    X, y = rows
    monkeypatch.setattr(featrank.spark, "STATE_BYTES", 5 * 240)
    ranker = featrank.spark.fit(FisherScore(), frame, features="vectors", label="label")
    np.testing.assert_array_equal(ranker.scores_, FisherScore().fit(X, y).scores_)


def test_columns_of_several_types_with_a_missing_value(spark, rows):
    from pyspark.sql.types import DecimalType

    X, y = rows
    table = pd.DataFrame({"a": X[:, 0], "b": np.arange(N_ROWS), "c": X[:, 2] > 1, "y": y == "sick"})
    table.loc[5, "a"] = None
    frame = spark.createDataFrame(table).withColumn("b", _column("b").cast(DecimalType(9, 2)))
    frame = frame.repartition(2, _column("y"))  # one class a partition
    found = featrank.spark.fit(FisherScore(), frame, label="y", missing="skip")
    kept = table["a"].notna()
    some = FisherScore().fit(table.loc[kept, ["a"]].to_numpy(), table.loc[kept, "y"])
    rest = FisherScore().fit(table[["b", "c"]].to_numpy(np.float64), table["y"])
    np.testing.assert_array_equal(found.scores_, [*some.scores_, *rest.scores_])
    assert found.classes_.tolist() == [False, True]


def _column(name):
    from pyspark.sql import functions

    return functions.col(name)


def test_vectors_of_an_assembler_keep_their_names(frame):
    from pyspark.ml.feature import VectorAssembler

    plain = frame.toDF(*(name.replace(".", " ") for name in frame.columns))
    names = [name.replace(".", " ") for name in NAMES]
    assembled = VectorAssembler(inputCols=names, outputCol="features").transform(plain)
    _, layout, found = featrank.spark.selected(assembled, "features", "label")
    assert (layout.kind, layout.n_features, found) == ("vector", N_FEATURES, names)


def test_errors_of_partitions_come_as_they_are(spark):
    uneven = spark.createDataFrame([([1.0, 2.0], "a"), ([3.0], "b")], ["all", "label"])
    with pytest.raises(DataError, match="'all' holds 2 features in the first row and 1 in another"):
        featrank.spark.fit(FisherScore(), uneven, features="all", label="label")


def test_what_cannot_be_used_is_reported(frame):
    with pytest.raises(UsageError, match="Did you mean 'label'"):
        featrank.spark.fit(FisherScore(), frame, features="all", label="lable")
    with pytest.raises(UsageError, match="among the features"):
        featrank.spark.fit(FisherScore(), frame, features=["all", "label"], label="label")
    with pytest.raises(UsageError, match="MRMR needs the rows"):
        featrank.spark.fit(MRMR(), frame, features="all", label="label")
    with pytest.raises(DataError, match="'all' holds array<double>"):
        featrank.spark.fit(FisherScore(), frame, label="label")
    with pytest.raises(DataError, match="no rows"):
        featrank.spark.fit(FisherScore(), frame.limit(0), features=NAMES, label="label")
