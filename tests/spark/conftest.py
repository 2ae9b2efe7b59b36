"""Spark on this machine: one session for all tests.

Where there is no Java or no pyspark, these tests are skipped with the reason; with
FEATRANK_SPARK=required, as in continuous integration, they fail.
"""

import os
import shutil
import sys

import pytest

# A short life is all that this Java has: what it would compile for later is not worth the time.
SETTINGS = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def no_spark(reason):
    if os.environ.get("FEATRANK_SPARK") == "required":
        pytest.fail(f"FEATRANK_SPARK=required, and {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="package")
def spark():
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=f"{home}/bin" if home else None) is None:
        no_spark("there is no Java: apt install default-jre-headless.")
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        no_spark("there is no pyspark: pip install 'featrank[spark]'.")
    before = os.environ.get("PYSPARK_PYTHON")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("featrank")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
    if before is None:
        del os.environ["PYSPARK_PYTHON"]
    else:
        os.environ["PYSPARK_PYTHON"] = before
