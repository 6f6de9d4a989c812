import { PARQUET_SCHEMA_VERSION } from '../metadata.ts';
import type { Findings } from './findings.ts';

/** Required keys. Each entry lists alternatives: AIPerf's key and its replacement in exports of Servelens. */
const REQUIRED: readonly (readonly string[])[] = [
  ['schema_version'],
  ['version'],
  ['benchmark_id'],
  ['exporter'],
  ['export_timestamp_utc'],
  ['time_filter_start_ns'],
  ['time_filter_end_ns'],
  ['profiling_duration_ns'],
  ['profiling_duration_seconds'],
  ['endpoint_urls'],
  ['endpoint_count'],
  ['label_columns'],
  ['label_count'],
  ['metric_count'],
  ['metric_type_counts'],
  ['model_names'],
  ['input_config'],
  ['hostname'],
  ['python_version', 'node_version'],
  ['pyarrow_version', 'parquet_library_version'],
  ['schema_note'],
];

/** The profiling period, as far as the metadata states it. */
export interface TimeFilter {
  readonly startNs: bigint | undefined;
  readonly endNs: bigint | undefined;
}

/**
 * Checks the key-value metadata: required keys must exist, be valid, and be consistent with each other and with the label
 * columns of the file. `concurrency` and `request_rate` are optional. Returns the time filter.
 */
export function checkMetadata(
  metadata: ReadonlyMap<string, string>,
  labelColumns: readonly string[],
  findings: Findings,
): TimeFilter {
  const missing = REQUIRED.filter(names => !names.some(name => metadata.has(key(name))));
  if (missing.length > 0) {
    const names = missing.map(alternatives => alternatives.map(key).join(' or ')).join(', ');
    findings.add('parquet-metadata-missing', 'the metadata', `has no ${names}`);
  }
  const reader = new MetadataReader(metadata, findings);
  checkVersion(reader, findings);
  const startNs = reader.integer('time_filter_start_ns');
  const endNs = reader.integer('time_filter_end_ns');
  if (startNs !== undefined && endNs !== undefined) {
    if (endNs < startNs)
      reader.reportInvalid('time_filter_end_ns', `is before the start of the time filter (${startNs})`);
    else reader.equals('profiling_duration_ns', endNs - startNs, 'the time filter');
  }
  checkCounts(reader, labelColumns);
  reader.json('input_config');
  return { startNs, endNs };
}

function checkVersion(reader: MetadataReader, findings: Findings): void {
  const version = reader.text('schema_version');
  if (version === undefined || version === PARQUET_SCHEMA_VERSION) return;
  const message = `is ${JSON.stringify(version)}; expected ${PARQUET_SCHEMA_VERSION}`;
  findings.add('schema-version-unknown', place('schema_version'), message, version);
}

function checkCounts(reader: MetadataReader, labelColumns: readonly string[]): void {
  const endpoints = reader.strings('endpoint_urls');
  if (endpoints) reader.equals('endpoint_count', BigInt(endpoints.length), 'endpoint_urls');
  const labels = reader.strings('label_columns');
  if (labels) {
    reader.equals('label_count', BigInt(labels.length), 'label_columns');
    if (labels.join('\0') !== labelColumns.join('\0')) {
      reader.reportInvalid(
        'label_columns',
        `lists ${labels.join(', ')}, but the file has ${labelColumns.join(', ') || 'no label columns'}`,
      );
    }
  }
  reader.strings('model_names');
  const types = reader.json('metric_type_counts');
  if (types === undefined) return;
  const counts = types !== null && typeof types === 'object' ? Object.values(types) : [undefined];
  if (counts.every(count => Number.isSafeInteger(count) && count >= 0)) {
    reader.equals(
      'metric_count',
      BigInt(counts.reduce((sum, count) => sum + count, 0)),
      'metric_type_counts',
    );
  } else {
    reader.reportInvalid(
      'metric_type_counts',
      'is not an object of counts; expected, for example, {"gauge": 1, "counter": 0, "histogram": 2}',
    );
  }
}

/** Reads metadata entries and reports invalid ones. */
class MetadataReader {
  readonly #metadata: ReadonlyMap<string, string>;
  readonly #findings: Findings;

  constructor(metadata: ReadonlyMap<string, string>, findings: Findings) {
    this.#metadata = metadata;
    this.#findings = findings;
  }

  text(name: string): string | undefined {
    return this.#metadata.get(key(name));
  }

  reportInvalid(name: string, message: string): void {
    this.#findings.add('parquet-metadata-value', place(name), message, this.text(name));
  }

  integer(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (/^-?\d{1,19}$/.test(text)) return BigInt(text);
    this.reportInvalid(name, 'is not an integer');
    return undefined;
  }

  equals(name: string, expected: bigint, other: string): void {
    const found = this.integer(name);
    if (found === undefined || found === expected) return;
    this.reportInvalid(name, `is ${found}, but according to ${other} it should be ${expected}`);
  }

  json(name: string): unknown {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      this.reportInvalid(name, 'is not JSON');
      return undefined;
    }
  }

  strings(name: string): string[] | undefined {
    const list = this.json(name);
    if (list === undefined) return undefined;
    if (Array.isArray(list) && list.every(item => typeof item === 'string')) return list;
    this.reportInvalid(name, 'is not a JSON array of strings');
    return undefined;
  }
}

function key(name: string): string {
  return `aiperf.${name}`;
}

function place(name: string): string {
  return `metadata ${key(name)}`;
}
