"""Reads the Parquet exports of many runs as one table with Spark, and prints statistics over all runs as JSON."""

import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as f

spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.ui.enabled", "false")
    .getOrCreate()
)

NOT_LABELS = {"timestamp_ns", "value", "sum", "count", "bucket_le", "bucket_count", "description"}

rows = (
    spark.read.option("mergeSchema", True)
    .parquet(f"{sys.argv[1]}/*/server_metrics_export.parquet")
    .withColumn("run", f.regexp_extract(f.input_file_name(), r"([^/]+)/[^/]+$", 1))
)
series = [name for name in rows.columns if name not in NOT_LABELS]

# Values of counters and histograms are increases since the start of the period, so the last one is the increase.
counters = (
    rows.where("metric_type = 'counter'")
    .groupBy(*series)
    .agg(f.max_by("value", "timestamp_ns").alias("increase"))
    .groupBy("metric_name")
    .agg(f.countDistinct("run").alias("runs"), f.sum("increase").alias("increase"))
)
buckets = (
    rows.where("metric_type = 'histogram'")
    .groupBy(*series, "bucket_le")
    .agg(f.max_by("bucket_count", "timestamp_ns").alias("count"))
    .groupBy("metric_name", "bucket_le")
    .agg(f.sum("count").alias("count"))
)
print(
    json.dumps(
        {
            "counters": [row.asDict() for row in counters.collect()],
            "buckets": [row.asDict() for row in buckets.collect()],
        }
    )
)
spark.stop()
