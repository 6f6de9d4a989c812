import { AIPERF_VERSION } from '../aiperfVersion.ts';
import { AIPERF_CONFIG_SHAPE } from '../json/aiperfConfig.ts';
import { JsonWriter, stringifyJson } from '../json/jsonWriter.ts';
import type { ParquetLayout } from './columns.ts';
import type { MetricType } from './series.ts';

/** Input of `buildParquetMetadata`. */
export interface ParquetMetadataInput {
  /** Layout of the file; `aiperf` has only metadata that AIPerf also writes. */
  readonly layout?: ParquetLayout | undefined;
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
/** The text of AIPerf's files. */
const AIPERF_SCHEMA_NOTE =
  'Label columns vary by endpoint/model. Use union_by_name=true for cross-file queries.';

/**
 * Builds the key-value metadata of an export, in AIPerf's order.
 *
 * `concurrency` and `request_rate` are written only if they are set. `node_version` and
 * `parquet_library_version` replace AIPerf's `python_version` and `pyarrow_version`; AIPerf's layout has neither.
 */
export function buildParquetMetadata(input: ParquetMetadataInput): readonly MetadataEntry[] {
  const isAiperf = input.layout === 'aiperf';
  const duration = input.timeFilterEndNs - input.timeFilterStartNs;
  return [
    createEntry('schema_version', PARQUET_SCHEMA_VERSION),
    createEntry('version', AIPERF_VERSION),
    createEntry('benchmark_id', input.benchmarkId),
    createEntry('exporter', EXPORTER),
    createEntry('export_timestamp_utc', formatExportTime(input.exportTime, isAiperf)),
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
    createEntry('input_config', formatConfig(input.inputConfig, isAiperf)),
    createEntry('hostname', input.hostname),
    ...(isAiperf ? [] : buildLibraryEntries()),
    createEntry('schema_note', isAiperf ? AIPERF_SCHEMA_NOTE : SCHEMA_NOTE),
    ...(isAiperf || input.version === undefined ? [] : [[VERSION_KEY, input.version] as const]),
  ];
}

function buildLibraryEntries(): MetadataEntry[] {
  return [
    createEntry('node_version', process.versions.node),
    createEntry('parquet_library_version', PARQUET_LIBRARY_VERSION),
  ];
}

/** Formats the time of the export. AIPerf writes microseconds and the offset of the time zone. */
function formatExportTime(time: Date, isAiperf: boolean): string {
  const text = time.toISOString();
  return isAiperf ? text.replace('Z', '000+00:00') : text;
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
function formatConfig(config: object | string, isAiperf: boolean): string {
  if (typeof config !== 'string')
    return isAiperf ? new JsonWriter(0).stringify(config, AIPERF_CONFIG_SHAPE) : stringifyJson(config);
  JSON.parse(config);
  return config;
}
