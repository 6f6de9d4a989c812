"""Recomputes the statistics of a run from its JSONL export with pandas, and compares the other exports with them.

Usage: recompute.py FOLDER. Reads server_metrics_export.json and server_metrics_export.jsonl in the folder, and the
content of the Parquet export that DuckDB has written as text: series.json (one JSON object per line with series,
endpoint_url, metric_name, metric_type and labels) and rows.csv (series, timestamp_ns, value, sum, count, bucket_le and
bucket_count). Prints {check: {"comparisons": n, "differences": [...]}} as JSON.
"""

import json
import math
import sys
from collections import defaultdict

import numpy as np
import pandas as pd

PERCENTS = (1, 5, 10, 25, 50, 75, 90, 95, 99)
SLICE_NS = 2_000_000_000

checks = defaultdict(lambda: {"comparisons": 0, "differences": []})


def check(name, where, actual, expected, scale=None):
    """Records whether two values are equal. With a scale, the tolerance is 1e-9 of the scale or the expected value."""
    result = checks[name]
    result["comparisons"] += 1
    is_close = actual is not None and scale is not None and abs(actual - expected) <= 1e-9 * max(abs(expected), scale)
    if not is_close and actual != expected:
        result["differences"].append(f"{where}: {actual!r}, expected {expected!r}")


def check_relative(name, where, actual, expected):
    """Like check, with a tolerance of 1e-9 of the expected value."""
    check(name, where, actual, expected, 0)


def make_key(metric, labels):
    return metric, tuple(sorted((labels or {}).items()))


class Endpoint:
    """Samples of one endpoint from the JSONL export, and the times of its scrapes in the period."""

    def __init__(self, url, records, times):
        self.url = url
        self.times = times
        self.recorded = [record["timestamp_ns"] for record in records]
        rows = [
            {make_key(name, sample.get("labels")): sample for name, samples in record["metrics"].items() for sample in samples}
            for record in records
        ]
        frame = pd.DataFrame({key: [row.get(key) for row in rows] for key in {key for row in rows for key in row}}, dtype=object)
        frame.index = pd.Index(self.recorded, dtype="int64")
        before = frame[frame.index < start].ffill()
        self.reference = before.iloc[-1].dropna() if len(before) else pd.Series(dtype=object)
        # A scrape whose body equals the previous one has no record; the previous record applies.
        self.period = frame.reindex(pd.Index(times, dtype="int64"), method="ffill")

    def samples(self, key, part):
        """Returns the samples of the period and the reference before it, by default the first sample. None without samples."""
        if key not in self.period:
            return None
        column = self.period[key].dropna()
        if column.empty:
            return None
        values = pd.Series([pick_part(sample, part) for sample in column], index=column.index)
        reference = pick_part(self.reference[key], part) if key in self.reference else values.iloc[0]
        return values, reference


def pick_part(sample, part):
    """Returns a field of a sample or, for a part ("buckets", bound), a bucket count."""
    return sample["buckets"].get(part[1]) if isinstance(part, tuple) else sample[part]


def value_at(values, reference, time_ns):
    """Returns the last value until a time, or the reference if there is none."""
    count = values.index.searchsorted(time_ns, side="right")
    return values.iloc[count - 1] if count else reference


def list_slices(endpoint):
    """Returns the start and end of each slice, and the end of the samples that it includes.

    The last slice includes samples after its end if they span less than an update interval.
    """
    last_ns = endpoint.times[-1]
    edges = list(range(start, last_ns + 1, SLICE_NS))
    if len(edges) > 1 and last_ns - edges[-1] < endpoint.update_ns:
        return list(zip(edges, edges[1:], edges[1:-1] + [last_ns]))
    edges.append(last_ns)
    return list(zip(edges, edges[1:], edges[1:]))


def compare_edges(name, where, found, expected):
    check(name, f"{where} edges", [(piece["start_ns"], piece["end_ns"]) for piece in found], [edges[:2] for edges in expected])


def compare_gauge(where, series, endpoint, key, rows):
    samples = endpoint.samples(key, "value")
    if samples is None:
        return check("gauges", where, "exported", "no samples")
    values, _ = samples
    stats = series["stats"]
    largest = values.abs().max()
    check_relative("gauges", f"{where} min", stats["min"], values.min())
    check_relative("gauges", f"{where} max", stats["max"], values.max())
    check("gauges", f"{where} avg", stats["avg"], values.mean(), largest)
    # Subtracting a value does not change the standard deviation, but avoids a loss of digits.
    deviation = (values - values.iloc[0]).std(ddof=1) if len(values) > 1 else 0.0
    check_relative("gauges", f"{where} std", stats["std"], deviation)
    for percent in PERCENTS:
        check_relative("gauges", f"{where} p{percent}", stats[f"p{percent}"], np.percentile(values, percent))
    check("rows", where, rows["value"].tolist(), values.tolist())
    check("times of rows", where, rows["timestamp_ns"].tolist(), values.index.tolist())
    compare_gauge_slices(where, series, values, endpoint)


def compare_gauge_slices(where, series, values, endpoint):
    if len(values) == 1:
        return check("timeslices of gauges", f"{where} with one sample", "timeslices" in series, False)
    expected = []
    for first, last, until in list_slices(endpoint):
        closed = until == endpoint.times[-1]
        inside = values[(values.index >= first) & ((values.index < last) | closed)]
        if len(inside):
            expected.append((first, last, inside.mean(), inside.min(), inside.max()))
    found = series["timeslices"]
    compare_edges("timeslices of gauges", where, found, expected)
    for piece, (_, _, *numbers) in zip(found, expected):
        for name, number in zip(("avg", "min", "max"), numbers):
            check("timeslices of gauges", f"{where} {name}", piece[name], number, values.abs().max())


def compare_counter(where, series, endpoint, key, rows):
    values, reference = endpoint.samples(key, "value")
    stats = series["stats"]
    total = max(values.iloc[-1] - reference, 0)
    check("totals in JSON", where, stats["total"], total)
    check("totals in Parquet", where, rows["value"].iloc[-1], total)
    check("rows", where, rows["value"].tolist(), (values - reference).clip(lower=0).tolist())
    check("times of rows", where, rows["timestamp_ns"].tolist(), values.index.tolist())
    compare_rate("rates", where, stats["rate"], total, values, endpoint, key)
    if len(values) == 1 and key not in endpoint.reference:
        return check("timeslices of counters", f"{where} with one sample", "timeslices" in series, False)
    found = series["timeslices"]
    edges = list_slices(endpoint)
    compare_edges("timeslices of counters", where, found, edges)
    rates = []
    for piece, (first, last, until) in zip(found, edges):
        part = max(value_at(values, reference, until) - value_at(values, reference, first), 0)
        check("timeslices of counters", f"{where} total", piece["total"], part)
        check_relative("timeslices of counters", f"{where} rate", piece["rate"], part / ((last - first) / 1e9))
        if last - first == SLICE_NS:
            rates.append(part / (SLICE_NS / 1e9))
    if "resets" not in stats:
        check("timeslices add up", where, math.fsum(s["total"] for s in found), total, values.abs().max())
    for name, expected in (("avg", np.mean(rates)), ("min", min(rates)), ("max", max(rates)), ("std", np.std(rates, ddof=1))):
        check("rates of timeslices", f"{where} {name}", stats[f"rate_{name}"], expected, max(rates))


def compare_rate(name, where, found, amount, values, endpoint, key):
    """Checks a rate since the reference, if the JSONL contains every scrape and so the time of the reference."""
    times = [time for time in endpoint.recorded if time < start]
    if endpoint.complete and key in endpoint.reference and endpoint.in_every_record(key):
        check_relative(name, where, found, amount / ((values.index[-1] - times[-1]) / 1e9))


def compare_histogram(where, series, endpoint, key, rows):
    counts, count_before = endpoint.samples(key, "count")
    sums, sum_before = endpoint.samples(key, "sum")
    stats = series["stats"]
    count = counts.iloc[-1] - count_before
    total = sums.iloc[-1] - sum_before
    check("histograms", f"{where} count", stats["count"], count)
    last = rows[rows["timestamp_ns"] == rows["timestamp_ns"].max()].set_index("bucket_le")
    check("histograms in Parquet", f"{where} count", last["count"].unique().tolist(), [count])
    bounds = list(endpoint.period[key].dropna().iloc[-1]["buckets"])
    can_sum_fall = any(float(bound) < 0 for bound in bounds)
    check("histograms in Parquet", f"{where} sum", last["sum"].unique().tolist(), [total if can_sum_fall else max(total, 0)])
    check("times of rows", where, sorted(rows["timestamp_ns"].unique().tolist()), counts.index.tolist())
    check("histograms", f"{where} bounds", list(series["buckets"]), bounds)
    buckets = {bound: endpoint.samples(key, ("buckets", bound)) for bound in bounds}
    for bound, (values, before) in buckets.items():
        check("histograms", f"{where} le {bound}", series["buckets"][bound], values.iloc[-1] - before)
        check("histograms in Parquet", f"{where} le {bound}", last["bucket_count"][bound], values.iloc[-1] - before)
        increments = rows[rows["bucket_le"] == bound]["bucket_count"].tolist()
        check("rows", f"{where} le {bound}", increments, (values - before).clip(lower=0).tolist())
    if count == 0:
        return check("histograms", f"{where} stats", stats, {"count": 0})
    check("histograms", f"{where} sum", stats["sum"], total)
    check_relative("histograms", f"{where} avg", stats["avg"], total / count)
    compare_rate("rates", f"{where} count", stats["count_rate"], count, counts, endpoint, key)
    compare_rate("rates", f"{where} sum", stats["sum_rate"], total, counts, endpoint, key)
    compare_histogram_slices(where, series, endpoint, (counts, count_before), (sums, sum_before), buckets)


def compare_histogram_slices(where, series, endpoint, counts, sums, buckets):
    found = series["timeslices"]
    edges = list_slices(endpoint)
    compare_edges("timeslices of histograms", where, found, edges)
    for piece, (first, _, until) in zip(found, edges):
        count = value_at(*counts, until) - value_at(*counts, first)
        total = value_at(*sums, until) - value_at(*sums, first)
        check("timeslices of histograms", f"{where} count", piece["count"], count)
        check("timeslices of histograms", f"{where} sum", piece["sum"], total)
        check_relative("timeslices of histograms", f"{where} avg", piece["avg"], total / count if count else 0)
        for bound, values in buckets.items():
            check("timeslices of histograms", f"{where} le {bound}", piece["buckets"][bound], value_at(*values, until) - value_at(*values, first))
    check("timeslices add up", f"{where} count", sum(s["count"] for s in found), series["stats"]["count"])
    check("timeslices add up", f"{where} sum", math.fsum(s["sum"] for s in found), series["stats"]["sum"], sums[0].abs().max())
    for bound in buckets:
        check("timeslices add up", f"{where} le {bound}", sum(s["buckets"][bound] for s in found), series["buckets"][bound])


def compare_info(where, series, rows):
    """Compares with Parquet, because the JSONL does not contain info metrics."""
    values = rows["value"]
    check("info", where, [series["stats"]["min"], series["stats"]["max"]], [values.min(), values.max()])


def compare_times(endpoint, info):
    inside = [time for time in endpoint.recorded if start <= time <= endpoint.times[-1]]
    missing = set(inside) - set(endpoint.times)
    check("timestamps", f"{endpoint.url} of records in the period that are not in Parquet", sorted(missing), [])
    if endpoint.complete:
        check("timestamps", f"{endpoint.url} of records and of rows", endpoint.times, inside)
    check("timestamps", f"{endpoint.url} first", info["first_fetch_ns"], endpoint.recorded[0])
    check("timestamps", f"{endpoint.url} last", info["last_update_ns"], endpoint.recorded[-1])
    check("timestamps", f"{endpoint.url} digits", {len(str(time)) for time in endpoint.recorded + endpoint.times}, {19})
    late = [time for time in endpoint.times if time > end]
    check("timestamps", f"{endpoint.url} scrapes after the end of the period", len(late), 1)
    check("timestamps", f"{endpoint.url} first scrape of the period", endpoint.times[0] >= start, True)


folder = sys.argv[1]
with open(f"{folder}/server_metrics_export.json") as file:
    document = json.load(file)
with open(f"{folder}/server_metrics_export.jsonl") as file:
    records = [json.loads(line) for line in file]
with open(f"{folder}/series.json") as file:
    parquet_series = [json.loads(line) for line in file]
rows = pd.read_csv(
    f"{folder}/rows.csv",
    float_precision="round_trip",
    dtype={"timestamp_ns": "int64", "bucket_le": str},
    keep_default_na=False,
    na_values={name: [""] for name in ("value", "sum", "count", "bucket_count")},
)

start = document["summary"]["profiling_start_ns"]
end = document["summary"]["profiling_end_ns"]
series_by_key = {
    (item["endpoint_url"], *make_key(item["metric_name"], {k: v for k, v in item["labels"].items() if v is not None})): item["series"]
    for item in parquet_series
}
rows_by_series = {series: group for series, group in rows.groupby("series")}
url_by_series = {item["series"]: item["endpoint_url"] for item in parquet_series}
rows["endpoint_url"] = rows["series"].map(url_by_series)

endpoints = {}
for url, info in document["summary"]["endpoint_info"].items():
    endpoint_records = [record for record in records if record["endpoint_url"] == url]
    times = sorted(rows[rows["endpoint_url"] == url]["timestamp_ns"].unique().tolist())
    endpoint = endpoints[url] = Endpoint(url, endpoint_records, times)
    # If every scrape changed a value, the JSONL contains all of them.
    endpoint.complete = info["total_fetches"] == len(endpoint_records)
    # The update interval or, for an endpoint with few updates, the scrape interval.
    has_few_updates = info["unique_updates"] < 3
    endpoint.update_ns = np.median(np.diff(times)) if has_few_updates else info["median_update_interval_ms"] * 1e6
    present = defaultdict(int)
    for record in endpoint_records:
        for name, samples in record["metrics"].items():
            for sample in samples:
                present[make_key(name, sample.get("labels"))] += 1
    endpoint.in_every_record = lambda key, present=present, n=len(endpoint_records): present[key] == n
    check("records", url, len(endpoint_records), info["unique_updates"])
    compare_times(endpoint, info)

seen = set()
for name, metric in document["metrics"].items():
    for series in metric["series"]:
        url = series["endpoint_url"]
        key = make_key(name, series.get("labels"))
        where = f"{name}{series.get('labels', {})}"
        seen.add((url, *key))
        check("series", f"{where} is in Parquet", (url, *key) in series_by_key, True)
        series_rows = rows_by_series.get(series_by_key.get((url, *key)))
        if series_rows is None:
            continue
        if name.endswith("_info"):
            compare_info(where, series, series_rows)
        elif metric["type"] == "counter":
            compare_counter(where, series, endpoints[url], key, series_rows)
        elif metric["type"] == "histogram":
            compare_histogram(where, series, endpoints[url], key, series_rows)
        else:
            compare_gauge(where, series, endpoints[url], key, series_rows)

check("series", "only in Parquet", sorted(map(str, set(series_by_key) - seen)), [])
recorded = {(url, *key) for url, endpoint in endpoints.items() for key in endpoint.period.dropna(axis="columns", how="all")}
exported = {key for key in seen if not key[1].endswith("_info")}
check("series", "only in JSONL", sorted(map(str, recorded - exported)), [])
check("series", "not in JSONL", sorted(map(str, exported - recorded)), [])

for result in checks.values():
    result["differences"] = result["differences"][:20]
print(json.dumps(checks))
