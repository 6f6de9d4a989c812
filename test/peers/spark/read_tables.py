"""Reads the exports in a folder with Spark, and prints their tables."""

import sys
import tempfile
from pathlib import Path

from pyspark.sql import SparkSession

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from tables import print_tables  # noqa: E402

spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)


def to_columns(frame):
    rows = frame.collect()
    return {name: [row[i] for row in rows] for i, name in enumerate(frame.columns)}


def read_csv(text):
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(text)
        file.flush()
        return to_columns(spark.read.option("header", True).option("escape", '"').csv(file.name))


READERS = {
    "spark": {
        ".parquet": lambda path: to_columns(spark.read.parquet(str(path))),
        ".jsonl": lambda path: to_columns(spark.read.json(str(path))),
        ".json": lambda path: to_columns(spark.read.option("multiLine", True).json(str(path))),
        ".csv": read_csv,
    }
}

print_tables(sys.argv[1], READERS)
spark.stop()
