import { shortened } from '../json/path.ts';
import { asArray, asObject, field, objectAt, objectsIn, type Values } from '../rules/values.ts';
import type { SchemaName } from '../schema/checkSchema.ts';

/** Documents that this package knows. */
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
  | 'unknown';

/** What a JSON value is, and the schema that it should fit. */
export interface Recognised {
  readonly document: DocumentKind;
  /** As the document says it, `legacy` for the flat layout; null when it says nothing. */
  readonly version: string | null;
  readonly schema?: SchemaName;
  /** Set when the version is newer than the newest schema of its major version, or of an unknown one. */
  readonly versionProblem?: 'newer' | 'unknown';
  /** For an unknown document: what it might be. */
  readonly hint?: string;
}

type VersionedKind =
  | 'server-metrics'
  | 'profile-export'
  | 'profile-aggregate'
  | 'profile-collated'
  | 'profile-sweep';

/** The versions that there are schemas for, in their order. */
const knownVersions: Readonly<Record<VersionedKind, readonly string[]>> = {
  'server-metrics': ['1.0'],
  'profile-export': ['1.0', '1.1', '1.2', '1.3'],
  'profile-aggregate': ['1.0'],
  'profile-collated': ['1.0.0'],
  'profile-sweep': ['1.0'],
};

/** In characters; no version is half as long. */
const longestVersion = 40;

/** Tells documents apart by what is in them, never by their file name. */
export function recognise(value: unknown): Recognised {
  const document = asObject(value);
  if (!document) return { document: 'unknown', version: null };
  const stated = field(document, 'schema_version');
  const version = typeof stated === 'string' ? shortened(stated, longestVersion) : null;
  if (isRecord(document))
    return { document: 'server-metrics-jsonl', version: '1.0', schema: 'server-metrics-record' };
  if (isServerMetrics(document)) return serverMetrics(document, version);
  if ('endpoint_url' in document) return { document: 'unknown', version, hint: seriesHint };
  return recogniseProfile(document, version);
}

function recogniseProfile(document: Values, version: string | null): Recognised {
  if (isProfileRecord(document))
    return { document: 'profile-export-jsonl', version: null, schema: 'profile-record' };
  if (Array.isArray(field(document, 'timeslices')))
    return { document: 'profile-timeslices', version, schema: 'profile-timeslices.1.0' };
  if (isSweep(document)) return versioned('profile-sweep', version);
  const aggregate = aggregateKind(document);
  if (aggregate) return versioned(aggregate, version);
  if (isAggregate(document)) return { document: 'unknown', version, hint: aggregateHint };
  if (isProfileExport(document)) return profileExport(document, version);
  return { document: 'unknown', version };
}

const seriesHint = 'it looks like a single series; expected the whole document';
const aggregateHint =
  'it looks like an aggregate of several runs; known aggregation types are confidence, detailed and sweep';

const recordFields = ['endpoint_url', 'timestamp_ns', 'endpoint_latency_ns', 'metrics'];

/** Any two fields of a record, so that one without the others is told what it lacks. */
function isRecord(document: Values): boolean {
  return !('summary' in document) && recordFields.filter(key => key in document).length >= 2;
}

function isServerMetrics(document: Values): boolean {
  const summary = objectAt(document, 'summary');
  if (summary && ('endpoints_configured' in summary || 'endpoint_info' in summary)) return true;
  const metrics = field(document, 'metrics');
  return (
    objectsIn(asObject(metrics), []).some(([, metric]) => 'series' in metric) ||
    (metrics !== undefined && summary !== undefined)
  );
}

const requestFields = ['session_num', 'request_start_ns', 'request_end_ns', 'benchmark_phase'];

/**
 * Whether a line speaks of one request: its metadata has any two of these fields. With what was sent and answered beside them
 * it is a raw record of AIPerf, which has no measurements.
 */
export function isProfileRecord(document: Values): boolean {
  if (!('metrics' in document) && ('payload' in document || 'responses' in document)) return false;
  const metadata = objectAt(document, 'metadata');
  return metadata !== undefined && requestFields.filter(key => key in metadata).length >= 2;
}

/** AIPerf says the type at the top and has no schema_version. */
function isSweep(document: Values): boolean {
  return field(document, 'aggregation_type') === 'sweep' || 'per_combination_metrics' in document;
}

function isAggregate(document: Values): boolean {
  return objectAt(document, 'metadata')?.aggregation_type !== undefined;
}

/** By its type where it says one, and by what its metrics look like where it does not. */
function aggregateKind(document: Values): 'profile-aggregate' | 'profile-collated' | undefined {
  const type = objectAt(document, 'metadata')?.aggregation_type;
  if (type === 'confidence') return 'profile-aggregate';
  if (type === 'detailed') return 'profile-collated';
  if (typeof type === 'string') return undefined;
  const [, block] = objectsIn(objectAt(document, 'metrics'), [])[0] ?? [];
  if (!block) return undefined;
  if ('ci_low' in block || 'ci_high' in block) return 'profile-aggregate';
  return 'combined' in block || 'per_run' in block ? 'profile-collated' : undefined;
}

const profileFields = [
  'run_info',
  'was_cancelled',
  'error_summary',
  'telemetry_data',
  'benchmark_id',
  'input_config',
];

function isProfileExport(document: Values): boolean {
  const blocks = objectsIn(document, []).filter(([, block]) => 'unit' in block && 'avg' in block);
  const hasVersion = 'schema_version' in document;
  return blocks.length > 0 || (hasVersion && profileFields.some(key => key in document));
}

/** Files that are older than versions state none. What they lack because of their age is not to be asked of them. */
function profileExport(document: Values, version: string | null): Recognised {
  if (version !== null) return versioned('profile-export', version);
  const blocks = objectsIn(document, []).map(([, block]) => block);
  const info = objectAt(document, 'run_info');
  const oldest = info ? ('benchmark_id' in info ? '1.3' : '1.2') : hasCount(blocks) ? '1.1' : '1.0';
  return { document: 'profile-export', version, schema: `profile-export.${oldest}` };
}

function hasCount(blocks: readonly Values[]): boolean {
  return blocks.some(block => 'avg' in block && 'count' in block);
}

function serverMetrics(document: Values, version: string | null): Recognised {
  if (version === null && isFlat(document))
    return { document: 'server-metrics', version: 'legacy', schema: 'server-metrics.legacy' };
  return versioned('server-metrics', version);
}

/** The flat layout names a scrape_count and puts statistics beside the labels; it has no schema_version. */
function isFlat(document: Values): boolean {
  if ('schema_version' in document || 'input_config' in document || 'benchmark_id' in document) return false;
  const series = objectsIn(objectAt(document, 'metrics'), []).flatMap(([, metric]) =>
    asArray(field(metric, 'series')),
  );
  return !series.some(item => asObject(asObject(item)?.stats));
}

function versioned(document: VersionedKind, version: string | null): Recognised {
  const known = knownVersions[document];
  const newest = known.at(-1)!;
  const schemaOf = (one: string): SchemaName => `${document}.${one}` as SchemaName;
  if (version === null || known.includes(version))
    return { document, version, schema: schemaOf(version ?? newest) };
  const schema = schemaOf(newest);
  if (!/^1\.\d/.test(version)) return { document, version, schema, versionProblem: 'unknown' };
  if (isNewer(version, newest)) return { document, version, schema, versionProblem: 'newer' };
  // Something like 1.0-beta: the schema says what it should be.
  return { document, version, schema: schemaOf(known[0]!) };
}

function isNewer(version: string, other: string): boolean {
  const [a, b] = [version, other].map(text => text.split('.').map(Number));
  const at = a!.findIndex((number, index) => number !== (b![index] ?? 0));
  return at !== -1 && a![at]! > (b![at] ?? 0);
}
