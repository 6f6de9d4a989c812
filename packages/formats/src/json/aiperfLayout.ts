import type { ProfileExport, RunInfo, TelemetryData } from '../generated/profileExport.ts';
import type { ProfileRecord } from '../generated/profileRecord.ts';
import type { ProfileTimeslice, ProfileTimeslices } from '../generated/profileTimeslices.ts';
import type { ServerMetricsDocument } from '../generated/serverMetrics.ts';
import { profileExport, profileRecord, profileTimeslices, serverMetrics } from '../generated/shapes.ts';
import { any, choice, float, type ObjectShape, object, replaceField, type Shape } from '../schema/shape.ts';
import { AIPERF_CONFIG_SHAPE } from './aiperfConfig.ts';

/** Metrics that AIPerf computes but does not export, and metrics that it does not have. */
const INTERNAL_TAGS: ReadonlySet<string> = new Set([
  ...['coalesced_chunk_share', 'cancelled_request_count'],
  ...['min_request_timestamp', 'max_response_timestamp', 'requested_osl', 'credit_drop_latency'],
  'output_token_throughput_per_gpu',
  ...['stream_setup_latency', 'stream_prefill_latency', 'overall_thinking_efficiency', 'thinking_efficiency'],
]);

/** Metrics that AIPerf writes after all others, in this order. It writes most metrics in a random order. */
const TRAILING_TAGS: readonly string[] = [
  ...['adj_request_latency', 'adj_time_to_first_token', 'adj_decode_duration', 'adj_inter_token_latency'],
  ...['effective_concurrency', 'effective_decode_throughput', 'effective_prefill_throughput'],
  ...['effective_decode_concurrency', 'effective_prefill_concurrency', 'effective_total_throughput'],
  ...['effective_decode_throughput_per_user', 'effective_prefill_throughput_per_user', 'tokens_in_flight'],
  ...['active_decode_throughput', 'active_prefill_throughput', 'active_decode_throughput_per_user'],
  ...['active_prefill_throughput_per_user', 'active_total_throughput'],
  ...['credit_to_start_latency', 'effective_latency'],
  ...['replay_sched_lag_p50', 'replay_sched_lag_p90', 'replay_sched_lag_p99', 'replay_sched_degraded'],
];

/** Metrics that AIPerf writes directly after `benchmark_id`, in this order. All others follow the document fields. */
const LEADING_TAGS: readonly string[] = [
  ...[
    'request_throughput',
    'request_latency',
    'request_count',
    'time_to_first_token',
    'time_to_second_token',
  ],
  ...['inter_token_latency', 'output_token_throughput', 'output_token_throughput_per_user'],
  ...['output_sequence_length', 'input_sequence_length', 'goodput', 'good_request_count'],
  ...['output_token_count', 'reasoning_token_count', 'inter_chunk_latency', 'total_output_tokens'],
  ...['total_reasoning_tokens', 'benchmark_duration', 'total_isl', 'total_osl', 'error_request_count'],
  ...['error_isl', 'total_error_isl'],
];

const LEADING_FIELDS: readonly string[] = ['schema_version', 'aiperf_version', 'benchmark_id'];

const TRAILING_FIELDS: readonly string[] = [
  ...['telemetry_data', 'input_config', 'run_info', 'was_cancelled', 'is_complete', 'incomplete_reason'],
  ...['error_summary', 'start_time', 'end_time', 'branch_stats', 'warmup_metrics'],
  'pooled_spec_decode_acceptance_histogram',
];

/** The fields of AIPerf's profile export, in its order. */
export const AIPERF_PROFILE_SHAPE: Shape = replaceConfig(createProfileShape(profileExport as ObjectShape));

/** The fields of AIPerf's timeslices, in its order. */
export const AIPERF_TIMESLICES_SHAPE: Shape = replaceConfig(profileTimeslices);

/** The fields of AIPerf's server metrics, in its order. */
export const AIPERF_SERVER_METRICS_SHAPE: Shape = replaceConfig(serverMetrics);

/** The fields of AIPerf's lines of requests, in its order. Only numbers of tokens and other counts are integers. */
export const AIPERF_RECORD_SHAPE: Shape = replaceField(
  profileRecord,
  ['metrics'],
  createRecordMetricsShape(),
);

function replaceConfig(shape: Shape): Shape {
  return replaceField(shape, ['input_config'], AIPERF_CONFIG_SHAPE);
}

function createRecordMetricsShape(): Shape {
  const floatBlock = object([
    ['value', float],
    ['unit', any],
  ]);
  const floatUnits = ['ms', '%', 'KB', 'sec', 'tokens/sec/user'];
  const byUnit = choice(
    'unit',
    floatUnits.map(unit => [unit, floatBlock] as const),
  );
  // Other ratios are integers.
  const ratios = ['spec_decode_acceptance_length', 'spec_decode_accepted_per_verified'];
  return object(
    ratios.map(tag => [tag, floatBlock] as const),
    { shape: byUnit, having: ['value'], after: ratios.at(-1)! },
  );
}

function createProfileShape({ fields, rest, additions }: ObjectShape): Shape {
  const names = [...LEADING_FIELDS, ...LEADING_TAGS, ...TRAILING_FIELDS];
  return {
    kind: 'object',
    fields: new Map(names.map(name => [name, fields.get(name) ?? rest!.shape])),
    rest: { ...rest!, after: TRAILING_FIELDS.at(-1)! },
    ...(additions ? { additions } : {}),
  };
}

/**
 * Converts a profile export to AIPerf's version 1.4: without metrics that AIPerf does not export, and with the section
 * about GPUs, which AIPerf also writes without GPU metrics.
 */
export function toAiperfProfileExport(document: ProfileExport): ProfileExport {
  const times = { start_time: toLocalTime(document.start_time), end_time: toLocalTime(document.end_time) };
  return {
    ...selectMetrics(document, document),
    ...(hasGpuTelemetry(document)
      ? { telemetry_data: toAiperfTelemetry(document.telemetry_data, times) }
      : {}),
    ...(document.run_info ? { run_info: toAiperfRunInfo(document.run_info) } : {}),
    ...(document.warmup_metrics ? { warmup_metrics: selectMetrics(document.warmup_metrics, document) } : {}),
    schema_version: '1.4',
    ...times,
  } as ProfileExport;
}

/** Reports whether AIPerf would look for GPUs in a run, which it does by default. */
export function hasGpuTelemetry({ input_config: config }: Pick<ProfileExport, 'input_config'>): boolean {
  const { enabled = true } = (config?.gpu_telemetry ?? {}) as { readonly enabled?: unknown };
  return enabled === true;
}

function toAiperfTelemetry(
  telemetry: TelemetryData | undefined,
  times: { readonly start_time: string | undefined; readonly end_time: string | undefined },
): object {
  if (!telemetry)
    return {
      summary: { endpoints_configured: [], endpoints_successful: [], ...times },
      endpoints: {},
      error_summary: [],
    };
  const { summary } = telemetry;
  return {
    ...telemetry,
    summary: {
      ...summary,
      start_time: toLocalTime(summary.start_time)!,
      end_time: toLocalTime(summary.end_time)!,
    },
  };
}

/** Converts timeslices to AIPerf's: without numbers, and without metrics that AIPerf does not export. */
export function toAiperfTimeslices({ timeslices, input_config }: ProfileTimeslices): ProfileTimeslices {
  return {
    timeslices: timeslices.map(slice => {
      const { timeslice_index: _, ...rest } = selectMetrics(slice, { input_config });
      return rest as ProfileTimeslice;
    }),
    ...(input_config === undefined ? {} : { input_config }),
  };
}

/**
 * Converts a request to a line of AIPerf's requests file, which contains no HTTP timings by default. `endpointType` is
 * the type of the endpoint in the configuration.
 */
export function toAiperfRecord(
  { metadata, metrics, error }: ProfileRecord,
  endpointType: string | undefined,
): ProfileRecord {
  return {
    metadata: omitNull(metadata),
    metrics: omitUsageOfEmbeddings(omitInternalMetrics(metrics), endpointType),
    ...(error ? { error: omitNull(error) } : {}),
  };
}

/** Converts the fields of a server metrics document other than its metrics to AIPerf's version 1.1. */
export function toAiperfServerMetrics<Document extends Pick<ServerMetricsDocument, 'summary'>>(
  document: Document,
): Document {
  const { summary } = document;
  return {
    ...document,
    schema_version: '1.1',
    metrics_phase: 'profiling',
    summary: {
      ...summary,
      start_time: toLocalTime(summary.start_time)!,
      end_time: toLocalTime(summary.end_time)!,
    },
  };
}

/**
 * Returns the metrics that AIPerf exports, and all other fields. The order of the first metrics in a document is part of
 * its shape.
 */
function selectMetrics<Values extends object>(
  values: Values,
  { input_config: config }: { readonly input_config?: ProfileExport['input_config'] | undefined },
): Values {
  const { type } = (config?.endpoint ?? {}) as { readonly type?: unknown };
  const exported: object = omitUsageOfEmbeddings(omitInternalMetrics(values), type);
  return Object.fromEntries(
    orderTags(Object.keys(exported), []).map(tag => [tag, exported[tag as never]]),
  ) as Values;
}

/** Returns the tags that AIPerf exports, in its order. */
export function selectAiperfTags(tags: readonly string[]): string[] {
  return orderTags(
    tags.filter(tag => !INTERNAL_TAGS.has(tag)),
    LEADING_TAGS,
  );
}

function orderTags(tags: readonly string[], leadingTags: readonly string[]): string[] {
  const others = new Set(tags);
  const leading = leadingTags.filter(tag => others.has(tag));
  const trailing = TRAILING_TAGS.filter(tag => others.has(tag));
  for (const tag of [...leading, ...trailing]) others.delete(tag);
  return [...leading, ...others, ...trailing];
}

/** Omits the usage that servers report for embeddings, which AIPerf does not read. */
function omitUsageOfEmbeddings<Values extends object>(values: Values, endpointType: unknown): Values {
  if (endpointType !== 'embeddings') return values;
  return filterFields(values, tag => !/^(?:total_)?usage_/.test(tag));
}

/** Omits the position in a sweep or in repeated runs from the run information of a single run. */
function toAiperfRunInfo(info: RunInfo): RunInfo {
  if (info.variation_label !== 'base' || info.sweep_id != null) return info;
  return filterFields(info, name => !/^(?:run_label|variation_\w+)$/.test(name));
}

function omitInternalMetrics<Values extends object>(values: Values): Values {
  return filterFields(values, tag => !INTERNAL_TAGS.has(tag));
}

function omitNull<Values extends object>(values: Values): Values {
  return filterFields(values, (_, value) => value !== null);
}

function filterFields<Values extends object>(
  values: Values,
  isKept: (name: string, value: unknown) => boolean,
): Values {
  return Object.fromEntries(Object.entries(values).filter(entry => isKept(...entry))) as Values;
}

/** Converts a UTC time to local time without a zone and with microseconds, as AIPerf writes times. */
function toLocalTime(utc: string | undefined): string | undefined {
  if (utc === undefined) return undefined;
  const date = new Date(utc);
  if (Number.isNaN(date.getTime()) || !/Z$/i.test(utc)) return utc;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  const [, fraction = ''] = /\.(\d+)Z$/i.exec(utc) ?? [];
  return `${local.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}`;
}
