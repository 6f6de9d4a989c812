// Generated from schemas/ by scripts/generate.mjs. Do not edit.
import { addition, any, array, choice, exact, float, map, numericMap, object, type Shape } from '../schema/shape.ts';

const serverMetricsMark: Shape = object([
  ['time_ns', exact, addition],
  ['kind', any, addition],
  ['text', any, addition],
  ['sender', any, addition],
]);
const serverMetricsSettling: Shape = object([
  ['boundary', any, addition],
  ['outcome', any, addition],
  ['start_ns', exact, addition],
  ['seconds', float, addition],
  ['limit_seconds', float, addition],
  ['changing_metrics', array(any), addition],
]);
const serverMetricsScraping: Shape = object([
  ['scrapes', any, addition],
  ['cpu_ms', float, addition],
  ['cpu_ms_per_scrape', float, addition],
]);
const serverMetricsEndpointSource: Shape = object([
  ['name', any, addition],
  ['lists', any, addition],
  ['problems', any, addition],
  ['last_problem', any, addition],
]);
const serverMetricsIdlePeriod: Shape = object([
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
]);
const serverMetricsUnusableMetric: Shape = object([
  ['endpoint_url', any, addition],
  ['reason', any, addition],
]);
const serverMetricsDataLoss: Shape = object([
  ['scrapes_lost', any, addition],
  ['scrapes_unwritten', any, addition],
  ['unreadable_places', any, addition],
  ['unreadable_bytes', any, addition],
]);
const serverMetricsLabels: Shape = map(any);
const serverMetricsImportedTarget: Shape = object([
  ['job', any, addition],
  ['instance', any, addition],
  ['labels', serverMetricsLabels],
]);
const serverMetricsImport: Shape = object([
  ['source', any, addition],
  ['url', any, addition],
  ['path', any, addition],
  ['selectors', array(any), addition],
  ['from_ns', exact, addition],
  ['to_ns', exact, addition],
  ['step_seconds', float, addition],
  ['samples', any, addition],
  ['family_types', map(any), addition],
  ['limitations', array(any), addition],
  ['targets', map(serverMetricsImportedTarget), addition],
]);
const serverMetricsAbsence: Shape = object([
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
]);
const serverMetricsOutage: Shape = object([
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
  ['scrapes', any, addition],
  ['reason', any, addition],
  ['message', any, addition],
]);
const serverMetricsSampleGap: Shape = object([
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
]);
const serverMetricsReset: Shape = object([
  ['at_ns', exact, addition],
  ['previous_ns', exact, addition],
  ['counters', any, addition],
  ['process_restarted', any, addition],
]);
const serverMetricsUnknownStarts: Shape = object([
  ['reason', any, addition],
  ['series', any, addition],
]);
const serverMetricsAddressChange: Shape = object([
  ['at_ns', exact, addition],
  ['from', any, addition],
  ['to', any, addition],
]);
const serverMetricsEndpointInfo: Shape = object([
  ['total_fetches', any],
  ['first_fetch_ns', exact],
  ['last_fetch_ns', exact],
  ['avg_fetch_latency_ms', float],
  ['unique_updates', any],
  ['first_update_ns', exact],
  ['last_update_ns', exact],
  ['duration_seconds', float],
  ['avg_update_interval_ms', float],
  ['median_update_interval_ms', float],
  ['status', any, addition],
  ['last_error', any, addition],
  ['last_error_reason', any, addition],
  ['scrapes_failed', any, addition],
  ['first_failure_ns', exact, addition],
  ['last_failure_ns', exact, addition],
  ['scrapes_late', any, addition],
  ['samples_dropped', any, addition],
  ['baseline_ns', exact, addition],
  ['closing_ns', exact, addition],
  ['start_slack_ms', float, addition],
  ['end_slack_ms', float, addition],
  ['scrape_latency_p50_ms', float, addition],
  ['scrape_latency_p99_ms', float, addition],
  ['bytes_per_scrape', float, addition],
  ['bytes_decoded', any, addition],
  ['decoded_bytes_per_scrape', float, addition],
  ['configured_interval_ms', float, addition],
  ['effective_interval_ms', float, addition],
  ['max_interval_ms', float, addition],
  ['interval_backoffs', any, addition],
  ['configured_url', any, addition],
  ['identity', any, addition],
  ['labels', map(any), addition],
  ['added_ns', exact, addition],
  ['removed_ns', exact, addition],
  ['absences', array(serverMetricsAbsence), addition],
  ['absences_omitted', any, addition],
  ['server_versions', array(object([
  ['server', any, addition],
  ['version', any, addition],
])), addition],
  ['lines_dropped', any, addition],
  ['bytes_received', any, addition],
  ['outages', array(serverMetricsOutage), addition],
  ['outages_omitted', any, addition],
  ['gaps', array(serverMetricsSampleGap), addition],
  ['gaps_omitted', any, addition],
  ['resets', array(serverMetricsReset), addition],
  ['resets_omitted', any, addition],
  ['unknown_starts', array(serverMetricsUnknownStarts), addition],
  ['address_changes', array(serverMetricsAddressChange), addition],
  ['address_changes_omitted', any, addition],
]);
const serverMetricsPhaseTimeRange: Shape = object([
  ['start_ns', exact],
  ['end_ns', exact],
]);
const serverMetricsMergedShard: Shape = object([
  ['index', any, addition],
  ['benchmark_id', any, addition],
  ['folder', any, addition],
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
  ['was_cancelled', any, addition],
  ['start_delay_ms', float, addition],
  ['requests', any, addition],
  ['endpoints', any, addition],
  ['clock_offset_ms', float, addition],
  ['clock_uncertainty_ms', float, addition],
]);
const serverMetricsGaugeStats: Shape = object([
  ['avg', float],
  ['min', float],
  ['max', float],
  ['std', float],
  ['p1', float],
  ['p5', float],
  ['p10', float],
  ['p25', float],
  ['p50', float],
  ['p75', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
]);
const serverMetricsGaugeTimeslice: Shape = object([
  ['start_ns', exact],
  ['end_ns', exact],
  ['is_complete', any],
  ['avg', float],
  ['min', float],
  ['max', float],
]);
const serverMetricsGaugeSeries: Shape = object([
  ['endpoint_url', any],
  ['labels', serverMetricsLabels],
  ['stats', serverMetricsGaugeStats],
  ['timeslices', array(serverMetricsGaugeTimeslice)],
]);
const serverMetricsGaugeMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(serverMetricsGaugeSeries)],
]);
const serverMetricsCounterStats: Shape = object([
  ['total', float],
  ['rate', float],
  ['rate_avg', float],
  ['rate_min', float],
  ['rate_max', float],
  ['rate_std', float],
  ['resets', any, addition],
  ['created_in_run', any, addition],
  ['increase', float, addition],
  ['increase_rate', float, addition],
  ['decreases', any, addition],
]);
const serverMetricsCounterTimeslice: Shape = object([
  ['start_ns', exact],
  ['end_ns', exact],
  ['is_complete', any],
  ['total', float],
  ['rate', float],
  ['increase', float, addition],
  ['increase_rate', float, addition],
  ['resets', any, addition],
  ['is_gap', any, addition],
]);
const serverMetricsCounterSeries: Shape = object([
  ['endpoint_url', any],
  ['labels', serverMetricsLabels],
  ['stats', serverMetricsCounterStats],
  ['timeslices', array(serverMetricsCounterTimeslice)],
]);
const serverMetricsCounterMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(serverMetricsCounterSeries)],
]);
const serverMetricsBuckets: Shape = numericMap(any);
const serverMetricsHistogramIncrease: Shape = object([
  ['count', any, addition],
  ['sum', float, addition],
  ['avg', float, addition],
  ['count_rate', float, addition],
  ['sum_rate', float, addition],
  ['buckets', serverMetricsBuckets],
  ['p1_estimate', float],
  ['p5_estimate', float],
  ['p10_estimate', float],
  ['p25_estimate', float],
  ['p50_estimate', float],
  ['p75_estimate', float],
  ['p90_estimate', float],
  ['p95_estimate', float],
  ['p99_estimate', float],
]);
const serverMetricsHistogramStats: Shape = object([
  ['count', any],
  ['sum', float],
  ['avg', float],
  ['count_rate', float],
  ['sum_rate', float],
  ['p1_estimate', float],
  ['p5_estimate', float],
  ['p10_estimate', float],
  ['p25_estimate', float],
  ['p50_estimate', float],
  ['p75_estimate', float],
  ['p90_estimate', float],
  ['p95_estimate', float],
  ['p99_estimate', float],
  ['resets', any, addition],
  ['created_in_run', any, addition],
  ['increase', serverMetricsHistogramIncrease, addition],
]);
const serverMetricsHistogramTimeslice: Shape = object([
  ['start_ns', exact],
  ['end_ns', exact],
  ['is_complete', any],
  ['count', any],
  ['sum', float],
  ['avg', float],
  ['buckets', serverMetricsBuckets],
  ['increase', serverMetricsHistogramIncrease, addition],
  ['count_rate', float, addition],
  ['resets', any, addition],
  ['is_gap', any, addition],
]);
const serverMetricsHistogramSeries: Shape = object([
  ['endpoint_url', any],
  ['labels', serverMetricsLabels],
  ['stats', serverMetricsHistogramStats],
  ['buckets', serverMetricsBuckets],
  ['percentile_bounds', object([
  ['p1', array(float), addition],
  ['p5', array(float), addition],
  ['p10', array(float), addition],
  ['p25', array(float), addition],
  ['p50', array(float), addition],
  ['p75', array(float), addition],
  ['p90', array(float), addition],
  ['p95', array(float), addition],
  ['p99', array(float), addition],
]), addition],
  ['percentile_warnings', object([
  ['p1', any, addition],
  ['p5', any, addition],
  ['p10', any, addition],
  ['p25', any, addition],
  ['p50', any, addition],
  ['p75', any, addition],
  ['p90', any, addition],
  ['p95', any, addition],
  ['p99', any, addition],
]), addition],
  ['timeslices', array(serverMetricsHistogramTimeslice)],
  ['reset_timeslices', array(serverMetricsHistogramTimeslice), addition],
]);
const serverMetricsHistogramMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(serverMetricsHistogramSeries)],
]);
const serverMetricsMetric: Shape = choice('type', [
  ['gauge', serverMetricsGaugeMetric],
  ['unknown', serverMetricsGaugeMetric],
  ['counter', serverMetricsCounterMetric],
  ['histogram', serverMetricsHistogramMetric],
]);
const serverMetricsDerivedSlice: Shape = object([
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
  ['is_complete', any, addition],
  ['value', float, addition],
]);
const serverMetricsDerivedMetric: Shape = object([
  ['name', any, addition],
  ['formula', any, addition],
  ['unit', any, addition],
  ['endpoint_url', any, addition],
  ['labels', serverMetricsLabels, addition],
  ['value', float, addition],
  ['missing', any, addition],
  ['is_exact', any, addition],
  ['timeslices', array(serverMetricsDerivedSlice), addition],
]);
export const serverMetrics: Shape = object([
  ['schema_version', any],
  ['aiperf_version', any],
  ['servelens_version', any, addition],
  ['benchmark_id', any],
  ['summary', object([
  ['endpoints_configured', array(any)],
  ['endpoints_successful', array(any)],
  ['start_time', any],
  ['end_time', any],
  ['profiling_start_ns', exact, addition],
  ['profiling_end_ns', exact, addition],
  ['was_cancelled', any, addition],
  ['statistics_window', any, addition],
  ['exported_window', object([
  ['run_profiling_start_ns', exact, addition],
  ['run_profiling_end_ns', exact, addition],
]), addition],
  ['marks', array(serverMetricsMark), addition],
  ['settling', array(serverMetricsSettling), addition],
  ['scraping', serverMetricsScraping, addition],
  ['sources', array(serverMetricsEndpointSource), addition],
  ['idle_periods', array(serverMetricsIdlePeriod), addition],
  ['unusable_metrics', array(serverMetricsUnusableMetric), addition],
  ['data_loss', serverMetricsDataLoss, addition],
  ['import', serverMetricsImport, addition],
  ['endpoint_info', map(serverMetricsEndpointInfo)],
  ['phase_time_ranges', map(serverMetricsPhaseTimeRange)],
  ['shards', array(serverMetricsMergedShard), addition],
])],
  ['metrics_phase', any],
  ['metrics', map(serverMetricsMetric)],
  ['warmup_metrics', map(serverMetricsMetric)],
  ['input_config', exact],
  ['servelens_config', exact, addition],
  ['derived', array(serverMetricsDerivedMetric), addition],
]);

const legacyServerMetricsLegacyEndpointInfo: Shape = object([
  ['endpoint_url', any],
  ['labels', map(any), addition],
  ['duration_seconds', float],
  ['scrape_count', any],
  ['avg_scrape_latency_ms', float],
  ['avg_scrape_period_ms', float],
]);
const legacyServerMetricsLabels: Shape = map(any);
const legacyServerMetricsLegacyGaugeSeries: Shape = object([
  ['endpoint', any],
  ['endpoint_url', any],
  ['labels', legacyServerMetricsLabels],
  ['observation_count', any],
  ['avg', float],
  ['min', float],
  ['max', float],
  ['std', float],
  ['p50', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['estimated_percentiles', any],
]);
const legacyServerMetricsLegacyGaugeMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(legacyServerMetricsLegacyGaugeSeries)],
]);
const legacyServerMetricsLegacyCounterSeries: Shape = object([
  ['endpoint', any],
  ['endpoint_url', any],
  ['labels', legacyServerMetricsLabels],
  ['delta', float],
  ['rate_per_second', float],
  ['rate_avg', float],
  ['rate_min', float],
  ['rate_max', float],
  ['rate_std', float],
]);
const legacyServerMetricsLegacyCounterMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(legacyServerMetricsLegacyCounterSeries)],
]);
const legacyServerMetricsBuckets: Shape = numericMap(any);
const legacyServerMetricsLegacyHistogramSeries: Shape = object([
  ['endpoint', any],
  ['endpoint_url', any],
  ['labels', legacyServerMetricsLabels],
  ['observation_count', any],
  ['avg', float],
  ['p50', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['estimated_percentiles', any],
  ['delta', float],
  ['rate_per_second', float],
  ['observations_per_second', float],
  ['buckets', legacyServerMetricsBuckets],
]);
const legacyServerMetricsLegacyHistogramMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(legacyServerMetricsLegacyHistogramSeries)],
]);
const legacyServerMetricsLegacySummarySeries: Shape = object([
  ['endpoint', any],
  ['endpoint_url', any],
  ['labels', legacyServerMetricsLabels],
  ['observation_count', any],
  ['avg', float],
  ['p50', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['estimated_percentiles', any],
  ['delta', float],
  ['rate_per_second', float],
  ['observations_per_second', float],
  ['quantiles', numericMap(float)],
]);
const legacyServerMetricsLegacySummaryMetric: Shape = object([
  ['type', any],
  ['description', any],
  ['unit', any],
  ['series', array(legacyServerMetricsLegacySummarySeries)],
]);
const legacyServerMetricsLegacyMetric: Shape = choice('type', [
  ['gauge', legacyServerMetricsLegacyGaugeMetric],
  ['unknown', legacyServerMetricsLegacyGaugeMetric],
  ['counter', legacyServerMetricsLegacyCounterMetric],
  ['histogram', legacyServerMetricsLegacyHistogramMetric],
  ['summary', legacyServerMetricsLegacySummaryMetric],
]);
export const legacyServerMetrics: Shape = object([
  ['summary', object([
  ['endpoints_configured', array(any)],
  ['endpoints_successful', array(any)],
  ['start_time', any],
  ['end_time', any],
  ['endpoint_info', map(legacyServerMetricsLegacyEndpointInfo)],
])],
  ['metrics', map(legacyServerMetricsLegacyMetric)],
]);

const serverMetricsRecordLabels: Shape = map(any);
const serverMetricsRecordRecordSample: Shape = object([
  ['labels', serverMetricsRecordLabels],
  ['buckets', numericMap(float)],
  ['sum', float],
  ['count', float],
  ['value', float],
]);
export const serverMetricsRecord: Shape = object([
  ['endpoint_url', any],
  ['timestamp_ns', exact],
  ['endpoint_latency_ns', exact],
  ['metrics', map(array(serverMetricsRecordRecordSample))],
  ['request_sent_ns', exact],
  ['first_byte_ns', exact],
  ['benchmark_phase', any],
  ['phase_index', any],
  ['profiling_index', any],
  ['phase_name', any],
  ['phase_kind', any],
  ['target_labels', map(any), addition],
]);

export const gpuTelemetryRecord: Shape = object([
  ['gpu_index', any],
  ['gpu_uuid', any],
  ['gpu_model_name', any],
  ['pci_bus_id', any],
  ['device', any],
  ['hostname', any],
  ['namespace', any],
  ['pod_name', any],
  ['platform', any],
  ['mig_instances', any, addition],
  ['timestamp_ns', exact],
  ['telemetry_source_url', any],
  ['dcgm_url', any],
  ['telemetry_data', map(float)],
]);

const profileExportProfileMetric: Shape = object([
  ['unit', any],
  ['avg', float],
  ['p1', float],
  ['p5', float],
  ['p10', float],
  ['p25', float],
  ['p50', float],
  ['p75', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['min', float],
  ['max', float],
  ['std', float],
  ['count', any],
  ['sum', float],
  ['percentile_method', any, addition],
  ['percentile_rank_error', float, addition],
  ['time_resolution_ms', float, addition],
]);
const profileExportRunInfo: Shape = object([
  ['benchmark_id', any],
  ['sweep_id', any],
  ['random_seed', exact],
  ['trial', any],
  ['run_label', any],
  ['variation_label', any],
  ['variation_index', any],
  ['variation_values', exact],
  ['cli_command', any],
]);
const profileExportGpuSummary: Shape = object([
  ['gpu_index', any],
  ['gpu_name', any],
  ['gpu_uuid', any],
  ['platform', any],
  ['hostname', any],
  ['namespace', any],
  ['pod_name', any],
  ['metrics', map(profileExportProfileMetric)],
]);
const profileExportErrorCount: Shape = object([
  ['error_details', object([
  ['code', any],
  ['type', any],
  ['message', any],
  ['cause', any],
  ['cause_chain', array(any)],
  ['details', exact],
])],
  ['count', any],
]);
const profileExportTelemetryData: Shape = object([
  ['summary', object([
  ['endpoints_configured', array(any)],
  ['endpoints_successful', array(any)],
  ['start_time', any],
  ['end_time', any],
])],
  ['endpoints', map(object([
  ['gpus', map(profileExportGpuSummary)],
]))],
  ['error_summary', array(profileExportErrorCount)],
]);
const profileExportGrowth: Shape = object([
  ['per_second', float, addition],
  ['low', float, addition],
  ['high', float, addition],
]);
const profileExportOverSaturation: Shape = object([
  ['signal', any, addition],
  ['detected_after', float, addition],
  ['window', float, addition],
  ['requests', float, addition],
  ['growth', profileExportGrowth, addition],
  ['latency_growth', profileExportGrowth, addition],
]);
const profileExportLoadGenerator: Shape = object([
  ['tokenizer', any, addition],
  ['token_source', any, addition],
  ['workers', any, addition],
  ['event_loop_delay_p99_ms', float, addition],
  ['event_loop_delay_max_ms', float, addition],
  ['event_loop_utilization', float, addition],
  ['send_delay_p99_ms', float, addition],
  ['send_delay_max_ms', float, addition],
  ['unsent_requests', any, addition],
  ['connection_waits', any, addition],
  ['connection_wait_seconds', float, addition],
  ['early_stops', any, addition],
  ['over_saturation', profileExportOverSaturation, addition],
  ['stop_reason', any, addition],
  ['warnings', array(object([
  ['kind', any, addition],
  ['message', any, addition],
])), addition],
]);
const profileExportComparedRequests: Shape = object([
  ['client', float, addition],
  ['server', float, addition],
  ['difference', float, addition],
  ['client_failed', any, addition],
  ['client_cancelled', any, addition],
  ['server_unfinished', float, addition],
]);
const profileExportComparedTokens: Shape = object([
  ['client', float, addition],
  ['server', float, addition],
  ['difference', float, addition],
  ['client_source', any, addition],
  ['counted_by', any, addition],
]);
const profileExportComparedLatency: Shape = object([
  ['metric', any, addition],
  ['server_metric', any, addition],
  ['client_avg_ms', float, addition],
  ['server_avg_ms', float, addition],
  ['outside_avg_ms', float, addition],
  ['outside_share', float, addition],
  ['client_count', any, addition],
  ['server_count', any, addition],
  ['client_p50_ms', float, addition],
  ['server_p50_estimate_ms', float, addition],
  ['client_p99_ms', float, addition],
  ['server_p99_estimate_ms', float, addition],
]);
const profileExportReconciliation: Shape = object([
  ['server', any, addition],
  ['requests', profileExportComparedRequests, addition],
  ['prompt_tokens', profileExportComparedTokens, addition],
  ['generation_tokens', profileExportComparedTokens, addition],
  ['latencies', array(profileExportComparedLatency), addition],
  ['queue', object([
  ['server_metric', any, addition],
  ['avg_ms', float, addition],
  ['share', float, addition],
]), addition],
  ['running_at_start', float, addition],
  ['running_at_end', float, addition],
  ['requests_by_endpoint', array(object([
  ['endpoint_url', any, addition],
  ['requests', float, addition],
])), addition],
  ['findings', array(object([
  ['kind', any, addition],
  ['message', any, addition],
  ['count', float, addition],
])), addition],
]);
const profileExportGpuEnergy: Shape = object([
  ['platform', any, addition],
  ['gpu_count', any, addition],
  ['source', any, addition],
  ['gap_seconds', float, addition],
]);
const profileExportGpuServer: Shape = object([
  ['endpoint_url', any, addition],
  ['gpus', array(any), addition],
  ['energy_joules', float, addition],
  ['output_tokens', float, addition],
  ['energy_per_output_token', float, addition],
  ['output_token_throughput_per_gpu', float, addition],
]);
const profileExportServerClock: Shape = object([
  ['url', any, addition],
  ['min_offset_ms', float, addition],
  ['max_offset_ms', float, addition],
  ['responses', any, addition],
]);
const profileExportShard: Shape = object([
  ['index', any, addition],
  ['count', any, addition],
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
  ['warmup_start_ns', exact, addition],
  ['warmup_end_ns', exact, addition],
  ['start_at_ns', exact, addition],
  ['start_delay_ms', float, addition],
  ['server_clocks', array(profileExportServerClock), addition],
]);
const profileExportMergedShard: Shape = object([
  ['index', any, addition],
  ['benchmark_id', any, addition],
  ['folder', any, addition],
  ['start_ns', exact, addition],
  ['end_ns', exact, addition],
  ['was_cancelled', any, addition],
  ['start_delay_ms', float, addition],
  ['requests', any, addition],
  ['endpoints', any, addition],
  ['clock_offset_ms', float, addition],
  ['clock_uncertainty_ms', float, addition],
]);
export const profileExport: Shape = object([
  ['schema_version', any],
  ['aiperf_version', any],
  ['servelens_version', any, addition],
  ['benchmark_id', any],
  ['start_time', any],
  ['end_time', any],
  ['was_cancelled', any],
  ['is_complete', any],
  ['incomplete_reason', any],
  ['input_config', exact],
  ['servelens_config', exact, addition],
  ['run_info', profileExportRunInfo],
  ['telemetry_data', profileExportTelemetryData],
  ['error_summary', array(profileExportErrorCount)],
  ['warmup_metrics', map(profileExportProfileMetric)],
  ['branch_stats', exact],
  ['pooled_spec_decode_acceptance_histogram', numericMap(any)],
  ['metadata', exact],
  ['url_metrics', array(object([
  ['url_index', any, addition],
  ['url', any, addition],
  ['metrics', map(profileExportProfileMetric), addition],
])), addition],
  ['load_generator', profileExportLoadGenerator, addition],
  ['reconciliation', profileExportReconciliation, addition],
  ['gpu_energy', array(profileExportGpuEnergy), addition],
  ['gpu_servers', array(profileExportGpuServer), addition],
  ['gpu_notes', array(any), addition],
  ['recovered', object([
  ['requests', any, addition],
  ['lines_dropped', any, addition],
]), addition],
  ['shard', profileExportShard, addition],
  ['shards', array(profileExportMergedShard), addition],
], { shape: profileExportProfileMetric, having: ['unit', 'avg'], after: 'benchmark_id' });

const profileRecordRecordMetadata: Shape = object([
  ['session_num', any],
  ['x_request_id', any],
  ['x_correlation_id', any],
  ['conversation_id', any],
  ['turn_index', any],
  ['source_trace_id', any],
  ['source_outer_idx', any],
  ['source_inner_idx', any],
  ['source_kind', any],
  ['credit_issued_ns', exact],
  ['request_start_ns', exact],
  ['request_ack_ns', exact],
  ['request_end_ns', exact],
  ['worker_id', any],
  ['record_processor_id', any],
  ['benchmark_phase', any],
  ['phase_index', any],
  ['profiling_index', any],
  ['phase_name', any],
  ['phase_kind', any],
  ['was_cancelled', any],
  ['cancellation_time_ns', exact],
  ['context_overflow_skip', any],
  ['agent_depth', any],
  ['parent_correlation_id', any],
  ['root_correlation_id', any],
  ['stream_finished', any, addition],
  ['url_index', any, addition],
  ['stopped_early', any, addition],
  ['client_tokens', object([
  ['input', any, addition],
  ['output', any, addition],
  ['reasoning', any, addition],
]), addition],
]);
const profileRecordMetricValue: Shape = object([
  ['value', any],
  ['unit', any],
]);
const profileRecordTraceData: Shape = object([
  ['trace_type', any],
  ['request_send_start_ns', exact],
  ['request_headers', map(any)],
  ['request_headers_sent_ns', exact],
  ['request_chunks', array(array(exact))],
  ['request_send_end_ns', exact],
  ['request_chunks_count', any],
  ['request_bytes_total', any],
  ['response_status_code', any],
  ['response_reason', any],
  ['response_receive_start_ns', exact],
  ['response_headers', map(any)],
  ['response_headers_received_ns', exact],
  ['response_chunks', array(array(exact))],
  ['response_chunks_count', any],
  ['response_bytes_total', any],
  ['response_receive_end_ns', exact],
  ['error_timestamp_ns', exact],
  ['sending_ns', exact],
  ['waiting_ns', exact],
  ['receiving_ns', exact],
  ['duration_ns', exact],
  ['connection_pool_wait_start_ns', exact],
  ['connection_pool_wait_end_ns', exact],
  ['tcp_connect_start_ns', exact],
  ['tcp_connect_end_ns', exact],
  ['connection_reused_ns', exact],
  ['dns_cache_hit_ns', exact],
  ['dns_cache_miss_ns', exact],
  ['dns_lookup_start_ns', exact],
  ['dns_lookup_end_ns', exact],
  ['local_ip', any],
  ['local_port', any],
  ['remote_ip', any],
  ['remote_port', any],
  ['blocked_ns', exact],
  ['dns_lookup_ns', exact],
  ['connecting_ns', exact],
]);
const profileRecordSpecDecodeAcceptance: Shape = object([
  ['engine', any],
  ['mean_acceptance_length', float],
  ['draft_acceptance_rate', float],
  ['acceptance_histogram', map(any)],
  ['num_accepted_draft_tokens', any],
  ['num_draft_tokens', any],
  ['num_spec_steps', any],
  ['num_spec_tokens', any],
  ['completion_tokens', any],
  ['per_step_accepted', array(any)],
  ['per_step_drafted', array(any)],
]);
const profileRecordRecordError: Shape = object([
  ['code', any],
  ['type', any],
  ['message', any],
  ['cause', any],
  ['cause_chain', array(any)],
  ['details', exact],
]);
export const profileRecord: Shape = object([
  ['metadata', profileRecordRecordMetadata],
  ['metrics', map(profileRecordMetricValue)],
  ['trace_data', profileRecordTraceData],
  ['spec_decode_acceptance', profileRecordSpecDecodeAcceptance],
  ['error', profileRecordRecordError],
]);

const rawRecordRawRecordMetadata: Shape = object([
  ['session_num', any],
  ['x_request_id', any],
  ['x_correlation_id', any],
  ['conversation_id', any],
  ['turn_index', any],
  ['source_trace_id', any],
  ['source_outer_idx', any],
  ['source_inner_idx', any],
  ['source_kind', any],
  ['credit_issued_ns', exact],
  ['request_start_ns', exact],
  ['request_ack_ns', exact],
  ['request_end_ns', exact],
  ['worker_id', any],
  ['record_processor_id', any],
  ['benchmark_phase', any],
  ['phase_index', any],
  ['profiling_index', any],
  ['phase_name', any],
  ['phase_kind', any],
  ['was_cancelled', any],
  ['cancellation_time_ns', exact],
  ['context_overflow_skip', any],
  ['agent_depth', any],
  ['parent_correlation_id', any],
  ['root_correlation_id', any],
]);
const rawRecordRawResponse: Shape = object([
  ['perf_ns', exact],
  ['packets', array(object([
  ['name', any],
  ['value', any],
]))],
  ['text', any],
  ['raw_bytes', any],
  ['content_type', any],
]);
const rawRecordRawRecordError: Shape = object([
  ['code', any],
  ['type', any],
  ['message', any],
  ['cause', any],
  ['cause_chain', array(any)],
  ['details', exact],
]);
export const rawRecord: Shape = object([
  ['metadata', rawRecordRawRecordMetadata],
  ['start_perf_ns', exact],
  ['request_headers', map(any)],
  ['status', any],
  ['response_headers', map(any)],
  ['responses', array(rawRecordRawResponse)],
  ['error', rawRecordRawRecordError],
  ['cache_bust_marker', any],
  ['cache_bust_target', any],
  ['payload', exact],
]);

const profileTimeslicesProfileMetric: Shape = object([
  ['unit', any],
  ['avg', float],
  ['p1', float],
  ['p5', float],
  ['p10', float],
  ['p25', float],
  ['p50', float],
  ['p75', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['min', float],
  ['max', float],
  ['std', float],
  ['count', any],
  ['sum', float],
  ['percentile_method', any, addition],
  ['percentile_rank_error', float, addition],
  ['time_resolution_ms', float, addition],
]);
const profileTimeslicesProfileTimeslice: Shape = object([
  ['timeslice_index', any],
  ['start_ns', exact],
  ['end_ns', exact],
  ['is_complete', any],
], { shape: profileTimeslicesProfileMetric, having: ['unit', 'avg'], after: 'is_complete' });
export const profileTimeslices: Shape = object([
  ['timeslices', array(profileTimeslicesProfileTimeslice)],
  ['input_config', exact],
]);

const profileAggregateRequestCounts: Shape = object([
  ['succeeded', any, addition],
  ['failed', any, addition],
  ['cancelled', any, addition],
]);
const profileAggregateFailedRun: Shape = object([
  ['label', any],
  ['error', any],
]);
const profileAggregateConvergence: Shape = object([
  ['metric', any, addition],
  ['stat', any, addition],
  ['mode', any, addition],
  ['threshold', float, addition],
  ['runs', any, addition],
  ['value', float, addition],
  ['converged', any, addition],
]);
const profileAggregateAggregateMetadata: Shape = object([
  ['aggregation_type', any],
  ['num_profile_runs', any],
  ['num_successful_runs', any],
  ['requests', profileAggregateRequestCounts, addition],
  ['failed_runs', array(profileAggregateFailedRun)],
  ['confidence_level', float],
  ['run_labels', array(any)],
  ['single_run', any],
  ['cooldown_seconds', float],
  ['convergence', profileAggregateConvergence, addition],
  ['was_cancelled', any, addition],
  ['variation_label', any],
  ['variation_values', exact],
  ['sweep_mode', any],
  ['model', any],
]);
const profileAggregateAggregateMetric: Shape = object([
  ['mean', float],
  ['std', float],
  ['min', float],
  ['max', float],
  ['cv', float],
  ['se', float],
  ['ci_low', float],
  ['ci_high', float],
  ['t_critical', float],
  ['unit', any],
  ['num_runs', any, addition],
]);
const profileAggregateServerAggregateSeries: Shape = object([
  ['endpoint_url', any, addition],
  ['labels', map(any), addition],
  ['stats', map(profileAggregateAggregateMetric), addition],
]);
const profileAggregateServerAggregateMetric: Shape = object([
  ['type', any, addition],
  ['unit', any, addition],
  ['series', array(profileAggregateServerAggregateSeries), addition],
]);
export const profileAggregate: Shape = object([
  ['schema_version', any],
  ['aiperf_version', any],
  ['servelens_version', any, addition],
  ['metadata', profileAggregateAggregateMetadata],
  ['metrics', map(profileAggregateAggregateMetric)],
  ['server_metrics', map(profileAggregateServerAggregateMetric), addition],
]);

const profileCollatedFailedRun: Shape = object([
  ['label', any],
  ['error', any],
]);
const profileCollatedCollatedMetadata: Shape = object([
  ['aggregation_type', any],
  ['num_profile_runs', any],
  ['num_successful_runs', any],
  ['failed_runs', array(profileCollatedFailedRun)],
]);
const profileCollatedCollatedStats: Shape = object([
  ['mean', float],
  ['std', float],
  ['p50', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['count', any],
]);
const profileCollatedRunStats: Shape = object([
  ['label', any],
  ['mean', float],
  ['count', any],
]);
const profileCollatedCollatedMetric: Shape = object([
  ['unit', any, addition],
  ['combined', profileCollatedCollatedStats],
  ['per_run', array(profileCollatedRunStats)],
]);
export const profileCollated: Shape = object([
  ['schema_version', any],
  ['aiperf_version', any],
  ['servelens_version', any, addition],
  ['description', any],
  ['metadata', profileCollatedCollatedMetadata],
  ['metrics', map(profileCollatedCollatedMetric)],
]);

const profileSweepFailedRun: Shape = object([
  ['label', any],
  ['error', any],
]);
const profileSweepSweepParameter: Shape = object([
  ['name', any],
  ['values', array(exact)],
]);
const profileSweepSweepMetadata: Shape = object([
  ['sweep_id', any, addition],
  ['sweep_parameters', array(profileSweepSweepParameter)],
  ['num_combinations', any],
  ['num_trials', any, addition],
  ['sweep_mode', any],
  ['confidence_level', float],
  ['num_trials_per_value', any],
  ['aggregation_type', any],
  ['cooldown_seconds', float, addition],
  ['iteration_order', any, addition],
  ['was_cancelled', any, addition],
]);
const profileSweepRequestCounts: Shape = object([
  ['succeeded', any, addition],
  ['failed', any, addition],
  ['cancelled', any, addition],
]);
const profileSweepSweepMetric: Shape = object([
  ['mean', float],
  ['avg', float],
  ['std', float],
  ['min', float],
  ['max', float],
  ['cv', float],
  ['se', float],
  ['ci_low', float],
  ['ci_high', float],
  ['t_critical', float],
  ['unit', any],
  ['num_runs', any, addition],
  ['p1', float],
  ['p5', float],
  ['p10', float],
  ['p25', float],
  ['p50', float],
  ['p75', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['count', any],
  ['sum', float],
]);
const profileSweepServerSweepSeries: Shape = object([
  ['endpoint_url', any, addition],
  ['labels', map(any), addition],
  ['stats', map(profileSweepSweepMetric), addition],
]);
const profileSweepServerSweepMetric: Shape = object([
  ['type', any, addition],
  ['unit', any, addition],
  ['series', array(profileSweepServerSweepSeries), addition],
]);
const profileSweepSweepVariation: Shape = object([
  ['parameters', exact],
  ['variation_index', any, addition],
  ['variation_label', any, addition],
  ['num_successful_runs', any, addition],
  ['requests', profileSweepRequestCounts, addition],
  ['metrics', map(profileSweepSweepMetric)],
  ['server_metrics', map(profileSweepServerSweepMetric), addition],
]);
const profileSweepBestConfiguration: Shape = object([
  ['parameters', exact],
  ['metric', float],
  ['unit', any],
  ['metric_name', any, addition],
]);
export const profileSweep: Shape = object([
  ['schema_version', any, addition],
  ['aiperf_version', any, addition],
  ['servelens_version', any, addition],
  ['aggregation_type', any],
  ['num_profile_runs', any],
  ['num_successful_runs', any],
  ['failed_runs', array(profileSweepFailedRun)],
  ['metadata', profileSweepSweepMetadata],
  ['per_combination_metrics', array(profileSweepSweepVariation)],
  ['best_configurations', map(profileSweepBestConfiguration)],
  ['pareto_optimal', array(exact)],
]);

const searchHistorySearchObjective: Shape = object([
  ['metric', any],
  ['stat', any],
  ['direction', any],
  ['threshold', float],
]);
const searchHistorySearchDimension: Shape = object([
  ['path', any],
  ['lo', float],
  ['hi', float],
  ['kind', any],
]);
const searchHistorySlaFilter: Shape = object([
  ['metric_tag', any],
  ['stat', any],
  ['op', any],
  ['threshold', float],
]);
const searchHistorySlaTier: Shape = object([
  ['label', any],
  ['filters', array(searchHistorySlaFilter)],
]);
const searchHistorySearchConfig: Shape = object([
  ['planner', any],
  ['objectives', array(searchHistorySearchObjective)],
  ['outcome_constraints', array(exact)],
  ['max_iterations', any],
  ['n_initial_points', any],
  ['random_seed', any],
  ['search_space', array(searchHistorySearchDimension)],
  ['sla_filters', array(searchHistorySlaFilter)],
  ['limits', array(any), addition],
  ['tiers', array(searchHistorySlaTier)],
  ['precision', float, addition],
  ['replicates', any, addition],
  ['confidence_level', float, addition],
]);
const searchHistoryLimitResult: Shape = object([
  ['limit', any, addition],
  ['outcome', any, addition],
  ['detail', any, addition],
  ['observed', float, addition],
  ['required', float, addition],
  ['margin', float, addition],
]);
const searchHistorySearchIteration: Shape = object([
  ['iteration_idx', any],
  ['variation_values', map(float)],
  ['objective_values', array(float)],
  ['feasible', any],
  ['non_monotonic_warning', any],
  ['run', any, addition],
  ['verdict', any, addition],
  ['margin', float, addition],
  ['ended_early', any, addition],
  ['error', any, addition],
  ['limits', array(searchHistoryLimitResult), addition],
]);
const searchHistorySearchTrial: Shape = object([
  ['iteration_idx', any],
  ['objective_values', array(float)],
  ['variation_values', map(float)],
  ['feasible', any],
  ['feasible_count', any],
  ['pareto_rank', any],
]);
const searchHistorySlaTierResult: Shape = object([
  ['label', any],
  ['boundary_concurrency', float],
  ['convergence_status', any],
  ['convergence_reason', any],
  ['binding_constraint', any],
  ['bracket_lower', float],
  ['bracket_upper', float],
  ['confidence_interval', object([
  ['low', float],
  ['high', float],
])],
  ['probe_count', any],
  ['filters', array(searchHistorySlaFilter)],
]);
export const searchHistory: Shape = object([
  ['schema_version', any, addition],
  ['aiperf_version', any, addition],
  ['servelens_version', any, addition],
  ['config', searchHistorySearchConfig],
  ['iterations', array(searchHistorySearchIteration)],
  ['best_trials', array(searchHistorySearchTrial)],
  ['boundary_summary', any],
  ['tier_results', array(searchHistorySlaTierResult)],
  ['recipe', any],
  ['convergence_reason', any],
  ['is_complete', any, addition],
]);

const phaseManifestErrorCount: Shape = object([
  ['error_details', object([
  ['code', any],
  ['type', any],
  ['message', any],
  ['cause', any],
  ['cause_chain', array(any)],
  ['details', exact],
])],
  ['count', any],
]);
const phaseManifestManifestPhase: Shape = object([
  ['phase_index', any],
  ['profiling_index', any],
  ['phase_name', any],
  ['phase_kind', any],
  ['start_ns', exact],
  ['end_ns', exact],
  ['was_cancelled', any],
  ['successful_request_count', any],
  ['error_request_count', any],
  ['total_request_count', any],
  ['error_summary', array(phaseManifestErrorCount)],
  ['metrics_json', any],
  ['metrics_csv', any],
  ['server_metrics_json', any],
  ['gpu_telemetry_json', any],
]);
export const phaseManifest: Shape = object([
  ['phases', array(phaseManifestManifestPhase)],
  ['schema_version', any],
]);

const phaseServerMetricsPhaseEndpoint: Shape = object([
  ['endpoint_url', any],
  ['labels', map(any), addition],
  ['info', object([
  ['total_fetches', any],
  ['first_fetch_ns', exact],
  ['last_fetch_ns', exact],
  ['avg_fetch_latency_ms', float],
  ['unique_updates', any],
  ['first_update_ns', exact],
  ['last_update_ns', exact],
  ['duration_seconds', float],
  ['avg_update_interval_ms', float],
  ['median_update_interval_ms', float],
])],
  ['metrics', exact],
]);
const phaseServerMetricsErrorCount: Shape = object([
  ['error_details', object([
  ['code', any],
  ['type', any],
  ['message', any],
  ['cause', any],
  ['cause_chain', array(any)],
  ['details', exact],
])],
  ['count', any],
]);
export const phaseServerMetrics: Shape = object([
  ['data', object([
  ['benchmark_id', any],
  ['phase', any],
  ['phase_index', any],
  ['profiling_index', any],
  ['phase_name', any],
  ['phase_kind', any],
  ['endpoint_summaries', map(phaseServerMetricsPhaseEndpoint)],
  ['start_ns', exact],
  ['end_ns', exact],
  ['endpoints_configured', array(any)],
  ['endpoints_successful', array(any)],
  ['error_summary', array(phaseServerMetricsErrorCount)],
  ['aggregation_time_filter', object([
  ['start_ns', exact],
  ['end_ns', exact],
])],
  ['phase_results', array(exact)],
])],
  ['phase', object([
  ['phase_index', any],
  ['profiling_index', any],
  ['phase_name', any],
  ['phase_kind', any],
  ['start_ns', exact],
  ['end_ns', exact],
  ['was_cancelled', any],
])],
  ['schema_version', any],
  ['warnings', array(any)],
]);

const phaseGpuTelemetryProfileMetric: Shape = object([
  ['avg', float],
  ['count', any],
  ['max', float],
  ['min', float],
  ['p1', float],
  ['p10', float],
  ['p25', float],
  ['p5', float],
  ['p50', float],
  ['p75', float],
  ['p90', float],
  ['p95', float],
  ['p99', float],
  ['std', float],
  ['sum', float],
  ['unit', any],
]);
const phaseGpuTelemetryGpuSummary: Shape = object([
  ['gpu_index', any],
  ['gpu_name', any],
  ['gpu_uuid', any],
  ['hostname', any],
  ['metrics', map(phaseGpuTelemetryProfileMetric)],
  ['namespace', any],
  ['platform', any],
  ['pod_name', any],
]);
const phaseGpuTelemetryErrorCount: Shape = object([
  ['count', any],
  ['error_details', object([
  ['cause', any],
  ['cause_chain', array(any)],
  ['code', any],
  ['details', exact],
  ['message', any],
  ['type', any],
])],
]);
const phaseGpuTelemetryGpuEnergy: Shape = object([
  ['gap_seconds', float, addition],
  ['gpu_count', any, addition],
  ['platform', any, addition],
  ['source', any, addition],
]);
const phaseGpuTelemetryGpuServer: Shape = object([
  ['endpoint_url', any, addition],
  ['energy_joules', float, addition],
  ['energy_per_output_token', float, addition],
  ['gpus', array(any), addition],
  ['output_token_throughput_per_gpu', float, addition],
  ['output_tokens', float, addition],
]);
export const phaseGpuTelemetry: Shape = object([
  ['data', object([
  ['endpoints', map(object([
  ['gpus', map(phaseGpuTelemetryGpuSummary)],
]))],
  ['error_summary', array(phaseGpuTelemetryErrorCount)],
  ['summary', object([
  ['end_time', any],
  ['endpoints_configured', array(any)],
  ['endpoints_successful', array(any)],
  ['start_time', any],
])],
])],
  ['gpu_energy', array(phaseGpuTelemetryGpuEnergy), addition],
  ['gpu_metrics', map(phaseGpuTelemetryProfileMetric), addition],
  ['gpu_notes', array(any), addition],
  ['gpu_servers', array(phaseGpuTelemetryGpuServer), addition],
  ['phase', object([
  ['end_ns', exact],
  ['phase_index', any],
  ['phase_kind', any],
  ['phase_name', any],
  ['profiling_index', any],
  ['start_ns', exact],
  ['was_cancelled', any],
])],
  ['schema_version', any],
  ['token_source', any, addition],
  ['warnings', array(any)],
]);

export const inputs: Shape = object([
  ['data', array(object([
  ['session_id', any],
  ['payloads', array(exact)],
]))],
]);

export const outputs: Shape = object([
  ['schema_version', any],
  ['data', array(object([
  ['session_num', any],
  ['conversation_id', any],
  ['turn_index', any],
  ['x_request_id', any],
  ['request_start_ns', exact],
  ['request_end_ns', exact],
  ['metrics', map(float)],
  ['response_text', any],
]))],
]);

export const resultsReady: Shape = object([
  ['ready', any],
  ['was_cancelled', any],
  ['partial', any],
  ['terminal_phase', any],
  ['terminal_error', any],
  ['failed_exporters', array(any)],
]);

const trendTrendMethod: Shape = object([
  ['name', any],
  ['permutations', any],
  ['correction', any],
  ['alpha', float],
  ['min_change', float],
  ['min_runs', any],
  ['min_total_runs', any],
]);
const trendTrendRun: Shape = object([
  ['path', any],
  ['start_ns', any],
  ['start_time', any],
  ['is_local_time', any],
  ['repeats', any],
  ['has_client_data', any],
]);
const trendSettingChange: Shape = object([
  ['run', any],
  ['setting', any],
  ['from', any],
  ['to', any],
]);
const trendVaryingSetting: Shape = object([
  ['setting', any],
  ['values', any],
]);
const trendSpread: Shape = object([
  ['of', any],
  ['count', any],
  ['std', float],
  ['low', float],
  ['high', float],
]);
const trendLevel: Shape = object([
  ['mean', float],
  ['low', float],
  ['high', float],
  ['runs', any],
]);
const trendChangePoint: Shape = object([
  ['before_run', any],
  ['after_run', any],
  ['verdict', any],
  ['change', float],
  ['p', float],
  ['before', trendLevel],
  ['after', trendLevel],
]);
const trendDrift: Shape = object([
  ['from', float],
  ['to', float],
  ['verdict', any],
  ['change', float],
  ['p', float],
]);
const trendMetricTrend: Shape = object([
  ['server', any],
  ['metric', any],
  ['stat', any],
  ['type', any],
  ['unit', any],
  ['better', any],
  ['state', any],
  ['known_runs', any],
  ['values', array(float)],
  ['spreads', array(trendSpread)],
  ['changes', array(trendChangePoint)],
  ['drift', trendDrift],
]);
const trendTrendGroup: Shape = object([
  ['workload', exact],
  ['runs', array(trendTrendRun)],
  ['setting_changes', array(trendSettingChange)],
  ['varying_settings', array(trendVaryingSetting)],
  ['tested_metrics', any],
  ['level', float],
  ['metrics', array(trendMetricTrend)],
]);
const trendRunProblem: Shape = object([
  ['path', any],
  ['reason', any],
]);
export const trend: Shape = object([
  ['schema_version', any],
  ['method', trendTrendMethod],
  ['groups', array(trendTrendGroup)],
  ['problems', array(trendRunProblem)],
  ['notes', array(any)],
]);

const pushLostValues: Shape = object([
  ['queue_full', any],
  ['rejected', any],
  ['undelivered', any],
]);
const pushReceiver: Shape = object([
  ['protocol', any],
  ['protocol_version', any],
  ['url', any],
  ['sent_values', any],
  ['requests', any],
  ['retries', any],
  ['lost_values', pushLostValues],
  ['last_problem', any],
]);
export const push: Shape = object([
  ['schema_version', any],
  ['benchmark_ids', array(any)],
  ['receivers', array(pushReceiver)],
  ['problem', any],
]);
