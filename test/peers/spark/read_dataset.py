"""Reads the tables of a dataset with Spark, and prints statistics over all of its runs as JSON."""

import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.ui.enabled", "false")
    # Names of runs that look like numbers remain texts.
    .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
    .getOrCreate()
)

NOT_LABELS = {"timestamp_ns", "value", "description"}


def read(table):
    return spark.read.option("mergeSchema", True).parquet(f"{sys.argv[1]}/{table}")


samples = read("samples").where("metric_type = 'counter'")
series = [name for name in samples.columns if name not in NOT_LABELS]
increases = samples.groupBy(*series).agg(
    (f.max_by("value", "timestamp_ns") - f.min_by("value", "timestamp_ns")).alias("increase")
)
counters = increases.groupBy("run", "metric_name").agg(f.sum("increase").alias("increase"))
buckets = read("buckets").groupBy("run", "metric_name", "le").agg(f.sum("bucket_count").alias("count"))
rows = {table: read(table).count() for table in ("samples", "histograms", "buckets", "statistics", "runs")}
print(
    json.dumps(
        {
            "counters": [row.asDict() for row in counters.collect()],
            # JSON has no infinity.
            "buckets": [
                {**row.asDict(), "le": "+Inf" if row["le"] == float("inf") else row["le"]}
                for row in buckets.collect()
            ],
            "rows": rows,
        }
    )
)
spark.stop()
