// Generated from docs/validation-rules.md by scripts/generate.mjs. Do not edit.

import type { RuleId } from './ruleSeverities.ts';

/** The description of each rule, in Markdown on one line. */
export const RULE_DESCRIPTIONS: Readonly<Record<RuleId, string>> = {
  'file-unreadable':
    "The file does not exist, cannot be read, or exceeds the maximum length of a string (512 MiB; JSONL and Parquet files have no limit). For a URL: the status is not 2xx, the server sends no data for 30 s, or the download takes more than ten minutes. For a file compressed with gzip, which is decompressed: the data is corrupt, or expands more than 200-fold beyond 64 MiB. Files in other compressed formats, such as zip and zstd, cannot be read.",
  'text-encoding':
    "The text is not UTF-8. The message states the first invalid byte, or that the text is UTF-16.",
  'json-syntax':
    "The text is not valid JSON. The message states the line and column. Common causes are `NaN` and `Infinity`, which Python writes, a trailing comma, and a truncated file. Nesting deeper than 512 levels is also an error. In a JSONL file, an incomplete last line usually means that the writer was killed.",
  'json-duplicate-key':
    "An object contains a key twice. Most parsers use the last value, and some use the first.",
  'document-unknown':
    "The document does not match any kind in the table above. Aggregates other than `confidence`, `detailed` and `sweep` are not supported.",
  'schema-version-unknown':
    "The major version in `schema_version`, or in `aiperf.schema_version` of a Parquet file, is unknown.",
  'schema-version-newer':
    "The minor version is newer than the newest known one. The document is validated against the newest known version; newer fields are accepted.",
  'field-missing':
    "A required field is missing. For example, an endpoint that returned data must have times and latencies, and a histogram with observations must have `sum` and `avg`.",
  'field-type':
    "A value has the wrong type, such as a number instead of a string, or a metric of a profile export that is not an object. Times in `_ns` fields must be 64-bit integers. They can be written as `1.76e18` or `503.0`, and stay exact.",
  'field-range':
    "A count, total, rate, duration or a value of `trace_data` is negative, or an array has the wrong length.",
  'field-value':
    "A value is not one of the allowed values, such as a metric type or the schema version.",
  'field-format':
    "A time is not in ISO 8601 format or does not exist, such as 30 February, or a bucket bound or quantile is not a number.",
  'fields-together':
    "Some fields must occur together, and one of them is missing: the nine percentiles; the four `rate_*` fields; `count_rate` and `sum_rate`; `resets`, `created_in_run` or `increase_rate` without `increase`.",
  'field-unknown':
    "Only with `--strict`. The field is not in the schema.",
  'field-newer':
    "A field of a profile export was added in a later version than `schema_version` states.",
  'time-order':
    "A phase ends before it starts, `end_time` is before `start_time`, `profiling_end_ns` is before `profiling_start_ns`, or an outage, a reset, an idle period or another entry with two times ends before it starts.",
  'timestamp-digits':
    "A Unix time in nanoseconds, also in lists such as `outages` and in `trace_data`, does not have 19 digits. A time with 10 digits is probably in seconds, with 13 in milliseconds, with 16 in microseconds.",
  'endpoint-unlisted':
    "A successful endpoint is not configured, an endpoint in `endpoint_info` is in neither list, or a series belongs to an endpoint that is not in `endpoints_successful`. Another path on the same host and port is accepted, because of the fallback to `/prometheus/metrics`.",
  'endpoint-repeated':
    "A list contains an endpoint twice.",
  'endpoint-info-missing':
    "A successful endpoint has no entry in `endpoint_info`, and neither has another path on the same host and port.",
  'endpoint-fallback':
    "A successful endpoint has no entry in `endpoint_info`, but another path on the same host and port has one. AIPerf lists the configured URL, and describes the fallback path that it scraped.",
  'endpoint-data':
    "`total_fetches` is 0 for a successful endpoint, or greater than 0 for another endpoint.",
  'endpoint-times':
    "First fetch, first update, last update and last fetch are not in this order, or a fetch is before `added_ns` or after `removed_ns`.",
  'endpoint-updates':
    "There are more updates than fetches.",
  'endpoint-duration':
    "`duration_seconds` differs by more than 1% from the time between the first and the last update.",
  'labels-repeated':
    "Two series of a metric have the same endpoint and labels.",
  'gauge-order':
    "`min`, the percentiles and `max` are not in ascending order. Also applies to metric blocks of profile exports.",
  'gauge-average':
    "`avg` is less than `min` or greater than `max`.",
  'gauge-spread':
    "`std` is not 0 although `min` equals `max`, or is greater than (max − min) / √2.",
  'counter-rates':
    "`rate_avg` is not between `rate_min` and `rate_max`. Also applies to the flat layout.",
  'counter-idle':
    "`rate` is not 0 although `total` is 0.",
  'rate-duration':
    "`total / rate` is the duration of the counting. It must not be longer than the time from the first to the last scrape of the endpoint (with a tolerance of 5%), nor shorter than the time between the first and the last timeslice with activity. Without timeslices, there is no lower limit, because a series can appear late. A rate of 0 with a total above 0 is also reported.",
  'reset-increase':
    "`resets` is less than 1, `increase` is less than the net delta, or a series has `increase` but neither `resets` nor `created_in_run`.",
  'buckets-bounds':
    "A bound occurs twice. `\"1\"` and `\"1.0\"` are the same bound.",
  'buckets-infinity':
    "The last bucket of a histogram is not `+Inf`.",
  'buckets-monotone':
    "The count of a bucket is less than the count of the previous bucket. Buckets are cumulative.",
  'buckets-count':
    "The count of the `+Inf` bucket differs from `count`.",
  'buckets-missing':
    "A histogram has observations, but neither buckets nor `resets`. AIPerf omits buckets after a reset.",
  'histogram-average':
    "`avg` is not `sum / count`. Also applies to profile exports.",
  'histogram-rates':
    "`sum_rate` differs by more than 3% from `avg × count_rate`.",
  'histogram-empty':
    "`count` is 0, but another statistic is not 0. Unknown fields are ignored.",
  'percentiles-missing':
    "A histogram has observations and buckets, but no percentile estimates.",
  'percentiles-order':
    "The percentiles are not in ascending order.",
  'percentiles-range':
    "An estimate is outside the buckets with observations.",
  'percentile-bounds':
    "The lower bound of a percentile is greater than the upper bound.",
  'percentile-outside':
    "An estimate is not between the bounds of its percentile. This happens with methods that do not use the sum of the histogram, such as `--percentile-method linear`.",
  'slices-order':
    "Slices are not in order, or overlap, or a slice does not end after its start. Gaps are allowed: slices without samples are omitted.",
  'slices-partial':
    "A slice other than the last one is marked as partial, or a slice has `is_complete: true` (complete slices of server metrics omit the field).",
  'slices-sum':
    "The slices of a counter or histogram add up to more than the total of the period or, if they cover the period without gaps, to less. A tolerance of 1% applies; slices that end up to one scrape interval (333 ms) before the period cover it. Series with an `increase` are not checked.",
  'slices-period':
    "A slice is outside the profiling period. If the summary does not contain the period, `start_time` and `end_time` are used, provided that they have a time zone. The period is extended to the last scrape, and a tolerance of one millisecond applies, the precision of these times.",
  'slices-aligned':
    "Complete timeslices of a profile export have different durations, or do not start at a multiple of the duration after the first slice.",
  'slice-rate':
    "The rate of a complete slice differs by more than 1% from its total divided by its duration.",
  'legacy-percentiles':
    "`estimated_percentiles` must be true for histograms and false for all other types.",
  'legacy-constant':
    "A gauge has `observation_count`, which marks a gauge that never changed, together with `min` and `max`.",
  'summary-quantiles':
    "The quantiles of a summary are not in ascending order.",
  'record-times':
    "`first_byte_ns` is before `request_sent_ns`, or a latency is negative.",
  'record-order':
    "A record is older than the previous record of the same endpoint or GPU. Overlapping scrapes can cause this.",
  'record-repeated':
    "A record has the same timestamp as the previous record of the same endpoint.",
  'record-info':
    "The file contains an `_info` family. Writers omit these families, because they never change.",
  'journal-invalid':
    "The journal has an unsupported version, or data is lost because it is damaged. The message states what is lost.",
  'journal-run':
    "The journal has no records, or does not start with the description of the run.",
  'journal-order':
    "A scrape is not later than the previous scrape of the same endpoint, or records follow the end of the run.",
  'journal-incomplete':
    "The run is active or was killed, scrapes could not be written, or a wrong byte was corrected.",
  'profile-unit':
    "The unit of one of AIPerf's metrics is not AIPerf's unit, such as `request_latency` in seconds instead of milliseconds. Also applies to requests.",
  'profile-value':
    "A latency, throughput, number of tokens or another value of one of AIPerf's metrics is negative, or a number of requests is not an integer. Only the `_diff_pct` metrics can be negative. Also applies to requests, in which only `inter_chunk_latency` has a list of values.",
  'profile-count':
    "A record metric, or a metric with a distribution, has no `count` (in version 1.1 and later), or a metric with a distribution has a `count` of 0 (in any version).",
  'profile-sum':
    "In version 1.1 and later. A metric with a distribution has no `sum`. AIPerf's `adj_` metrics, whose failed requests are infinite, have none.",
  'profile-kind':
    "An aggregate or derived metric has fields other than `unit` and `avg`.",
  'profile-single':
    "An unknown metric has a `count`, but no distribution.",
  'profile-total':
    "A value differs by more than 1% from its formula: a throughput, including goodput, is a count divided by `benchmark_duration` or, since AIPerf 0.13, by the time from `start_time` to `end_time`; a total, such as `total_osl`, is the sum of its distribution, such as `output_sequence_length`; the count of `request_latency` is `request_count`. The counts in `error_summary` must add up to exactly `error_request_count`.",
  'run-identity':
    "`run_info.benchmark_id` differs from the `benchmark_id` of the document.",
  'phase-repeated':
    "A phase is listed twice.",
  'phase-counts':
    "Successful and failed requests do not add up to `total_request_count`, or the counts in `error_summary` do not add up to `error_request_count`.",
  'phase-identity':
    "The statistics in a file of a phase belong to another phase.",
  'request-times':
    "Credit, start, first byte and end of a request are not in this order, or a cancellation is before the start. A tolerance of 10 ms applies to the credit, which may come from another clock.",
  'request-outcome':
    "A request has neither metrics nor an error, or it has both a `request_latency` and an error.",
  'request-cancelled':
    "`was_cancelled` is true, but there is no error; or there is a cancellation time, but `was_cancelled` is false.",
  'request-repeated':
    "A line has the same `x_request_id` as the previous line. Lines that are further apart are not compared, because this would require the ids of all requests in memory.",
  'request-metric':
    "A line contains a metric of the whole run, such as `request_count`.",
  'request-latency':
    "`request_latency` is longer than the time from `request_start_ns` to `request_end_ns`. A tolerance of one microsecond and of the rounding of the value applies.",
  'request-tail':
    "`request_latency`, which ends with the last content, is shorter than the time from `request_start_ns` to `request_end_ns` by more than one second and more than 10%. A busy client reads the end of a response late.",
  'request-first-token':
    "`time_to_first_token` is longer than `request_latency`.",
  'request-formula':
    "`inter_token_latency` is not (`request_latency` − `time_to_first_token`) / (`output_sequence_length` − 1).",
  'raw-order':
    "A message in `profile_export_raw.jsonl` arrived before the previous message of the same response.",
  'trace-times':
    "The steps in `trace_data` are not in order.",
  'runs-count':
    "`num_successful_runs` and `failed_runs` do not add up to `num_profile_runs`, `run_labels` does not list every successful run, or the successful runs of all variations do not add up to `num_successful_runs` of the sweep.",
  'runs-repeated':
    "A run is listed twice.",
  'aggregate-interval':
    "The mean is not between `ci_low` and `ci_high`.",
  'aggregate-formula':
    "A value differs by more than 0.1% from its formula: `cv` is `std / mean`; `se` is `std / √n`, where n is `num_runs` of the block or, without it, `num_successful_runs`; the confidence interval is `mean ± t_critical × se`. Only if the mean is 0, `cv` is null (`inf` in CSV).",
  'collated-count':
    "`combined.count` is not the sum of the counts in `per_run`.",
  'collated-mean':
    "`combined.mean` is not the mean of the runs, weighted by their counts.",
  'sweep-combinations':
    "`num_combinations` is not the number of combinations of the values in `sweep_parameters`, or less than the number of variations; a combination of parameters occurs twice; or `pareto_optimal` contains parameters that no variation has. In files of Servelens, `num_combinations` may also be the number of variations, which earlier versions wrote for interrupted sweeps.",
  'sweep-best':
    "A best configuration has parameters that no variation has, or its value is not the mean of `metric_name` in this variation. Without `metric_name`, as in AIPerf's files, the value must be the mean of one of its metrics.",
  'csv-syntax':
    "A quoted cell is not terminated, or a quote is in the middle of a cell.",
  'csv-header':
    "A section does not start with a known header.",
  'csv-cell':
    "A row has too many or too few cells or occurs twice, a statistic is not a number, a type does not match its section, or a cell of buckets is not in the form `bound=count;bound=count;…`. Numbers are decimal. Rows of info metrics are not compared, because each row is one label of a series.",
  'csv-sections':
    "The file has no sections, or only empty ones.",
  'parquet-invalid':
    "The file is not a Parquet file, is truncated or corrupt, or declares more rows than its size allows.",
  'parquet-unsupported':
    "The file uses a codec, an encoding or a feature that is not supported.",
  'parquet-column-missing':
    "One of the eleven fixed columns is missing.",
  'parquet-column-type':
    "A column has the wrong type. Labels must be strings, `timestamp_ns` must be int64, and values must be float64.",
  'parquet-column-order':
    "The columns are not in the required order (fixed columns, labels by name, values), or a column occurs twice.",
  'parquet-column-case':
    "The names of two columns differ only in case. DuckDB and Spark cannot distinguish them.",
  'parquet-metadata-missing':
    "A required `aiperf.*` metadata key is missing.",
  'parquet-metadata-value':
    "A metadata value is invalid or does not match the file: an endpoint of the rows is not in `endpoint_urls`, or the rows have more metrics of a type than `metric_type_counts` states. Fewer are valid, because metrics without samples in the period have no rows.",
  'parquet-null':
    "A required value is null.",
  'parquet-fields':
    "A row has values in columns that belong to another metric type.",
  'parquet-metric-type':
    "A metric type is not gauge, unknown, counter or histogram.",
  'parquet-metric':
    "A metric has different types or units in different rows.",
  'parquet-number':
    "A number is NaN or infinite.",
  'parquet-negative':
    "A counter or count is negative. Deltas are clamped to 0. Sums can be negative, because observations can.",
  'parquet-row-repeated':
    "A row of a gauge or counter has the same endpoint, labels and timestamp as the previous row. Labels with the same name as a column are omitted, which can make two series identical.",
  'parquet-time':
    "A timestamp is not in nanoseconds, or is outside the time filter. Up to two scrapes per endpoint may be later than the end of the filter: the in-flight scrape and the closing scrape.",
  'parquet-time-order':
    "A row of a series is older than an earlier row of the same series. Rows of different series can be in any order. The order is checked for the first 100,000 series.",
};
