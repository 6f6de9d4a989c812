import { truncate } from '../../json/path.ts';
import { isPossibleTime } from '../../rules/time.ts';
import { PARQUET_SCHEMA_VERSION } from '../metadata.ts';
import {
  findPartition,
  formatPartitionFolder,
  PARTITION_COLUMNS,
  parseFolderValue,
  parsePartitionPath,
} from '../partition.ts';
import type { Findings } from './findings.ts';

/** Required keys, without the prefix. */
const REQUIRED: readonly string[] = [
  'schema_version',
  'version',
  'benchmark_id',
  'exporter',
  'export_timestamp_utc',
  'time_filter_start_ns',
  'time_filter_end_ns',
  'profiling_duration_ns',
  'profiling_duration_seconds',
  'endpoint_urls',
  'endpoint_count',
  'label_columns',
  'label_count',
  'metric_count',
  'metric_type_counts',
  'model_names',
  'input_config',
  'hostname',
  'schema_note',
];

/** Maximum length of a value in a message, in characters. Longer values are truncated. */
const MAX_SHOWN_LENGTH = 60;

/** The profiling period in nanoseconds since the Unix epoch. Times that the metadata does not contain are undefined. */
export interface TimeFilter {
  readonly startNs: bigint | undefined;
  readonly endNs: bigint | undefined;
}

/** The contents of the metadata that rows are checked against. Missing and invalid entries are undefined. */
export interface MetadataSummary extends TimeFilter {
  readonly endpoints: ReadonlySet<string> | undefined;
  /** Number of metrics by type. */
  readonly typeCounts: ReadonlyMap<string, number> | undefined;
}

/**
 * Checks the key-value metadata: required keys must exist, be valid, and be consistent with each other and
 * with the label columns of the file. `concurrency`, `request_rate` and versions of libraries are optional. Returns
 * the entries that rows are checked against.
 */
export function checkMetadata(
  metadata: ReadonlyMap<string, string>,
  labelColumns: readonly string[],
  findings: Findings,
): MetadataSummary {
  const missing = REQUIRED.map(formatKey).filter(key => !metadata.has(key));
  if (missing.length > 0) {
    findings.add('parquet-metadata-missing', 'the metadata', `has no ${missing.join(', ')}`);
  }
  const reader = new MetadataReader(metadata, findings);
  checkVersion(reader, findings);
  const startNs = reader.readInteger('time_filter_start_ns');
  const endNs = reader.readInteger('time_filter_end_ns');
  if (startNs !== undefined && endNs !== undefined) {
    if (endNs < startNs)
      reader.reportInvalid('time_filter_end_ns', `is before the start of the time filter (${startNs})`);
    else reader.checkEqual('profiling_duration_ns', endNs - startNs, 'the time filter');
  }
  const { endpoints, typeCounts } = checkCounts(reader, labelColumns);
  const exportTime = reader.getText('export_timestamp_utc');
  if (exportTime !== undefined && !isPossibleTime(exportTime))
    reader.reportInvalid(
      'export_timestamp_utc',
      `is ${reader.formatValue('export_timestamp_utc')}; expected an ISO 8601 time`,
    );
  reader.readJson('input_config');
  return { startNs, endNs, endpoints, typeCounts };
}

function checkVersion(reader: MetadataReader, findings: Findings): void {
  const version = reader.getText('schema_version');
  if (version === undefined || version === PARQUET_SCHEMA_VERSION) return;
  const message = `is ${JSON.stringify(version)}; expected ${PARQUET_SCHEMA_VERSION}`;
  findings.add('schema-version-unknown', formatPlace('schema_version'), message, version);
}

function checkCounts(
  reader: MetadataReader,
  labelColumns: readonly string[],
): Pick<MetadataSummary, 'endpoints' | 'typeCounts'> {
  const endpoints = reader.readStrings('endpoint_urls');
  if (endpoints) reader.checkEqual('endpoint_count', BigInt(endpoints.length), 'endpoint_urls');
  const labels = reader.readStrings('label_columns');
  if (labels) {
    reader.checkEqual('label_count', BigInt(labels.length), 'label_columns');
    if (labels.join('\0') !== labelColumns.join('\0')) {
      reader.reportInvalid(
        'label_columns',
        `lists ${labels.join(', ')}, but the file has ${labelColumns.join(', ') || 'no label columns'}`,
      );
    }
  }
  reader.readStrings('model_names');
  return { endpoints: endpoints && new Set(endpoints), typeCounts: checkTypeCounts(reader) };
}

function checkTypeCounts(reader: MetadataReader): ReadonlyMap<string, number> | undefined {
  const types = reader.readJson('metric_type_counts');
  if (types === undefined) return undefined;
  const counts = types !== null && typeof types === 'object' ? Object.values(types) : [undefined];
  if (counts.every(count => Number.isSafeInteger(count) && count >= 0)) {
    reader.checkEqual(
      'metric_count',
      BigInt(counts.reduce((sum, count) => sum + count, 0)),
      'metric_type_counts',
    );
    return new Map(Object.entries(types as Record<string, number>));
  }
  reader.reportInvalid(
    'metric_type_counts',
    `is ${reader.formatValue('metric_type_counts')}; expected an object of counts such as {"gauge": 1, "counter": 0, "histogram": 2}`,
  );
  return undefined;
}

/** Reads metadata entries and reports invalid ones. */
class MetadataReader {
  readonly #metadata: ReadonlyMap<string, string>;
  readonly #findings: Findings;

  constructor(metadata: ReadonlyMap<string, string>, findings: Findings) {
    this.#metadata = metadata;
    this.#findings = findings;
  }

  getText(name: string): string | undefined {
    return this.#metadata.get(formatKey(name));
  }

  /** Formats the start of a value for a message. */
  formatValue(name: string): string {
    return JSON.stringify(truncate(this.getText(name) ?? '', MAX_SHOWN_LENGTH));
  }

  reportInvalid(name: string, message: string): void {
    this.#findings.add('parquet-metadata-value', formatPlace(name), message, this.getText(name));
  }

  readInteger(name: string): bigint | undefined {
    const text = this.getText(name);
    if (text === undefined) return undefined;
    if (/^-?\d{1,19}$/.test(text)) return BigInt(text);
    this.reportInvalid(name, `is ${this.formatValue(name)}; expected an integer`);
    return undefined;
  }

  checkEqual(name: string, expected: bigint, source: string): void {
    const found = this.readInteger(name);
    if (found === undefined || found === expected) return;
    this.reportInvalid(name, `is ${found}, but according to ${source} it should be ${expected}`);
  }

  readJson(name: string): unknown {
    const text = this.getText(name);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.reportInvalid(name, `is ${this.formatValue(name)}; expected JSON`);
      return undefined;
    }
  }

  readStrings(name: string): string[] | undefined {
    const list = this.readJson(name);
    if (list === undefined) return undefined;
    if (Array.isArray(list) && list.every(item => typeof item === 'string')) return list;
    this.reportInvalid(name, `is ${this.formatValue(name)}; expected a JSON array of strings`);
    return undefined;
  }
}

function formatKey(name: string): string {
  return `aiperf.${name}`;
}

function formatPlace(name: string): string {
  return `metadata ${formatKey(name)}`;
}

/**
 * Checks that the folder names of a partitioned dataset match the metadata of a file, because engines read
 * the partition columns from the folders. A shortened folder name must match the hash of its value.
 */
export function checkPartition(
  path: string,
  metadata: ReadonlyMap<string, string>,
  findings: Findings,
): void {
  const fromPath = parsePartitionPath(path);
  const fromMetadata = findPartition('', metadata);
  if (!fromPath || !fromMetadata) return;
  for (const column of PARTITION_COLUMNS) {
    const value = fromMetadata[column];
    if (fromPath[column] === value) continue;
    if (value !== '' && fromPath[column] === parseFolderValue(formatPartitionFolder(column, value).name))
      continue;
    findings.add(
      'parquet-metadata-value',
      `metadata servelens.${column}`,
      `is ${JSON.stringify(value)}, but the file is in the folder of ${JSON.stringify(fromPath[column])}`,
      value,
    );
  }
}
