import { AIPERF_VERSION } from '../aiperfVersion.ts';
import { stringifyJson } from '../json/jsonWriter.ts';
import type { MetricType } from './series.ts';

/** Input of `buildParquetMetadata`. */
export interface ParquetMetadataInput {
  /** Layout of the metadata: `aiperf` has only the keys with the prefix `aiperf.`. */
  readonly layout?: 'servelens' | 'aiperf' | undefined;
  /** Version of Servelens that recorded the run; absent if another program recorded it. */
  readonly version?: string | undefined;
  readonly benchmarkId: string;
  readonly exportTime: Date;
  /** Profiling period in nanoseconds since the Unix epoch, both ends inclusive. */
  readonly timeFilterStartNs: bigint;
  readonly timeFilterEndNs: bigint;
  readonly endpointUrls: readonly string[];
  readonly labelColumns: readonly string[];
  /** Number of series of each type, as AIPerf counts metrics; types without series can be omitted. */
  readonly metricTypeCounts: Readonly<Partial<Record<MetricType, number>>>;
  readonly modelNames: readonly string[];
  readonly concurrency?: number | undefined;
  readonly requestRate?: number | undefined;
  /** The user's configuration: a JSON-serializable object, or JSON text. */
  readonly inputConfig: object | string;
  readonly hostname: string;
}

/** A key-value pair of the file metadata. */
export type MetadataEntry = readonly [key: string, value: string];

/** Version of the row format. */
export const PARQUET_SCHEMA_VERSION = '1.0';

/** The library that provides the Thrift structures of written files. */
export const PARQUET_LIBRARY_VERSION = '@dsnp/parquetjs 1.8.8';

/** Key of the version of Servelens. */
export const VERSION_KEY = 'servelens.version';

const EXPORTER = 'ServerMetricsParquetExporter';
const SCHEMA_NOTE =
  'Label columns vary by endpoint and model. Use union_by_name=true in DuckDB to query several files.';

/**
 * Builds the key-value metadata of an export, in AIPerf's order.
 *
 * `concurrency` and `request_rate` are written only if they are set. `node_version` and
 * `parquet_library_version` replace AIPerf's `python_version` and `pyarrow_version`.
 */
export function buildParquetMetadata(input: ParquetMetadataInput): readonly MetadataEntry[] {
  const isAiperf = input.layout === 'aiperf';
  const duration = input.timeFilterEndNs - input.timeFilterStartNs;
  return [
    createEntry('schema_version', PARQUET_SCHEMA_VERSION),
    createEntry('version', AIPERF_VERSION),
    createEntry('benchmark_id', input.benchmarkId),
    createEntry('exporter', EXPORTER),
    createEntry('export_timestamp_utc', input.exportTime.toISOString()),
    createEntry('time_filter_start_ns', input.timeFilterStartNs.toString()),
    createEntry('time_filter_end_ns', input.timeFilterEndNs.toString()),
    createEntry('profiling_duration_ns', duration.toString()),
    createEntry('profiling_duration_seconds', formatSeconds(duration)),
    createEntry('endpoint_urls', JSON.stringify(input.endpointUrls)),
    createEntry('endpoint_count', String(input.endpointUrls.length)),
    createEntry('label_columns', JSON.stringify(input.labelColumns)),
    createEntry('label_count', String(input.labelColumns.length)),
    ...buildCountEntries(input.metricTypeCounts),
    createEntry('model_names', JSON.stringify(input.modelNames)),
    ...(input.concurrency === undefined ? [] : [createEntry('concurrency', String(input.concurrency))]),
    ...(input.requestRate === undefined ? [] : [createEntry('request_rate', String(input.requestRate))]),
    createEntry('input_config', formatConfig(input.inputConfig)),
    createEntry('hostname', input.hostname),
    createEntry('node_version', process.versions.node),
    createEntry('parquet_library_version', PARQUET_LIBRARY_VERSION),
    createEntry('schema_note', SCHEMA_NOTE),
    ...(isAiperf || input.version === undefined ? [] : [[VERSION_KEY, input.version] as const]),
  ];
}

function createEntry(key: string, value: string): MetadataEntry {
  return [`aiperf.${key}`, value];
}

function buildCountEntries(counts: ParquetMetadataInput['metricTypeCounts']): MetadataEntry[] {
  const { gauge = 0, counter = 0, histogram = 0, unknown = 0 } = counts;
  const types = { gauge, counter, histogram, unknown };
  return [
    createEntry('metric_count', String(gauge + counter + histogram + unknown)),
    createEntry('metric_type_counts', JSON.stringify(types)),
  ];
}

/** Formats nanoseconds as exact decimal seconds: 1500000000n is "1.5", 2000000000n is "2.0". */
function formatSeconds(ns: bigint): string {
  const sign = ns < 0n ? '-' : '';
  const digits = (ns < 0n ? -ns : ns).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '') || '0';
  return `${sign}${digits.slice(0, -9)}.${fraction}`;
}

/**
 * Returns the configuration as JSON text.
 *
 * @throws {SyntaxError} if `config` is a string that is not JSON
 */
function formatConfig(config: object | string): string {
  if (typeof config !== 'string') return stringifyJson(config);
  JSON.parse(config);
  return config;
}
