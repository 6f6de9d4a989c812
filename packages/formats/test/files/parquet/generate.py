"""Writes the same small export with several libraries and settings, and expected.json with its rows.

Columns, types, metadata and batches are the same as in AIPerf's exporter (pyarrow, Snappy). Requires pyarrow, polars,
pandas and fastparquet. Usage: python generate.py
"""
import json
import os

import fastparquet
import polars
import pyarrow
import pyarrow.parquet as parquet

HERE = os.path.dirname(os.path.abspath(__file__))
START = 1765793061967310848
TIMES = [START + i * 333_000_000 + (i * 7919) % 1009 for i in range(24)]
BOUNDS = ["0.3", "1.0", "5.0", "+Inf"]
URL = "http://localhost:8000/metrics"


def series():
    """Yields (metric, type, unit, description, labels, rows). A row is (timestamp, value, sum, count, le, bucket count)."""
    for engine in ("0", "1"):
        labels = {"engine": engine, "model_name": "Qwen/Qwen3-0.6B"}
        rows = []
        for i, time in enumerate(TIMES):
            counts = [i // 3, i // 2, i - i // 8, i]
            rows += [(time, None, i * 1.37, float(i), le, float(c)) for le, c in zip(BOUNDS, counts)]
        yield "vllm:e2e_request_latency_seconds", "histogram", "seconds", "Histogram of latency.", labels, rows
    usage = [(time, (i * 37 % 101) / 101, None, None, None, None) for i, time in enumerate(TIMES)]
    yield "vllm:kv_cache_usage_perc", "gauge", "ratio", None, {"model_name": "Qwen/Qwen3-0.6B", "note": "größer → 漢字"}, usage
    success = [(time, float(i * 12), None, None, None, None) for i, time in enumerate(TIMES)]
    yield "vllm:request_success", "counter", None, "Count of successful requests.", {"finished_reason": ""}, success


LABELS = ["engine", "finished_reason", "model_name", "note"]
SCHEMA = pyarrow.schema(
    [
        pyarrow.field("endpoint_url", pyarrow.string(), nullable=False),
        pyarrow.field("metric_name", pyarrow.string(), nullable=False),
        pyarrow.field("metric_type", pyarrow.string(), nullable=False),
        pyarrow.field("unit", pyarrow.string()),
        pyarrow.field("description", pyarrow.string()),
        pyarrow.field("timestamp_ns", pyarrow.int64(), nullable=False),
        *[pyarrow.field(label, pyarrow.string()) for label in LABELS],
        pyarrow.field("value", pyarrow.float64()),
        pyarrow.field("sum", pyarrow.float64()),
        pyarrow.field("count", pyarrow.float64()),
        pyarrow.field("bucket_le", pyarrow.string()),
        pyarrow.field("bucket_count", pyarrow.float64()),
    ]
)
METADATA = {
    "aiperf.schema_version": "1.0",
    "aiperf.version": "0.7.0",
    "aiperf.benchmark_id": "5f2c1f5e-0000-4000-8000-000000000001",
    "aiperf.exporter": "ServerMetricsParquetExporter",
    "aiperf.export_timestamp_utc": "2025-12-15T10:05:00.000000+00:00",
    "aiperf.time_filter_start_ns": str(TIMES[0]),
    "aiperf.time_filter_end_ns": str(TIMES[-2]),
    "aiperf.profiling_duration_ns": str(TIMES[-2] - TIMES[0]),
    "aiperf.profiling_duration_seconds": str((TIMES[-2] - TIMES[0]) / 1e9),
    "aiperf.endpoint_urls": json.dumps([URL]),
    "aiperf.endpoint_count": "1",
    "aiperf.label_columns": json.dumps(LABELS),
    "aiperf.label_count": str(len(LABELS)),
    "aiperf.metric_count": "3",
    "aiperf.metric_type_counts": json.dumps({"gauge": 1, "counter": 1, "histogram": 1}),
    "aiperf.model_names": json.dumps(["Qwen/Qwen3-0.6B"]),
    "aiperf.concurrency": "4",
    "aiperf.input_config": json.dumps({"endpoint": {"model_names": ["Qwen/Qwen3-0.6B"]}}),
    "aiperf.hostname": "host",
    "aiperf.python_version": "3.11.0",
    "aiperf.pyarrow_version": pyarrow.__version__,
    "aiperf.schema_note": "Use union_by_name=true.",
}


def table():
    rows = []
    for name, kind, unit, description, labels, points in series():
        for time, value, total, count, le, bucket in points:
            row = [URL, name, kind, unit, description, time]
            rows.append(row + [labels.get(label) for label in LABELS] + [value, total, count, le, bucket])
    columns = [pyarrow.array(list(column), field.type) for column, field in zip(zip(*rows), SCHEMA)]
    return pyarrow.table(columns, schema=SCHEMA.with_metadata(METADATA)), rows


def main():
    data, rows = table()
    with open(os.path.join(HERE, "expected.json"), "w") as file:
        exact = [[str(cell) if isinstance(cell, int) else cell for cell in row] for row in rows]
        json.dump({"columns": data.column_names, "rows": exact}, file, ensure_ascii=False)

    def arrow(name, **options):
        parquet.write_table(data, os.path.join(HERE, f"{name}.parquet"), **options)

    strings = [field.name for field in SCHEMA if field.type == pyarrow.string()]
    doubles = [field.name for field in SCHEMA if field.type == pyarrow.float64()]
    split = dict.fromkeys(doubles, "BYTE_STREAM_SPLIT") | {"timestamp_ns": "DELTA_BINARY_PACKED"}
    plain = {"use_dictionary": False}
    # Like AIPerf: one ParquetWriter, and one table per batch.
    with parquet.ParquetWriter(os.path.join(HERE, "aiperf.parquet"), data.schema, compression="snappy") as writer:
        for start in range(0, len(rows), 100):
            writer.write_table(data.slice(start, 100))
    arrow("pages-v2", compression="snappy", data_page_version="2.0", data_page_size=256, write_batch_size=32)
    arrow("plain", compression="none", **plain)
    arrow("gzip", compression="gzip")
    arrow("brotli", compression="brotli", data_page_version="2.0")
    arrow("zstd", compression="zstd")
    arrow("lz4", compression="lz4")
    arrow("fallback", dictionary_pagesize_limit=64, data_page_size=128, write_batch_size=16)
    arrow("delta", column_encoding=dict.fromkeys(strings, "DELTA_BYTE_ARRAY") | split, **plain)
    arrow("delta-length", column_encoding=dict.fromkeys(strings, "DELTA_LENGTH_BYTE_ARRAY") | split, **plain)
    polars.from_arrow(data).write_parquet(os.path.join(HERE, "polars.parquet"), compression="snappy")
    fastparquet.write(os.path.join(HERE, "fastparquet.parquet"), data.to_pandas(), compression="SNAPPY")


main()
