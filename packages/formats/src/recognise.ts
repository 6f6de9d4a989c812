import { asArray, asObject, field, objectAt, objectsIn, type Values } from './rules/values.ts';
import type { SchemaName } from './schema-check.ts';

/** Documents that this package knows. */
export type DocumentKind =
  | 'server-metrics'
  | 'server-metrics-csv'
  | 'server-metrics-jsonl'
  | 'server-metrics-parquet'
  | 'profile-export'
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

/** Newest minor version of each document in major version 1. */
const newestMinor = { 'server-metrics': 0, 'profile-export': 3 } as const;

/** Tells documents apart by what is in them, never by their file name. */
export function recognise(value: unknown): Recognised {
  const document = asObject(value);
  if (!document) return { document: 'unknown', version: null };
  const stated = field(document, 'schema_version');
  const version = typeof stated === 'string' ? stated : null;
  if (isRecord(document))
    return { document: 'server-metrics-jsonl', version: '1.0', schema: 'server-metrics-record' };
  if (isServerMetrics(document)) return serverMetrics(document, version);
  if ('endpoint_url' in document) return { document: 'unknown', version, hint: seriesHint };
  if (isAggregate(document)) return { document: 'unknown', version, hint: aggregateHint };
  if (isProfileExport(document)) return versioned('profile-export', version);
  return { document: 'unknown', version };
}

const seriesHint = 'it looks like a single series; expected the whole document';
const aggregateHint =
  'it looks like an aggregate or collated export of several runs, which has schemas of its own';

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

function isAggregate(document: Values): boolean {
  return objectAt(document, 'metadata')?.aggregation_type !== undefined;
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

function versioned(document: 'server-metrics' | 'profile-export', version: string | null): Recognised {
  const newest = newestMinor[document];
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '1.0') ?? [];
  const known = Math.min(Number(minor ?? 0), newest);
  const schema = `${document}.1.${version === null ? newest : known}` as SchemaName;
  if (major !== '1') return { document, version, schema, versionProblem: 'unknown' };
  if (Number(minor) > newest) return { document, version, schema, versionProblem: 'newer' };
  return { document, version, schema };
}
