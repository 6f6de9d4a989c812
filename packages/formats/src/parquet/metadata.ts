import { stringifyJson } from '../json/jsonWriter.ts';
import type { MetricType } from './series.ts';

/** What the metadata of an export is made from. */
export interface ParquetMetadataInput {
  /** Version of the program that exports. */
  readonly version: string;
  readonly benchmarkId: string;
  readonly exportTime: Date;
  /** Profiling period, in nanoseconds since the epoch; its bounds belong to it. */
  readonly timeFilterStartNs: bigint;
  readonly timeFilterEndNs: bigint;
  readonly endpointUrls: readonly string[];
  readonly labelColumns: readonly string[];
  /** Number of different metrics of each type; types that do not occur may be left out. */
  readonly metricTypeCounts: Readonly<Partial<Record<MetricType, number>>>;
  readonly modelNames: readonly string[];
  readonly concurrency?: number | undefined;
  readonly requestRate?: number | undefined;
  /** The user's configuration: an object that JSON can express, or text that is JSON already. */
  readonly inputConfig: object | string;
  readonly hostname: string;
}

/** A key and its value. */
export type MetadataEntry = readonly [key: string, value: string];

/** Version of the row format (seed 000, "Schema Version History"). */
export const PARQUET_SCHEMA_VERSION = '1.0';

/** The library whose structures the file is made of. */
export const PARQUET_LIBRARY_VERSION = '@dsnp/parquetjs 1.8.8';

const EXPORTER = 'ServerMetricsParquetExporter';
const SCHEMA_NOTE =
  'Label columns vary by endpoint and model. Use union_by_name=true in DuckDB to query several files.';

/**
 * The key-value metadata of an export in the order of seed 000, "File Metadata".
 *
 * `concurrency` and `request_rate` stand there only when they are set. The seed's `python_version` and `pyarrow_version`
 * give way to `node_version` and `parquet_library_version`. The count of type `unknown` is written only when there are
 * such metrics, so that the object has the seed's three keys otherwise.
 */
export function buildParquetMetadata(input: ParquetMetadataInput): readonly MetadataEntry[] {
  const duration = input.timeFilterEndNs - input.timeFilterStartNs;
  return [
    entry('schema_version', PARQUET_SCHEMA_VERSION),
    entry('version', input.version),
    entry('benchmark_id', input.benchmarkId),
    entry('exporter', EXPORTER),
    entry('export_timestamp_utc', input.exportTime.toISOString()),
    entry('time_filter_start_ns', input.timeFilterStartNs.toString()),
    entry('time_filter_end_ns', input.timeFilterEndNs.toString()),
    entry('profiling_duration_ns', duration.toString()),
    entry('profiling_duration_seconds', seconds(duration)),
    entry('endpoint_urls', JSON.stringify(input.endpointUrls)),
    entry('endpoint_count', String(input.endpointUrls.length)),
    entry('label_columns', JSON.stringify(input.labelColumns)),
    entry('label_count', String(input.labelColumns.length)),
    ...metricCounts(input.metricTypeCounts),
    entry('model_names', JSON.stringify(input.modelNames)),
    ...(input.concurrency === undefined ? [] : [entry('concurrency', String(input.concurrency))]),
    ...(input.requestRate === undefined ? [] : [entry('request_rate', String(input.requestRate))]),
    entry('input_config', configText(input.inputConfig)),
    entry('hostname', input.hostname),
    entry('node_version', process.versions.node),
    entry('parquet_library_version', PARQUET_LIBRARY_VERSION),
    entry('schema_note', SCHEMA_NOTE),
  ];
}

function entry(key: string, value: string): MetadataEntry {
  return [`aiperf.${key}`, value];
}

function metricCounts(counts: ParquetMetadataInput['metricTypeCounts']): MetadataEntry[] {
  const { gauge = 0, counter = 0, histogram = 0, unknown = 0 } = counts;
  const types = { gauge, counter, histogram, ...(unknown > 0 && { unknown }) };
  return [
    entry('metric_count', String(gauge + counter + histogram + unknown)),
    entry('metric_type_counts', JSON.stringify(types)),
  ];
}

/** Nanoseconds as decimal seconds, exactly: 1500000000n is "1.5", 2000000000n is "2.0". */
function seconds(ns: bigint): string {
  const sign = ns < 0n ? '-' : '';
  const digits = (ns < 0n ? -ns : ns).toString().padStart(10, '0');
  const fraction = digits.slice(-9).replace(/0+$/, '') || '0';
  return `${sign}${digits.slice(0, -9)}.${fraction}`;
}

/** @throws {SyntaxError} when the text is not JSON */
function configText(config: object | string): string {
  if (typeof config !== 'string') return stringifyJson(config);
  JSON.parse(config);
  return config;
}
