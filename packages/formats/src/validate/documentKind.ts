import { truncate } from '../json/path.ts';
import { asArray, asObject, getField, getObject, listObjects, type Values } from '../rules/values.ts';
import type { SchemaName } from '../schema/schemas.ts';

/** Kinds of documents that this package can validate. */
export type DocumentKind =
  | 'server-metrics'
  | 'server-metrics-csv'
  | 'server-metrics-jsonl'
  | 'server-metrics-parquet'
  | 'profile-export'
  | 'profile-export-csv'
  | 'profile-export-jsonl'
  | 'profile-timeslices'
  | 'profile-timeslices-csv'
  | 'profile-aggregate'
  | 'profile-aggregate-csv'
  | 'profile-collated'
  | 'profile-sweep'
  | 'profile-sweep-csv'
  | 'search-history'
  | 'gpu-telemetry-jsonl'
  | 'raw-records-jsonl'
  | 'phase-manifest'
  | 'phase-server-metrics'
  | 'phase-gpu-telemetry'
  | 'inputs'
  | 'outputs'
  | 'results-ready'
  | 'trend'
  | 'push'
  | 'journal'
  | 'not-checked'
  | 'unknown';

/** The detected kind and version of a JSON value, and the schema to validate it against. */
export interface DetectedDocument {
  readonly document: DocumentKind;
  /**
   * The version stated in the document; `legacy` for the flat layout, `1.0` for a server metrics record; null
   * if unknown.
   */
  readonly version: string | null;
  /** Absent for an unknown document. */
  readonly schema?: SchemaName;
  /**
   * Set if the version is newer than the newest schema of its major version, or if the major version is
   * unknown.
   */
  readonly versionProblem?: 'newer' | 'unknown';
  /** Description of the probable kind of an unknown document. */
  readonly hint?: string;
}

/** Kinds of documents that state a schema version. */
type VersionedKind =
  | 'server-metrics'
  | 'profile-export'
  | 'profile-aggregate'
  | 'profile-collated'
  | 'profile-sweep'
  | 'search-history'
  | 'phase-manifest'
  | 'phase-server-metrics'
  | 'phase-gpu-telemetry'
  | 'outputs'
  | 'trend'
  | 'push';

/** Schema versions that are supported for each kind, oldest first. */
const SCHEMA_VERSIONS: Readonly<Record<VersionedKind, readonly string[]>> = {
  'server-metrics': ['1.0', '1.1'],
  'profile-export': ['1.0', '1.1', '1.2', '1.3', '1.4'],
  'profile-aggregate': ['1.0'],
  'profile-collated': ['1.0.0'],
  'profile-sweep': ['1.0'],
  'search-history': ['1.0'],
  'phase-manifest': ['1'],
  'phase-server-metrics': ['1'],
  'phase-gpu-telemetry': ['1'],
  outputs: ['1.0'],
  trend: ['1'],
  push: ['1'],
};

/** Maximum length of a version in a message, in characters. Real versions are much shorter. */
const MAX_VERSION_LENGTH = 40;

/** Detects the kind and version of a JSON document by its contents. */
export function detectDocument(value: unknown): DetectedDocument {
  const document = asObject(value);
  if (!document) return { document: 'unknown', version: null };
  const version = getVersion(document);
  const record = detectRecord(document);
  if (record) return record;
  const phaseKind = detectPhaseKind(document);
  if (phaseKind) return detectVersion(phaseKind, version);
  if (isRecord(document))
    return { document: 'server-metrics-jsonl', version: '1.0', schema: 'server-metrics-record' };
  if (isServerMetrics(document)) return detectServerMetrics(document, version);
  if ('endpoint_url' in document) return { document: 'unknown', version, hint: SERIES_HINT };
  return detectProfileDocument(document, version);
}

/** Returns the version that a document states. Files of phases state an integer. */
function getVersion(document: Values): string | null {
  const version = getField(document, 'schema_version');
  if (typeof version === 'string') return truncate(version, MAX_VERSION_LENGTH);
  return typeof version === 'number' && detectPhaseKind(document) ? String(version) : null;
}

/** Detects AIPerf's records other than those of metrics. */
export function detectRecord(document: Values): DetectedDocument | undefined {
  if ('gpu_uuid' in document && ('telemetry_data' in document || 'timestamp_ns' in document))
    return { document: 'gpu-telemetry-jsonl', version: null, schema: 'gpu-telemetry-record' };
  if (isRawRecord(document)) return { document: 'raw-records-jsonl', version: null, schema: 'raw-record' };
  return undefined;
}

/** Reports whether a document is a request with its body and its response, which has no metrics. */
function isRawRecord(document: Values): boolean {
  const hasMessages = 'payload' in document || 'responses' in document;
  return hasMessages && !('metrics' in document) && getObject(document, 'metadata') !== undefined;
}

/** Detects files that describe the phases of a run. */
function detectPhaseKind(
  document: Values,
): 'phase-manifest' | 'phase-server-metrics' | 'phase-gpu-telemetry' | undefined {
  if (asArray(getField(document, 'phases')).some(phase => 'phase_name' in (asObject(phase) ?? {})))
    return 'phase-manifest';
  if (!getObject(document, 'phase') || !('data' in document)) return undefined;
  return getObject(document, 'data')?.endpoints ? 'phase-gpu-telemetry' : 'phase-server-metrics';
}

/** Detects trends, searches, pushes, and files that accompany a run: the requests, the responses, and the file that marks a complete run. */
function detectCompanion(document: Values, version: string | null): DetectedDocument | undefined {
  if (Array.isArray(getField(document, 'groups')) && getObject(document, 'method'))
    return detectVersion('trend', version);
  if (Array.isArray(getField(document, 'receivers')) && 'benchmark_ids' in document)
    return detectVersion('push', version);
  if (typeof getField(document, 'ready') === 'boolean')
    return { document: 'results-ready', version: null, schema: 'results-ready' };
  if ('iterations' in document && ('best_trials' in document || 'convergence_reason' in document))
    return detectVersion('search-history', version);
  const items = getField(document, 'data');
  if (!Array.isArray(items)) return undefined;
  if ('schema_version' in document) return detectVersion('outputs', version);
  const isInputs = items.every(item => ['session_id', 'payloads'].some(key => key in (asObject(item) ?? {})));
  return isInputs ? { document: 'inputs', version: null, schema: 'inputs' } : undefined;
}

function detectProfileDocument(document: Values, version: string | null): DetectedDocument {
  if (isProfileRecord(document))
    return { document: 'profile-export-jsonl', version: null, schema: 'profile-record' };
  if (Array.isArray(getField(document, 'timeslices')))
    return { document: 'profile-timeslices', version, schema: 'profile-timeslices.1.0' };
  if (isSweep(document)) return detectVersion('profile-sweep', version);
  const aggregate = detectAggregateKind(document);
  if (aggregate) return detectVersion(aggregate, version);
  if (isAggregate(document)) return { document: 'unknown', version, hint: AGGREGATE_HINT };
  if (isProfileExport(document)) return detectProfileExport(document, version);
  return detectCompanion(document, version) ?? { document: 'unknown', version };
}

const SERIES_HINT = 'this looks like a single series; expected the whole document';
const AGGREGATE_HINT =
  'this looks like an aggregate of several runs; expected an aggregation type of confidence, detailed or sweep';

const RECORD_FIELDS = ['endpoint_url', 'timestamp_ns', 'endpoint_latency_ns', 'metrics'];

/**
 * Reports whether a document is a server metrics record. Two record fields suffice, so that missing fields
 * can be reported.
 */
function isRecord(document: Values): boolean {
  return !('summary' in document) && RECORD_FIELDS.filter(key => key in document).length >= 2;
}

function isServerMetrics(document: Values): boolean {
  const summary = getObject(document, 'summary');
  if (summary && ('endpoints_configured' in summary || 'endpoint_info' in summary)) return true;
  const metrics = getField(document, 'metrics');
  return (
    listObjects(asObject(metrics), []).some(([, metric]) => 'series' in metric) ||
    (metrics !== undefined && summary !== undefined)
  );
}

const REQUEST_FIELDS = ['session_num', 'request_start_ns', 'request_end_ns', 'benchmark_phase'];

/** Reports whether a document is a request record: its metadata has at least two of the request fields. */
export function isProfileRecord(document: Values): boolean {
  const metadata = getObject(document, 'metadata');
  return metadata !== undefined && REQUEST_FIELDS.filter(key => key in metadata).length >= 2;
}

/** Reports whether a document is a sweep. AIPerf's sweeps have a top-level aggregation_type and no schema_version. */
function isSweep(document: Values): boolean {
  return getField(document, 'aggregation_type') === 'sweep' || 'per_combination_metrics' in document;
}

function isAggregate(document: Values): boolean {
  return getObject(document, 'metadata')?.aggregation_type !== undefined;
}

/** Detects the kind of an aggregate by its aggregation_type or, if it has none, by the fields of its metrics. */
function detectAggregateKind(document: Values): 'profile-aggregate' | 'profile-collated' | undefined {
  const type = getObject(document, 'metadata')?.aggregation_type;
  if (type === 'confidence') return 'profile-aggregate';
  if (type === 'detailed') return 'profile-collated';
  if (typeof type === 'string') return undefined;
  const [, block] = listObjects(getObject(document, 'metrics'), [])[0] ?? [];
  if (!block) return undefined;
  if ('ci_low' in block || 'ci_high' in block) return 'profile-aggregate';
  return 'combined' in block || 'per_run' in block ? 'profile-collated' : undefined;
}

const PROFILE_FIELDS = [
  'run_info',
  'was_cancelled',
  'error_summary',
  'telemetry_data',
  'benchmark_id',
  'input_config',
];

function isProfileExport(document: Values): boolean {
  const blocks = listObjects(document, []).filter(([, block]) => 'unit' in block && 'avg' in block);
  const hasVersion = 'schema_version' in document;
  return blocks.length > 0 || (hasVersion && PROFILE_FIELDS.some(key => key in document));
}

/**
 * Selects the schema of a profile export. If the document states no version, selects the oldest schema that
 * has the document's fields.
 */
function detectProfileExport(document: Values, version: string | null): DetectedDocument {
  if (version !== null) return detectVersion('profile-export', version);
  const blocks = listObjects(document, []).map(([, block]) => block);
  const info = getObject(document, 'run_info');
  const oldest = info ? ('benchmark_id' in info ? '1.3' : '1.2') : hasCount(blocks) ? '1.1' : '1.0';
  return { document: 'profile-export', version, schema: `profile-export.${oldest}` };
}

function hasCount(blocks: readonly Values[]): boolean {
  return blocks.some(block => 'avg' in block && 'count' in block);
}

function detectServerMetrics(document: Values, version: string | null): DetectedDocument {
  if (version === null && isFlat(document))
    return { document: 'server-metrics', version: 'legacy', schema: 'server-metrics.legacy' };
  return detectVersion('server-metrics', version);
}

/**
 * Reports whether a document has the flat layout: no schema_version, input_config or benchmark_id, and no
 * `stats` object in any series.
 */
function isFlat(document: Values): boolean {
  if ('schema_version' in document || 'input_config' in document || 'benchmark_id' in document) return false;
  const series = listObjects(getObject(document, 'metrics'), []).flatMap(([, metric]) =>
    asArray(getField(metric, 'series')),
  );
  return !series.some(item => asObject(asObject(item)?.stats));
}

function detectVersion(document: VersionedKind, version: string | null): DetectedDocument {
  const supported = SCHEMA_VERSIONS[document];
  const newest = supported.at(-1)!;
  const toSchemaName = (supportedVersion: string): SchemaName =>
    `${document}.${supportedVersion}` as SchemaName;
  if (version === null || supported.includes(version))
    return { document, version, schema: toSchemaName(version ?? newest) };
  const schema = toSchemaName(newest);
  if (!/^1(\.\d|$)/.test(version)) return { document, version, schema, versionProblem: 'unknown' };
  if (isNewer(version, newest)) return { document, version, schema, versionProblem: 'newer' };
  // A malformed version such as 1.0-beta violates the schema, which reports the expected value.
  return { document, version, schema: toSchemaName(supported[0]!) };
}

/** Reports whether a version is newer than another, comparing their numbers from left to right. */
function isNewer(version: string, other: string): boolean {
  const [a, b] = [version, other].map(text => text.split('.').map(Number));
  const difference = a!.findIndex((number, index) => number !== (b![index] ?? 0));
  return difference !== -1 && a![difference]! > (b![difference] ?? 0);
}
